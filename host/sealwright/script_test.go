package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the test binary be sealwright itself, in a process of its own.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"sealwright": main})
}

// TestScripts runs testdata/*.txt: the command line as a person uses it, with the
// real engine binary.
func TestScripts(t *testing.T) {
	bin := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-o", bin, "../../host/sealwright")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the engine: %v\n%s", err, out)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", env.Getenv("PATH")+string(filepath.ListSeparator)+bin)
			env.Setenv("ENGINE", filepath.Join(bin, "sealwright-engine-cpu"))
			return copyInputs(env.WorkDir)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "cut": cut, "flip": flip, "splice": splice, "jsonset": jsonset,
		},
	})
}

// inputs are test data of other packages that scripts find in their folder.
var inputs = map[string]string{
	"c1.json": "testdata/c1-2k.json",
}

func copyInputs(dir string) error {
	for name, from := range inputs {
		data, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			return err
		}
	}
	return nil
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

// cut FILE BYTES OUT writes the first BYTES of a file; a negative number leaves so
// many out.
func cut(ts *testscript.TestScript, _ bool, args []string) {
	data, n := readAndInt(ts, args, "cut FILE BYTES OUT")
	if n < 0 {
		n += len(data)
	}
	write(ts, args[2], data[:n])
}

// flip FILE OFFSET OUT flips the lowest bit of a byte; a negative offset counts
// from the end.
func flip(ts *testscript.TestScript, _ bool, args []string) {
	data, at := readAndInt(ts, args, "flip FILE OFFSET OUT")
	if at < 0 {
		at += len(data)
	}
	data[at] ^= 1
	write(ts, args[2], data)
}

// splice FILE OFFSET OUT HEX puts bytes in at an offset; a negative one counts
// from the end, -0 meaning the end.
func splice(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 4 {
		ts.Fatalf("usage: splice FILE OFFSET OUT HEX")
	}
	data, at := readAndInt(ts, args[:3], "splice FILE OFFSET OUT HEX")
	if strings.HasPrefix(args[1], "-") {
		at += len(data)
	}
	more, err := hex.DecodeString(args[3])
	ts.Check(err)
	write(ts, args[2], bytes.Join([][]byte{data[:at], more, data[at:]}, nil))
}

func readAndInt(ts *testscript.TestScript, args []string, use string) ([]byte, int) {
	if len(args) != 3 {
		ts.Fatalf("usage: %s", use)
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	return []byte(ts.ReadFile(args[0])), n
}

func write(ts *testscript.TestScript, name string, data []byte) {
	ts.Check(os.WriteFile(ts.MkAbs(name), data, 0o600))
}

// jsonset FILE PATH VALUE OUT sets what PATH (keys and indices joined by dots)
// names to a JSON value; "+1" adds one to a number.
func jsonset(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 4 {
		ts.Fatalf("usage: jsonset FILE PATH VALUE OUT")
	}
	d := json.NewDecoder(strings.NewReader(ts.ReadFile(args[0])))
	d.UseNumber()
	var root any
	ts.Check(d.Decode(&root))
	set(ts, root, strings.Split(args[1], "."), args[2])
	out, err := json.Marshal(root)
	ts.Check(err)
	write(ts, args[3], out)
}

func set(ts *testscript.TestScript, node any, path []string, value string) {
	change := func(old any) any {
		if len(path) > 1 {
			set(ts, old, path[1:], value)
			return old
		}
		var v any
		if n, ok := old.(json.Number); ok && value == "+1" {
			number, err := n.Int64()
			ts.Check(err)
			return number + 1
		}
		ts.Check(json.Unmarshal([]byte(value), &v))
		return v
	}
	switch node := node.(type) {
	case map[string]any:
		old, ok := node[path[0]]
		if !ok {
			ts.Fatalf("no key %q", path[0])
		}
		node[path[0]] = change(old)
	case []any:
		i, err := strconv.Atoi(path[0])
		ts.Check(err)
		node[i] = change(node[i])
	default:
		ts.Fatalf("nothing below %v at %q", node, path[0])
	}
}
