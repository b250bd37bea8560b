package sealwright_test

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestHostBuildsWithoutCgo holds that the process that must live is plain Go.
func TestHostBuildsWithoutCgo(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library once more")
	}
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", t.TempDir(), "./host/sealwright")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("CGO_ENABLED=0 go build ./host/...: %v\n%s", err, out)
	}
}

// TestFilesStayShort holds the longest file that may be.
func TestFilesStayShort(t *testing.T) {
	limits := map[string]int{".go": 500, ".cu": 600, ".cuh": 600}
	for path, text := range sources(t) {
		limit, ok := limits[filepath.Ext(path)]
		if !ok || strings.HasSuffix(path, ".pb.go") || strings.HasSuffix(path, "_gen.go") || strings.HasSuffix(path, "_gen.cuh") {
			continue
		}
		if lines := bytes.Count(text, []byte("\n")); lines > limit {
			t.Errorf("%s has %d lines, at most %d", path, lines, limit)
		}
	}
}

// machinePath finds absolute paths that exist on somebody's machine alone.
var machinePath = regexp.MustCompile(`(^|[\s"'=(` + "`" + `])/(work|root|Users)/`)

// TestNoMachinePaths holds that a clone needs nothing beside itself.
func TestNoMachinePaths(t *testing.T) {
	for path, text := range sources(t) {
		lines := bufio.NewScanner(bytes.NewReader(text))
		lines.Buffer(nil, 1<<26)
		for n := 1; lines.Scan(); n++ {
			if machinePath.Match(lines.Bytes()) {
				t.Errorf("%s:%d names a path of one machine: %.120s", path, n, lines.Text())
			}
		}
		if err := lines.Err(); err != nil {
			t.Errorf("read %s: %v", path, err)
		}
	}
}

// sources returns the text files that git tracks and those that it would, test
// data apart.
func sources(t *testing.T) map[string][]byte {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		t.Skipf("not in a git checkout: %v", err)
	}
	files := make(map[string][]byte)
	for path := range strings.SplitSeq(strings.TrimRight(string(out), "\x00"), "\x00") {
		if strings.Contains(path, "testdata/") || path == "go.sum" {
			continue
		}
		text, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			continue // removed, not yet committed
		}
		if err != nil {
			t.Fatalf("read %s: %v", path, err)
		}
		files[path] = text
	}
	if len(files) < 20 {
		t.Fatalf("git tells of %d files, want the whole tree", len(files))
	}
	return files
}
