package plugin

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/sealwright/sealwright/porep/circuit"
	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/porep/srs"
	"github.com/sealwright/sealwright/sdk"
	"github.com/sealwright/sealwright/sdk/cpu"
	"github.com/sealwright/sealwright/sdk/enginepb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
)

// testDir is a folder that is removed after the last test.
var testDir = filepath.Join(os.TempDir(), "sealwright-plugin-test-"+strconv.Itoa(os.Getpid()))

const testLabel = "fpref"

// devKey makes the wpost-2k key of the label fpref once, and returns its load
// request.
var devKey = sync.OnceValues(func() (*enginepb.LoadSRSRequest, error) {
	ctx := context.Background()
	dir, err := os.MkdirTemp(testDir, "keys-")
	if err != nil {
		return nil, err
	}
	program, err := circuit.Compile(ctx, "wpost-2k")
	if err != nil {
		return nil, err
	}
	shape, _ := registry.ShapeOf("wpost-2k")
	buffers := new(sdk.HeapBuffers)
	device, err := cpu.Open(sdk.DeviceConfig{Buffers: buffers})
	if err != nil {
		return nil, err
	}
	defer func() { _ = device.Close() }()
	if _, err := srs.MakeDevKey(ctx, srs.DevKeyConfig{
		Dir: dir, Label: testLabel, Shape: shape, Circuit: program.Circuit, Device: device, Buffers: buffers,
	}); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, shape.KeyName)
	vk, err := os.ReadFile(path + srs.VKSuffix)
	return &enginepb.LoadSRSRequest{CircuitId: "wpost-2k", Path: path + srs.ParamsSuffix, Vk: vk, DevLabel: testLabel}, err
})

func loadRequest(t *testing.T) *enginepb.LoadSRSRequest {
	t.Helper()
	req, err := devKey()
	if err != nil {
		t.Fatal(err)
	}
	return &enginepb.LoadSRSRequest{CircuitId: req.GetCircuitId(), Path: req.GetPath(), Vk: req.GetVk(), DevLabel: req.GetDevLabel()}
}

// serveTest serves a backend in this process and returns a connection to it.
// Exits of the engine go to the channel.
func serveTest(t *testing.T, backend sdk.Backend) (*server, *grpc.ClientConn, chan int) {
	t.Helper()
	exits := make(chan int, 1)
	s := newServer(backend, slog.New(slog.NewTextHandler(testWriter{t}, nil)), func(status int) { exits <- status })
	g := s.grpcServer([]grpc.ServerOption{grpc.WaitForHandlers(true)})
	enginepb.RegisterEngineServer(g, s)
	grpc_health_v1.RegisterHealthServer(g, grpc_health_v1.UnimplementedHealthServer{}) // as go-plugin does: not the one that answers
	listener := bufconn.Listen(1 << 20)
	served := make(chan error, 1)
	go func() { served <- g.Serve(listener) }()
	conn, err := grpc.NewClient("passthrough:engine", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(enginepb.MaxMessageBytes)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = conn.Close()
		g.Stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
		s.close()
		if e := s.current(); e != nil {
			checkZero(t, e)
		}
	})
	return s, conn, exits
}

// checkZero holds that a closed engine has given everything back.
func checkZero(t *testing.T, e *engine) {
	t.Helper()
	c, b := e.pipeline.Counts(), e.tracker.Counts()
	if c.Alive+c.Waiting+c.Permits+c.Channel+c.Workers+c.Slots+c.HoldsWaiting != 0 || c.Reserved != 0 {
		t.Errorf("pipeline not back at zero: %+v", c)
	}
	if b.Used != 0 || b.Arena != 0 {
		t.Errorf("buffers not back at zero: %s", b)
	}
}

type testWriter struct{ t *testing.T }

func (w testWriter) Write(p []byte) (int, error) {
	w.t.Log(strings.TrimSpace(string(p)))
	return len(p), nil
}

func configure(t *testing.T, conn *grpc.ClientConn, req *enginepb.ConfigureRequest) enginepb.EngineClient {
	t.Helper()
	client := enginepb.NewEngineClient(conn)
	if _, err := client.Configure(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	return client
}

func load(ctx context.Context, client enginepb.EngineClient, req *enginepb.LoadSRSRequest) (*enginepb.LoadedSRS, error) {
	stream, err := client.LoadSRS(ctx, req)
	if err != nil {
		return nil, err
	}
	var loaded *enginepb.LoadedSRS
	for {
		update, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return loaded, nil
		}
		if err != nil {
			return nil, err
		}
		loaded = update.GetLoaded()
	}
}

func TestCallsBeforeConfigure(t *testing.T) {
	_, conn, _ := serveTest(t, cpu.New())
	client := enginepb.NewEngineClient(conn)
	if _, err := load(t.Context(), client, &enginepb.LoadSRSRequest{}); status.Code(err) != codes.FailedPrecondition {
		t.Errorf("load: %v", err)
	}
	if _, err := client.Drain(t.Context(), &enginepb.DrainRequest{}); err != nil {
		t.Errorf("drain: %v", err)
	}
}

