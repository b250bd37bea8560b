package host

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/sealwright/sealwright/porep/circuit"
	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/porep/srs"
	"github.com/sealwright/sealwright/porep/synth"
	"github.com/sealwright/sealwright/sdk"
	"github.com/sealwright/sealwright/sdk/cpu"
)

// These tests run the real engine, built once, on the smallest real circuit.

// testDir holds what the tests share; it is removed after the last one.
var testDir = filepath.Join(os.TempDir(), "sealwright-host-test-"+strconv.Itoa(os.Getpid()))

var buildEngine = sync.OnceValues(func() (string, error) {
	path := filepath.Join(testDir, "sealwright-engine-cpu")
	out, err := exec.Command("go", "build", "-o", path, "../plugin/sealwright-engine-cpu").CombinedOutput()
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

func realOptions(t *testing.T) Options {
	t.Helper()
	engine, err := buildEngine()
	if err != nil {
		t.Fatal(err)
	}
	keys, err := makeKeys()
	if err != nil {
		t.Fatal(err)
	}
	return Options{
		EnginePath: engine, ParamsDir: keys, DevKeyLabel: "fpref", RunDir: shortTempDir(t),
		Logger: slog.New(slog.NewTextHandler(testWriter{t}, nil)),
	}
}

func realHost(t *testing.T, change ...func(*Options)) *Host {
	t.Helper()
	o := realOptions(t)
	for _, c := range change {
		c(&o)
	}
	h, err := New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeHost(t, h) })
	return h
}

