package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// refused [--request] wants `prove` to refuse bad.json with 1, in one line,
// where there is no engine and no folder for the output.
func refused(ts *testscript.TestScript, _ bool, args []string) {
	flag := "--c1"
	if len(args) == 1 {
		flag = args[0]
	}
	exits(ts, false, []string{"1", "sealwright", "prove", flag, "bad.json", "--out", "nowhere/proof", "--engine", "none"})
	if stderr := ts.ReadFile("stderr"); strings.Count(stderr, "\n") != 1 {
		ts.Fatalf("want one line on stderr, got:\n%s", stderr)
	}
}

// nokey wants `prove` to end with 2 for the keys in the folder keys, and no
// output.
func nokey(ts *testscript.TestScript, _ bool, _ []string) {
	exits(ts, false, []string{"2", "sealwright", "prove", "--request", "request.json", "--params", "keys", "--dev-key", "fpref", "--out", "proof"})
	for _, name := range []string{"proof", ".proof*"} { // the file, or what it is written under
		left, err := filepath.Glob(ts.MkAbs(name))
		ts.Check(err)
		if len(left) > 0 {
			ts.Fatalf("an output is left: %s", left)
		}
	}
}

// notvalid PROOF INPUTS VK wants `verify` to end with 1 and to name the proof.
func notValid(ts *testscript.TestScript, _ bool, args []string) {
	exits(ts, false, []string{"1", "sealwright", "verify", "--proof", args[0], "--inputs", args[1], "--vk", args[2]})
	if stderr := ts.ReadFile("stderr"); !strings.Contains(stderr, args[0]) {
		ts.Fatalf("want %s to be named on stderr, got:\n%s", args[0], stderr)
	}
}

// unhex FILE OUT writes the bytes that a file has in hex.
func unhex(ts *testscript.TestScript, _ bool, args []string) {
	data, err := hex.DecodeString(strings.TrimSpace(ts.ReadFile(args[0])))
	ts.Check(err)
	write(ts, args[1], data)
}

// copykey makes the folder keys a copy of good.
func copykey(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Check(os.RemoveAll(ts.MkAbs("keys")))
	ts.Check(os.CopyFS(ts.MkAbs("keys"), os.DirFS(ts.MkAbs("good"))))
}

// twoprocesses wants stdout to tell of a host and an engine that are two.
func twoProcesses(ts *testscript.TestScript, _ bool, _ []string) {
	pids := regexp.MustCompile(`"host_pid":(\d+),"engine_pid":(\d+)`).FindStringSubmatch(ts.ReadFile("stdout"))
	if pids == nil || pids[1] == pids[2] {
		ts.Fatalf("want two processes, got %v", pids)
	}
}

// size FILE BYTES wants a file of that size.
func size(ts *testscript.TestScript, _ bool, args []string) {
	data, want := readAndInt(ts, append(args, ""), "size FILE BYTES")
	if len(data) != want {
		ts.Fatalf("%s has %d bytes, want %d", args[0], len(data), want)
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
