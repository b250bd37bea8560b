package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/sealwright/sealwright/host"
	"github.com/sealwright/sealwright/host/adminpb"
	"github.com/sealwright/sealwright/host/cuzkpb"
	"github.com/sealwright/sealwright/porep/circuit"
	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/porep/srs"
	"github.com/sealwright/sealwright/porep/synth"
	"github.com/sealwright/sealwright/sdk"
	"github.com/sealwright/sealwright/sdk/cpu"
)

// These tests serve the real engine, built once, on the smallest real circuit.

// testDir holds what the tests share; it is removed after the last one.
var testDir = filepath.Join(os.TempDir(), "sealwright-daemon-test-"+strconv.Itoa(os.Getpid()))

func TestMain(m *testing.M) {
	if err := os.Mkdir(testDir, 0o700); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(status int) {
		_ = os.RemoveAll(testDir)
		os.Exit(status)
	}))
}

var buildEngine = sync.OnceValues(func() (string, error) {
	path := filepath.Join(testDir, "sealwright-engine-cpu")
	out, err := exec.Command("go", "build", "-o", path, "../../plugin/sealwright-engine-cpu").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build engine: %w: %s", err, out)
	}
	return path, nil
})

var makeKeys = sync.OnceValues(func() (string, error) {
	ctx := context.Background()
	dir := filepath.Join(testDir, "keys")
	program, err := circuit.Compile(ctx, "wpost-2k")
	if err != nil {
		return "", err
	}
	shape, _ := registry.ShapeOf("wpost-2k")
	buffers := new(sdk.HeapBuffers)
	device, err := cpu.Open(sdk.DeviceConfig{Buffers: buffers})
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	_, err = srs.MakeDevKey(ctx, srs.DevKeyConfig{
		Dir: dir, Label: "fpref", Shape: shape, Circuit: program.Circuit, Device: device, Buffers: buffers,
	})
	return dir, errors.Join(err, device.Close())
})

// running is a daemon that serves a test.
type running struct {
	cuzkpb.ProvingEngineClient
	admin  adminpb.AdminClient
	socket string
	stop   context.CancelFunc // asks it to end
	ended  chan error
}

func serve(t testing.TB, change ...func(*Options)) *running {
	t.Helper()
	engine, err := buildEngine()
	if err != nil {
		t.Fatal(err)
	}
	keys, err := makeKeys()
	if err != nil {
		t.Fatal(err)
	}
	dir := shortTempDir(t)
	o := Options{
		Socket: filepath.Join(dir, "s", "sealwright.sock"), DrainTimeout: time.Minute, Version: "test",
		Host:   host.Options{EnginePath: engine, ParamsDir: keys, DevKeyLabel: "fpref", RunDir: dir},
		Logger: slog.New(slog.NewTextHandler(testWriter{t}, nil)),
	}
	for _, c := range change {
		c(&o)
	}
	ctx, stop := context.WithCancel(context.Background())
	r := &running{socket: o.Socket, stop: stop, ended: make(chan error, 1)}
	go func() { r.ended <- Run(ctx, o) }()
	conn := dial(t, o.Socket)
	r.ProvingEngineClient, r.admin = cuzkpb.NewProvingEngineClient(conn), adminpb.NewAdminClient(conn)
	t.Cleanup(func() {
		stop()
		if err, open := <-r.ended; open && err != nil {
			t.Errorf("the daemon ended: %v", err)
		}
	})
	return r
}

// end asks the daemon to end and returns what it ended with.
func (r *running) end() error {
	r.stop()
	err := <-r.ended
	close(r.ended)
	return err
}

// dial connects as Curio does, but waits for the daemon.
func dial(t testing.TB, socket string) *grpc.ClientConn {
	t.Helper()
	conn, err := grpc.NewClient("unix://"+socket, grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithDefaultCallOptions(
		grpc.MaxCallRecvMsgSize(maxMessageBytes), grpc.MaxCallSendMsgSize(maxMessageBytes), grpc.WaitForReady(true)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	})
	return conn
}

// shortTempDir is t.TempDir for sockets, whose paths must be short.
func shortTempDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "sw") //nolint:usetesting // its paths are too long
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

type testWriter struct{ t testing.TB }

func (w testWriter) Write(p []byte) (int, error) {
	w.t.Log(strings.TrimSpace(string(p)))
	return len(p), nil
}

// request is one of as many distinct WindowPoSts as there are names, as Curio
// sends them.
func request(t testing.TB, name string) *cuzkpb.SubmitProofRequest {
	t.Helper()
	w, err := synth.NewWindowPoSt(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	m := &cuzkpb.SubmitProofRequest{
		RequestId: "wdpost-" + name, ProofKind: cuzkpb.ProofKind_WINDOW_POST_PARTITION, SectorSize: 2 << 10,
		RegisteredProof: w.Proof.Number, Priority: cuzkpb.Priority_HIGH, MinerId: w.Miner, Randomness: w.Randomness[:],
	}
	for _, s := range w.Sectors {
		m.VanillaProofs = append(m.VanillaProofs, s.Vanilla)
	}
	return m
}