func TestConfigure(t *testing.T) {
	_, conn, _ := serveTest(t, cpu.New())
	client := enginepb.NewEngineClient(conn)
	for name, req := range map[string]*enginepb.ConfigureRequest{
		"no such device":      {DeviceId: "gpu-1"},
		"no such policy":      {Policy: "fifo"},
		"early release":       {Policy: "early-release"},
		"negative host bytes": {HostBytes: -1},
	} {
		if _, err := client.Configure(t.Context(), req); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	answer, err := client.Configure(t.Context(), &enginepb.ConfigureRequest{Permits: 3, Policy: "channel-permits"})
	if err != nil || answer.GetChannel() != 3 || answer.GetFinishSlots() != 1 || answer.GetDevice().GetId() != "cpu" {
		t.Errorf("configure: %v, %v", answer, err)
	}
	if _, err := client.Configure(t.Context(), &enginepb.ConfigureRequest{}); status.Code(err) != codes.FailedPrecondition {
		t.Errorf("configure twice: %v", err)
	}
}

func TestLoadSRS(t *testing.T) {
	_, conn, _ := serveTest(t, cpu.New())
	client := configure(t, conn, &enginepb.ConfigureRequest{})
	good := loadRequest(t)
	wrongName := filepath.Join(t.TempDir(), "other.params")
	for name, c := range map[string]struct {
		change func(*enginepb.LoadSRSRequest)
		code   codes.Code
		text   string
	}{
		"unknown circuit": {func(r *enginepb.LoadSRSRequest) { r.CircuitId = "porep-1k" }, codes.Unimplemented, "porep-1k"},
		"file name":       {func(r *enginepb.LoadSRSRequest) { r.Path = wrongName }, codes.FailedPrecondition, "other.params"},
		"missing":         {func(r *enginepb.LoadSRSRequest) { r.Path = filepath.Join("/nowhere", filepath.Base(r.Path)) }, codes.FailedPrecondition, "/nowhere"},
		"no label":        {func(r *enginepb.LoadSRSRequest) { r.DevLabel = "" }, codes.FailedPrecondition, "published"},
		"other label":     {func(r *enginepb.LoadSRSRequest) { r.DevLabel = "mine" }, codes.FailedPrecondition, `"mine"`},
		"other vk":        {func(r *enginepb.LoadSRSRequest) { r.Vk = r.Vk[1:] }, codes.FailedPrecondition, "the host's verifying key"},
	} {
		req := loadRequest(t)
		c.change(req)
		_, err := load(t.Context(), client, req)
		if status.Code(err) != c.code || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v, expected %s with %q", name, err, c.code, c.text)
		}
	}
	for range 2 {
		loaded, err := load(t.Context(), client, good)
		if err != nil || loaded.GetFileBytes() != 11501496 || loaded.GetPartitionBytes() == 0 {
			t.Errorf("load: %v, %v", loaded, err)
		}
	}
}

func TestLoadSRSThatNeverFits(t *testing.T) {
	_, conn, _ := serveTest(t, cpu.New())
	client := configure(t, conn, &enginepb.ConfigureRequest{HostBytes: 80 << 20})
	_, err := load(t.Context(), client, loadRequest(t))
	if status.Code(err) != codes.ResourceExhausted || !strings.Contains(err.Error(), "the budget is 16777216") {
		t.Errorf("load: %v", err)
	}
}

func TestHealthChanges(t *testing.T) {
	_, conn, _ := serveTest(t, cpu.New())
	client := configure(t, conn, &enginepb.ConfigureRequest{})
	checks := grpc_health_v1.NewHealthClient(conn)
	req := &grpc_health_v1.HealthCheckRequest{Service: healthService}
	watch, err := checks.Watch(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	want := func(s grpc_health_v1.HealthCheckResponse_ServingStatus) {
		t.Helper()
		answer, err := checks.Check(t.Context(), req)
		if err != nil || answer.GetStatus() != s {
			t.Errorf("check: %v, %v, expected %s", answer, err, s)
		}
		if answer, err = watch.Recv(); err != nil || answer.GetStatus() != s {
			t.Errorf("watch: %v, %v, expected %s", answer, err, s)
		}
	}
	want(grpc_health_v1.HealthCheckResponse_SERVING)
	if _, err := client.Drain(t.Context(), &enginepb.DrainRequest{}); err != nil {
		t.Fatal(err)
	}
	want(grpc_health_v1.HealthCheckResponse_NOT_SERVING)
}

func TestWatchReports(t *testing.T) {
	_, conn, _ := serveTest(t, cpu.New())
	client := configure(t, conn, &enginepb.ConfigureRequest{Permits: 4, HostBytes: 1 << 30})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	stream, err := client.Watch(ctx, &enginepb.WatchRequest{IntervalMs: 30})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		r, err := stream.Recv()
		if err != nil {
			t.Fatal(err)
		}
		if r.GetCredits() != 4 || r.GetHostMemory().GetBudget() != 1<<30 || len(r.GetBuffers()) != int(sdk.BufferKinds)-1 {
			t.Errorf("report %v", r)
		}
	}
	if _, err := client.Drain(t.Context(), &enginepb.DrainRequest{}); err != nil {
		t.Fatal(err)
	}
	for {
		r, err := stream.Recv()
		if err != nil {
			t.Fatal(err)
		}
		if r.GetDraining() && r.GetCredits() == 0 {
			break
		}
	}
	stop()
	for err = error(nil); err == nil; {
		_, err = stream.Recv()
	}
	if status.Code(err) != codes.Canceled {
		t.Errorf("the watch ended with %v", err)
	}
}
