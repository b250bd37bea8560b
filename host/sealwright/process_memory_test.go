package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const statusText = "Name:\tengine\nVmHWM:\t  900 kB\nVmRSS:\t  600 kB\nRssAnon:\t  300 kB\nRssFile:\t  200 kB\nRssShmem:\t  100 kB\nThreads:\t9\n"

func TestReadProcessMemory(t *testing.T) {
	for name, c := range map[string]struct{ text, wrong string }{
		"whole":      {text: statusText},
		"no line":    {strings.Replace(statusText, "RssAnon", "Other", 1), "found 3 of its 4 lines"},
		"other unit": {strings.Replace(statusText, "300 kB", "300 MB", 1), `RssAnon is "\t  300 MB", expected a number of kB`},
		"no number":  {strings.Replace(statusText, "300 kB", "many kB", 1), "RssAnon"},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			if err := os.MkdirAll(filepath.Join(root, "7"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(root, "7", "status"), []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			m, err := readProcessMemory(root, 7)
			if c.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), c.wrong) {
					t.Errorf("error %v, want one with %q", err, c.wrong)
				}
				return
			}
			want := processMemory{Anon: 300 << 10, Shared: 100 << 10, File: 200 << 10, HighWater: 900 << 10}
			if err != nil || m != want || m.owned() != 400<<10 {
				t.Errorf("%+v, %v, want %+v", m, err, want)
			}
		})
	}
	if _, err := readProcessMemory(t.TempDir(), 7); err == nil {
		t.Error("memory of no process")
	}
	if m, err := readProcessMemory(procRoot, os.Getpid()); err != nil || m.Anon == 0 || m.HighWater < m.Anon {
		t.Errorf("this process: %+v, %v", m, err)
	}
}
