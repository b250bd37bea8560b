// Package sealwright_test holds the house's own rules: who may import whom, what
// builds without cgo, how long a file may get.
package sealwright_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/sealwright/sealwright"

// rule says what the packages of ours that match of may import. Patterns are
// paths, of ours without the module's name; a pattern ending in /... takes the
// path itself and all below it.
type rule struct {
	of     []string
	except []string // of these the rule does not hold

	ours   []string // direct imports from this module: these alone; nil: any
	others []string // direct imports from other modules: these alone; nil: any
	never  []string // not even through others

	why string
}

var (
	none  = []string{}
	rules = []rule{
		{
			of: []string{"sdk"}, ours: none, others: none,
			why: "a vendor takes the contract without taking anybody's code",
		},
		{
			of: []string{"sdk/..."}, except: []string{"sdk/conformance"}, ours: []string{"sdk/..."},
			why: "the SDK stands without the product",
		},
		{
			of: []string{"sdk/conformance"}, ours: []string{"sdk/...", "porep", "porep/circuit", "porep/groth16"},
			why: "conformance makes its inputs with the prover and checks with the verifier, and needs no more",
		},
		{
			of: []string{"host/..."}, never: []string{"cuda/...", "github.com/ebitengine/purego/...", "github.com/NVIDIA/go-nvml/..."},
			why: "no code that can touch a driver is linked into the process that must live",
		},
		{
			of: []string{"host"}, never: []string{"plugin/...", "sdk/cpu"},
			why: "the host talks to engines, it does not compute",
		},
		{
			of: []string{"host"}, never: []string{"host/...", "github.com/prometheus/...", "github.com/BurntSushi/..."},
			why: "a program that embeds a host links no servers: those are host/daemon's",
		},
		{
			of: []string{"host/sealwright"}, ours: []string{"host/...", "porep/...", "plugin/pipeline", "sdk", "sdk/conformance", "sdk/cpu"},
			why: "main may simulate the pipeline, run conformance and make development keys; serving engines is the plugin's",
		},
		{
			of: []string{"host/cuzkpb", "host/adminpb", "sdk/enginepb"}, ours: none,
			why: "a wire depends on nothing",
		},
		{
			of: []string{"porep/..."}, ours: []string{"porep/...", "sdk"}, never: []string{"cuda/...", "host/...", "plugin/...", "sdk/cpu"},
			why: "proofs know the contract, not who computes nor who asks",
		},
		{
			of: []string{"cuda/..."}, never: []string{"porep/...", "host/..."},
			why: "kernels know vectors, points and circuits as data, not sectors",
		},
		{
			of: []string{"plugin/pipeline"}, ours: []string{"sdk"}, others: []string{"golang.org/x/sync/..."},
			why: "admission and policy are one pure state machine",
		},
		{
			of: []string{"plugin"}, ours: []string{"sdk", "sdk/enginepb", "plugin/pipeline", "porep/..."},
			never: []string{"cuda/...", "host/...", "sdk/cpu"},
			why:   "the engine's side knows no backend: mains wire one in",
		},
		{
			of: []string{"examples/..."}, ours: []string{"sdk/...", "plugin", "host"},
			why: "an example imports what a stranger can",
		},
	}
)

// listed is what go list tells of a package.
type listed struct {
	ImportPath string
	Standard   bool
	Imports    []string
	Deps       []string
}

func TestImportRules(t *testing.T) {
	packages := list(t)
	var seen int
	for path, p := range packages {
		if !ours(path) {
			continue
		}
		seen++
		for _, r := range rules {
			if matchAny(r.of, path) && !matchAny(r.except, path) {
				check(t, packages, p, r)
			}
		}
		if path := relative(path); path != "cuda/driver" && slices.Contains(p.Imports, "C") {
			t.Errorf("%s uses cgo: only cuda/driver may", path)
		}
	}
	if seen < 10 {
		t.Errorf("go list told of %d packages of %s, want the whole tree", seen, module)
	}
}

func check(t *testing.T, packages map[string]listed, p listed, r rule) {
	t.Helper()
	for _, i := range p.Imports {
		allowed := r.others
		if ours(i) {
			allowed = r.ours
		}
		if i != "C" && !packages[i].Standard && allowed != nil && !matchAny(allowed, i) {
			t.Errorf("%s imports %s: %s", relative(p.ImportPath), relative(i), r.why)
		}
	}
	for _, d := range p.Deps {
		if matchAny(r.never, d) {
			t.Errorf("%s depends on %s: %s", relative(p.ImportPath), relative(d), r.why)
		}
	}
}

// list returns every package of ours and all they depend on, tests apart.
func list(t *testing.T) map[string]listed {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-json=ImportPath,Standard,Imports,Deps", "./...")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	packages := make(map[string]listed)
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return packages
		case err != nil:
			t.Fatalf("read go list's answer: %v", err)
		}
		packages[p.ImportPath] = p
	}
}

func ours(path string) bool { return path == module || strings.HasPrefix(path, module+"/") }

func relative(path string) string { return strings.TrimPrefix(path, module+"/") }

func matchAny(patterns []string, path string) bool {
	path = relative(path)
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		under, tree := strings.CutSuffix(pattern, "/...")
		return path == under || tree && strings.HasPrefix(path, under+"/")
	})
}

func TestPatternsMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"sdk", module + "/sdk", true},
		{"sdk", module + "/sdk/cpu", false},
		{"sdk/...", module + "/sdk", true},
		{"sdk/...", module + "/sdk/cpu", true},
		{"sdk/...", module + "/sdkx", false},
		{"golang.org/x/sync/...", "golang.org/x/sync/semaphore", true},
	} {
		if got := matchAny([]string{c.pattern}, c.path); got != c.want {
			t.Errorf("match %q, %q: %v, want %v", c.pattern, c.path, got, c.want)
		}
	}
}
