package host

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/porep/srs"
	"github.com/sealwright/sealwright/sdk"
	"github.com/sealwright/sealwright/sdk/enginepb"
)

// devKeys makes a folder with the verifying key of wpost-2k under the label fpref.
func devKeys(t *testing.T) string {
	t.Helper()
	vk, err := os.ReadFile("../porep/groth16/testdata/windowpost-2k.vk")
	if err != nil {
		t.Fatal(err)
	}
	shape, _ := registry.ShapeOf("wpost-2k")
	sum := sha256.Sum256(vk)
	side, err := json.Marshal(srs.DevInfo{Label: "fpref", Circuit: "wpost-2k", VKSHA256: hex.EncodeToString(sum[:])})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for suffix, data := range map[string][]byte{srs.VKSuffix: vk, srs.DevSuffix: side} {
		if err := os.WriteFile(filepath.Join(dir, shape.KeyName+suffix), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// knownStatement is the statement that the fake engine's proof proves, with
// parts of any bytes.
func knownStatement(parts ...[]byte) func(context.Context, *Request) (*statement, error) {
	return func(context.Context, *Request) (*statement, error) {
		data, err := os.ReadFile("../porep/groth16/testdata/windowpost-2k.inputs.json")
		if err != nil {
			return nil, err
		}
		var partitions [][]string
		if err := json.Unmarshal(data, &partitions); err != nil {
			return nil, err
		}
		shape, _ := registry.ShapeOf("wpost-2k")
		s := &statement{kind: enginepb.Kind_KIND_WINDOW_POST, registered: 10, shape: shape, parts: parts}
		for _, p := range partitions {
			var inputs []fr.Element
			for _, text := range p {
				raw, err := hex.DecodeString(text)
				if err != nil {
					return nil, err
				}
				e, err := fr.LittleEndian.Element((*[32]byte)(raw))
				if err != nil {
					return nil, err
				}
				inputs = append(inputs, e)
			}
			s.inputs = append(s.inputs, inputs)
		}
		return s, nil
	}
}

// fakeHost is a host whose engine is this test binary with a defect.
func fakeHost(t *testing.T, defect string, change ...func(*Options)) *Host {
	t.Helper()
	t.Setenv(defectVariable, defect)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o := Options{
		EnginePath: self, ParamsDir: devKeys(t), DevKeyLabel: "fpref", RunDir: shortTempDir(t),
		Logger: slog.New(slog.NewTextHandler(testWriter{t}, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	for _, c := range change {
		c(&o)
	}
	h, err := New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	h.check = knownStatement([]byte("randomness"), bytes.Repeat([]byte("x"), 5<<20))
	t.Cleanup(func() { closeHost(t, h) })
	return h
}

// closeHost closes a host and checks that nothing is left of it.
func closeHost(t *testing.T, h *Host) {
	t.Helper()
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(h.runDir); !os.IsNotExist(err) {
		t.Errorf("the run folder is left: %v", err)
	}
}

// shortTempDir is t.TempDir for sockets, whose paths must be short.
func shortTempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "sw") //nolint:usetesting // its paths are too long
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

type testWriter struct{ t *testing.T }

func (w testWriter) Write(p []byte) (int, error) {
	w.t.Log(strings.TrimSpace(string(p)))
	return len(p), nil
}

func TestProve(t *testing.T) {
	h := fakeHost(t, "no self-test")
	var steps []Step
	result, err := h.Prove(t.Context(), Request{Progress: func(p Progress) { steps = append(steps, p.Step) }})
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(knownProof)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(result.Proof, want) || result.EnginePID == os.Getpid() || result.EnginePID == 0 || result.HostPID != os.Getpid() {
		t.Errorf("result %+v", result)
	}
	expected := "[check engine key input wait synthesis device verified]"
	if got := fmt.Sprint(steps); got != expected {
		t.Errorf("steps %s, expected %s", got, expected)
	}
	if state, death := h.State(); state != SlotReady || death != nil {
		t.Errorf("slot is %s, last death %v", state, death)
	}
	closeHost(t, h)
	if processExists(result.EnginePID) {
		t.Error("the engine is left")
	}
	if _, err := h.Prove(t.Context(), Request{}); !errors.Is(err, ErrClosed) {
		t.Errorf("prove on a closed host: %v", err)
	}
}

func TestProveConcurrently(t *testing.T) {
	h := fakeHost(t, "noise")
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			if _, err := h.Prove(t.Context(), Request{Priority: Priority(i % 5)}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

func TestEngineDefects(t *testing.T) {
	for _, c := range []struct {
		defect string
		is     error
		class  ExitClass // 0: no *EngineError
		text   string
	}{
		{"garbage", ErrEngine, ExitHandshake, `is no engine: expected a plugin handshake on stdout, found "hello, I am no engine"`},
		{"version", ErrEngine, ExitVersion, "speaks major version 2 of the engine protocol, expected 1"},
		{"no device", sdk.ErrNoDevice, 0, "no usable device: no GPU: driver 1.0 is too old"},
		{"self-test", ErrWrongProof, ExitWrongProof, "fails its self-test: msm_g1: found x"},
		{"key", ErrKey, 0, "section h, byte 7"},
		{"refuse", sdk.ErrInvalidInput, 0, "parse C1: byte 12: no"},
		{"panic", ErrEngine, ExitPanic, "it last said: panic: the fake engine broke"},
		{"exit", ErrEngine, ExitClean, "exited with status 0"},
		{"device lost", ErrEngine, ExitDeviceLost, "lost its device"},
		{"child", ErrEngine, ExitPanic, "exited with status 3"},
		{"wrong proof", ErrWrongProof, ExitWrongProof, "gave a proof of partition 0 that does not verify"},
		{"torn proof", ErrWrongProof, ExitWrongProof, "expected 192 bytes, found 100"},
		{"another partition", ErrEngine, ExitPanic, "gave a proof of partition 7, which was not asked for"},
		{"no answer", ErrEngine, ExitPanic, "ended the job with 0 of 1 partitions proved"},
		{"partition error", sdk.ErrOutOfMemory, 0, "prove partition 0: need 16 GiB"},
	} {
		t.Run(c.defect, func(t *testing.T) {
			h := fakeHost(t, c.defect)
			_, err := h.Prove(t.Context(), Request{})
			if !errors.Is(err, c.is) || err == nil || !strings.Contains(err.Error(), c.text) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("error %q, expected one line with %q that is %v", err, c.text, c.is)
			}
			var death *EngineError
			if errors.As(err, &death) != (c.class != 0) || death != nil && death.Class != c.class {
				t.Errorf("class of %v, expected %v", death, c.class)
			}
		})
	}
}

func TestEngineKilledInMidProof(t *testing.T) {
	h := fakeHost(t, "hang")
	killed := make(chan int, 1)
	start := time.Now()
	_, err := h.Prove(t.Context(), Request{Progress: func(p Progress) {
		if p.Step == StepDevice {
			killed <- p.EnginePID
			if err := syscall.Kill(p.EnginePID, syscall.SIGKILL); err != nil {
				t.Error(err)
			}
			start = time.Now()
		}
	}})
	took := time.Since(start)
	var death *EngineError
	if !errors.As(err, &death) || death.Class != ExitSignal || death.Signal != syscall.SIGKILL || death.MaxRSS == 0 {
		t.Fatalf("error %v (%+v)", err, death)
	}
	if pid := <-killed; death.PID != pid || !strings.Contains(err.Error(), "killed by signal 9 (killed)") {
		t.Errorf("error %v, the engine's pid was %d", err, pid)
	}
	if took > time.Second {
		t.Errorf("the caller waited %s after the kill", took)
	}
	t.Setenv(defectVariable, "") // the next incarnation is sound
	if _, err := h.Prove(t.Context(), Request{}); err != nil {
		t.Errorf("prove after the death: %v", err)
	}
}

func TestCancelledProve(t *testing.T) {
	h := fakeHost(t, "hang")
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("the miner gave up")
	_, err := h.Prove(ctx, Request{Progress: func(p Progress) {
		if p.Step == StepDevice {
			cancel(reason)
		}
	}})
	if !errors.Is(err, reason) {
		t.Errorf("error %v, expected %v", err, reason)
	}
	if state, _ := h.State(); state != SlotReady {
		t.Errorf("the slot is %s", state)
	}
}

func TestCloseWhileProving(t *testing.T) {
	h := fakeHost(t, "hang")
	started, ended := make(chan struct{}), make(chan error)
	go func() {
		_, err := h.Prove(context.Background(), Request{Progress: func(p Progress) {
			if p.Step == StepDevice {
				close(started)
			}
		}})
		ended <- err
	}()
	<-started
	closeHost(t, h)
	select {
	case err := <-ended:
		if !errors.Is(err, ErrClosed) {
			t.Errorf("error %v, expected %v", err, ErrClosed)
		}
	case <-time.After(5 * time.Second):
		t.Error("the caller hangs")
	}
}

func TestEngineThatIsNone(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte("not a binary\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, []byte("data"), 0o644); err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(dir, "foreign")
	if err := os.WriteFile(foreign, foreignELF(t), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path  string
		class ExitClass
		text  string
	}{
		{filepath.Join(dir, "missing"), ExitStart, "there is no such file"},
		{dir, ExitStart, "is a folder, expected an engine binary"},
		{plain, ExitStart, "is not executable"},
		{text, ExitStart, "cannot be executed: it is no binary for this system"},
		{foreign, ExitStart, "cannot be executed: it was built for EM_S390"},
		{"/bin/true", ExitHandshake, "is no engine: it ended (exit status 0) without a plugin handshake on stdout"},
		{"/bin/ls", ExitHandshake, "is no engine:"},
	} {
		t.Run(filepath.Base(c.path), func(t *testing.T) {
			h := fakeHost(t, "", func(o *Options) { o.EnginePath = c.path })
			_, err := h.Prove(t.Context(), Request{})
			var death *EngineError
			if !errors.As(err, &death) || death.Class != c.class || !strings.Contains(err.Error(), c.text) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("error %q, expected one line with %q", err, c.text)
			}
		})
	}
}

// foreignELF is this test binary as if it were built for a mainframe.
func foreignELF(t *testing.T) []byte {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	data = data[:min(len(data), 1<<20)]
	data[18], data[19] = 22, 0 // e_machine: EM_S390
	data[40] = 0               // the section table is cut off
	for i := 40; i < 48; i++ {
		data[i] = 0
	}
	data[60], data[61], data[62], data[63] = 0, 0, 0, 0
	return data
}

func TestKeyErrors(t *testing.T) {
	h := fakeHost(t, "", func(o *Options) { o.DevKeyLabel = "other" })
	if _, err := h.Prove(t.Context(), Request{}); !errors.Is(err, ErrKey) {
		t.Errorf("another label: %v", err)
	}
	h = fakeHost(t, "", func(o *Options) { o.DevKeyLabel = "" })
	if _, err := h.Prove(t.Context(), Request{}); !errors.Is(err, ErrKey) {
		t.Errorf("a development key without its label: %v", err)
	}
	h = fakeHost(t, "", func(o *Options) { o.ParamsDir = t.TempDir() })
	if _, err := h.Prove(t.Context(), Request{}); !errors.Is(err, ErrKey) {
		t.Errorf("no key: %v", err)
	}
	if state, _ := h.State(); state != SlotIdle {
		t.Errorf("the slot is %s: an engine was started without a key", state)
	}
}

func TestRunDirsOfDeadHostsAreSwept(t *testing.T) {
	base := shortTempDir(t)
	dead := filepath.Join(base, runDirPrefix+"999999999-x") // above any pid
	others := filepath.Join(base, "other")
	for _, dir := range []string{dead, others} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	dir, err := makeRunDir(base)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("run folder: %v, %v", info, err)
	}
	if _, err := os.Stat(dead); !os.IsNotExist(err) {
		t.Errorf("a dead host's folder is left: %v", err)
	}
	if _, err := os.Stat(others); err != nil {
		t.Errorf("somebody else's folder is gone: %v", err)
	}
	if _, err := makeRunDir(filepath.Join(base, "other")); err != nil {
		t.Error(err)
	}
	long := filepath.Join(base, strings.Repeat("x", 100))
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := makeRunDir(long); err == nil || !strings.Contains(err.Error(), "too long for a socket") {
		t.Errorf("a long path: %v", err)
	}
}
