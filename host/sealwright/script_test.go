package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sealwright/sealwright/host/cuzkpb"
)

// TestMain lets the test binary be sealwright itself, in a process of its own.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"sealwright": main})
}

// TestScripts runs testdata/*.txt: the command line as a person uses it, with the
// real engine binary.
func TestScripts(t *testing.T) {
	bin := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-o", bin, "../../plugin/sealwright-engine-cpu")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the engine: %v\n%s", err, out)
	}
	sockets, err := os.MkdirTemp("/tmp", "sw") //nolint:usetesting // sockets need a short path, which t.TempDir is not
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(sockets); err != nil {
			t.Error(err)
		}
	})
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", env.Getenv("PATH")+string(filepath.ListSeparator)+bin)
			env.Setenv("XDG_RUNTIME_DIR", sockets)
			env.Setenv("ENGINE", filepath.Join(bin, "sealwright-engine-cpu"))
			env.Values[scriptDaemonKey{}] = new(scriptDaemon)
			return copyInputs(env.WorkDir)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "refused": refused, "nokey": nokey, "copykey": copykey, "twoprocesses": twoProcesses,
			"cut": cut, "flip": flip, "splice": splice, "jsonset": jsonset, "size": size,
			"notvalid": notValid, "unhex": unhex,
			"daemon": startDaemon, "terminate": terminate, "miner": miner,
		},
	})
}

// copyInputs puts the bundled C1 output into a script's folder: bare, in its
// envelope, and in a miner's request. Beside it lie some keys and proofs.
func copyInputs(dir string) error {
	c1, err := os.ReadFile("testdata/c1-2k.json")
	if err != nil {
		return err
	}
	envelope, err := json.Marshal(struct {
		SectorNum  int64
		Phase1Out  []byte
		SectorSize uint64
	}{1, c1, 2 << 10})
	if err != nil {
		return err
	}
	request, err := encodeRequest(&cuzkpb.SubmitProofRequest{
		RequestId: "porep-1000-1", ProofKind: cuzkpb.ProofKind_POREP_SEAL_COMMIT, SectorSize: 2 << 10, RegisteredProof: 5,
		Priority: cuzkpb.Priority_NORMAL, VanillaProof: envelope, SectorNumber: 1, MinerId: 1000,
	})
	if err != nil {
		return err
	}
	files := map[string][]byte{"c1.json": c1, "envelope.json": envelope, "porep.json": request}
	for name, from := range keysAndProofs {
		if files[name], err = os.ReadFile(filepath.Join("../../porep/groth16/testdata", from)); err != nil {
			return err
		}
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// keysAndProofs are the prover's own test data that scripts use, by their name
// there.
var keysAndProofs = map[string]string{
	"polka.vk": "polka-storage-2k.vk", "dev.vk": "porep-2k.vk", "32g.vk": "c1-32g.vk", "32g.proof": "c1-32g.proof",
}

// exits CODE PROGRAM [ARG...] runs the program and wants that exit code. Where
// it is not 0 the last line of stderr must be an error's, and nothing a panic's.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit := new(exec.ExitError)
		if !errors.As(err, &exit) {
			ts.Fatalf("run %s: %v", args[1], err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
	stderr := ts.ReadFile("stderr")
	if strings.Contains(stderr, "panic:") || strings.Contains(stderr, "goroutine ") {
		ts.Fatalf("it panicked")
	}
	lines := strings.Split(strings.TrimSuffix(stderr, "\n"), "\n")
	if last := lines[len(lines)-1]; want != 0 && !strings.HasPrefix(last, "sealwright: ") {
		ts.Fatalf("last line of stderr is no error: %q", last)
	}
}