// vectorRequest is the reference's WindowPoSt of two sectors.
func vectorRequest(t *testing.T) Request {
	t.Helper()
	randomness := sha256.Sum256([]byte("fpref/post/randomness"))
	randomness[31] &= 0x3f
	registered := uint64(10)
	r := Request{Kind: WindowPoSt, RegisteredProof: &registered, Randomness: randomness[:]}
	for _, name := range []string{"windowpost-2k.sector101.vanilla.bincode", "windowpost-2k.sector102.vanilla.bincode"} {
		data, err := os.ReadFile("../porep/vanilla/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		r.VanillaProofs = append(r.VanillaProofs, data)
	}
	return r
}

// madeUpRequest is one of as many distinct WindowPoSts as there are names.
func madeUpRequest(t *testing.T, name string) Request {
	t.Helper()
	w, err := synth.NewWindowPoSt(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	registered := w.Proof.Number
	r := Request{ID: name, Kind: WindowPoSt, RegisteredProof: &registered, Randomness: w.Randomness[:]}
	for i := range w.Sectors {
		r.VanillaProofs = append(r.VanillaProofs, w.Sectors[i].Vanilla)
	}
	return r
}

func TestRealProofEqualsTheVector(t *testing.T) {
	h := realHost(t, func(o *Options) { o.Blinding = "windowpost-2k" })
	result, err := h.Prove(t.Context(), vectorRequest(t))
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(knownProof)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(result.Proof, want) {
		t.Errorf("proof %x, the vector's %x", result.Proof, want)
	}
	if p := result.Partitions[0]; p.Device == 0 || p.Synthesis == 0 || len(p.Ops) == 0 {
		t.Errorf("stages %+v", p)
	}
	t.Logf("times %+v, partition %+v", result.Times, result.Partitions[0])
}

func TestRealFreshProofs(t *testing.T) {
	if testing.Short() {
		t.Skip("four proofs")
	}
	h := realHost(t, func(o *Options) { o.Permits = 2; o.HostBytes = 128 << 20 })
	var group sync.WaitGroup
	var mu sync.Mutex
	proofs := make(map[string]bool)
	for _, name := range []string{"one", "two", "three", "three"} {
		req := madeUpRequest(t, name)
		group.Go(func() {
			result, err := h.Prove(t.Context(), req)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			proofs[string(result.Proof)] = true
		})
	}
	group.Wait()
	if len(proofs) != 4 {
		t.Errorf("%d distinct proofs of 4: blinding is not fresh", len(proofs))
	}
}

func TestRealInputErrorsComeFirst(t *testing.T) {
	h := realHost(t, func(o *Options) { o.EnginePath = "/nowhere"; o.ParamsDir = t.TempDir() })
	bad := vectorRequest(t)
	bad.VanillaProofs[1] = bytes.Clone(bad.VanillaProofs[1])
	bad.VanillaProofs[1][200] ^= 1
	for name, req := range map[string]Request{"flipped bit": bad, "no kind": {}, "no C1": {Kind: PoRep}} {
		if _, err := h.Prove(t.Context(), req); !errors.Is(err, sdk.ErrInvalidInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := h.Prove(t.Context(), vectorRequest(t)); !errors.Is(err, ErrKey) {
		t.Errorf("a good input without a key: %v", err)
	}
}

func TestRealEngineKilledInMidProof(t *testing.T) {
	h := realHost(t)
	req := madeUpRequest(t, "killed")
	var once sync.Once
	req.Progress = func(p Progress) {
		if p.Step == StepDevice {
			once.Do(func() {
				if err := syscall.Kill(p.EnginePID, syscall.SIGKILL); err != nil {
					t.Error(err)
				}
			})
		}
	}
	_, err := h.Prove(t.Context(), req)
	var death *EngineError
	if !errors.As(err, &death) || death.Signal != syscall.SIGKILL {
		t.Fatalf("error %v", err)
	}
	result, err := h.Prove(t.Context(), req)
	if err != nil || result.EnginePID == death.PID {
		t.Errorf("after the death: %v", err)
	}
}

func TestRealKeyErrors(t *testing.T) {
	keys, err := makeKeys()
	if err != nil {
		t.Fatal(err)
	}
	shape, _ := registry.ShapeOf("wpost-2k")
	for name, damage := range map[string]func(params []byte) []byte{
		"truncated": func(p []byte) []byte { return p[:len(p)/2] },
		"empty":     func([]byte) []byte { return nil },
		"HTML":      func([]byte) []byte { return []byte("<!DOCTYPE html><html>404</html>") },
		"flipped":   func(p []byte) []byte { p[5<<20] ^= 1; return p },
		"missing":   nil,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, suffix := range []string{srs.ParamsSuffix, srs.VKSuffix, srs.DevSuffix} {
				data, err := os.ReadFile(filepath.Join(keys, shape.KeyName+suffix))
				if err != nil {
					t.Fatal(err)
				}
				if suffix == srs.ParamsSuffix {
					if damage == nil {
						continue
					}
					data = damage(data)
				}
				if err := os.WriteFile(filepath.Join(dir, shape.KeyName+suffix), data, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			h := realHost(t, func(o *Options) { o.ParamsDir = dir })
			_, err := h.Prove(t.Context(), vectorRequest(t))
			if !errors.Is(err, ErrKey) || !bytes.Contains([]byte(err.Error()), []byte(shape.KeyName)) {
				t.Errorf("error %v", err)
			}
			t.Log(err)
		})
	}
}

// hostHelperVariable makes the test binary a host that waits to be killed.
const hostHelperVariable = "SEALWRIGHT_HOST_HELPER"

// hostHelperMain starts an engine, says its pid and the run folder, and sleeps.
func hostHelperMain(spec string) {
	var base, engine string
	if _, err := fmt.Sscanf(spec, "%s %s", &base, &engine); err != nil {
		panic(err)
	}
	h, err := New(context.Background(), Options{EnginePath: engine, RunDir: base})
	if err != nil {
		panic(err)
	}
	alive, err := h.slot.get(context.Background())
	if err != nil {
		panic(err)
	}
	fmt.Println(alive.pid, h.runDir)
	time.Sleep(time.Minute)
}

func TestRealEngineDoesNotOutliveItsHost(t *testing.T) {
	o := realOptions(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	helper := exec.Command(self)
	helper.Env = append(os.Environ(), hostHelperVariable+"="+o.RunDir+" "+o.EnginePath)
	out, err := helper.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := helper.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	var pid int
	var runDir string
	if _, scanErr := fmt.Sscanf(line, "%d %s", &pid, &runDir); err != nil || scanErr != nil {
		t.Fatalf("helper said %q: %v, %v", line, err, scanErr)
	}
	if !processExists(pid) {
		t.Fatal("the engine does not run")
	}
	if err := helper.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = helper.Wait() // killed
	for start := time.Now(); processRuns(pid); time.Sleep(10 * time.Millisecond) {
		if time.Since(start) > 2*time.Second {
			t.Fatal("the engine lives on")
		}
	}
	next, err := New(t.Context(), o) // sweeps what the dead host left
	if err != nil {
		t.Fatal(err)
	}
	closeHost(t, next)
	if _, err := os.Stat(runDir); !os.IsNotExist(err) {
		t.Errorf("the dead host's folder is left: %v", err)
	}
}

// processRuns is false for zombies, which nobody here can reap.
func processRuns(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, after, _ := bytes.Cut(stat, []byte(") "))
	return !bytes.HasPrefix(after, []byte("Z"))
}
