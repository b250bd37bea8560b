package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const wholeConfig = `
socket  = "/run/x/s.sock"
metrics = "127.0.0.1:9830"
drain   = "90s"

[engine]
path = "/usr/lib/engine"
device = "GPU-1"
threads = 4
permits = 2
policy = "bytes-only"

[memory]
host = "64GiB"
device = "20GiB"

[keys]
dir = "/keys"
dev_key = "fpref"

[jobs]
max = 10
running = 2
keep = 5
orphan_grace = "1m"

[log]
level = "debug"
format = "json"
`

func TestServeConfig(t *testing.T) {
	got, err := parseServeConfig(wholeConfig)
	if err != nil {
		t.Fatal(err)
	}
	want := serveConfig{
		Socket: "/run/x/s.sock", Metrics: "127.0.0.1:9830", Drain: duration{90 * time.Second},
		Engine: engineConfig{Path: "/usr/lib/engine", Device: "GPU-1", Threads: 4, Permits: 2, Policy: "bytes-only"},
		Memory: memoryConfig{Host: "64GiB", Device: "20GiB"}, Keys: keysConfig{Dir: "/keys", DevKey: "fpref"},
		Jobs: jobsConfig{Max: 10, Running: 2, Keep: 5, OrphanGrace: duration{time.Minute}}, Log: logConfig{Level: "debug", Format: "json"},
	}
	if got != want {
		t.Errorf("configuration is\n%+v, want\n%+v", got, want)
	}
	for _, key := range knownKeys() {
		if last := key[strings.LastIndex(key, ".")+1:]; !strings.Contains(wholeConfig, last) {
			t.Errorf("this test does not set %s", key)
		}
	}
}

func TestServeConfigDefaults(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", "/run/user/7")
	got, err := parseServeConfig("[engine]\npermits = 3\n")
	if err != nil {
		t.Fatal(err)
	}
	want := defaultServeConfig()
	want.Engine.Permits = 3
	if got != want || got.Socket != "/run/user/7/sealwright/sealwright.sock" || got.Memory.Host != "auto" {
		t.Errorf("configuration is %+v, want %+v", got, want)
	}
}

func TestServeConfigErrors(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"sokcet = \"x\"\n", `line 1: unknown key "sokcet"; the nearest that there is: "socket"`},
		{"# one\n\n[engine]\nthreads = 2\npermit = 1\n", `line 5: unknown key "engine.permit"; the nearest that there is: "engine.permits"`},
		{"[engin]\npath = \"x\"\n", `line 1: unknown key "engin"; the nearest that there is: "engine"`},
		{"[memory]\nhosts = [\n1,\n]\n", `line 4: unknown key "memory.hosts"; the nearest that there is: "memory.host"`},
		{"drain = 5\n", `line 1 (last key "drain"): found "5", want a time such as`},
		{"socket = \"a\"\ndrain = \"soon\"\n", `line 2 (last key "drain"): found "soon", want a time`},
		{"drain = \"-1s\"\n", `found "-1s", want a time such as 90s or 5m`},
		{"[engine]\nthreads = \"two\"\n", `line 2 (last key "engine.threads"): incompatible types`},
		{"socket = \"a\"\nsocket = \"b\"\n", `line 2`},
		{"socket = \n", `line 1`},
		{"\x00", `line 1`},
	} {
		_, err := parseServeConfig(c.in)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: error %v, want one line with %q", c.in, err, c.want)
		}
	}
	if _, err := readServeConfig(filepath.Join(t.TempDir(), "none")); codeOf(err) != exitEnvironment {
		t.Errorf("a file that there is not: %v ends with %d", err, codeOf(err))
	}
}

// TestDocsNameEveryKey holds docs/cli.md against the configuration.
func TestDocsNameEveryKey(t *testing.T) {
	text, err := os.ReadFile("../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	keys := knownKeys()
	for _, key := range keys {
		table := slices.ContainsFunc(keys, func(other string) bool { return strings.HasPrefix(other, key+".") })
		if !table && !strings.Contains(string(text), "`"+key+"`") {
			t.Errorf("docs/cli.md does not name the key %q", key)
		}
	}
}

// FuzzServeConfig holds that a configuration of any bytes is read or refused in
// one line.
func FuzzServeConfig(f *testing.F) {
	f.Add(wholeConfig)
	f.Add("a.b.c = { d = 1 }\n")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<10 {
			return
		}
		if _, err := parseServeConfig(text); err != nil && err.Error() == "" {
			t.Error("an error without words")
		}
	})
}

func TestHostBytes(t *testing.T) {
	for text, want := range map[string]int64{"none": 0, "4GiB": 4 << 30} {
		if got, why, err := hostBytes(text); err != nil || got != want || why == "" {
			t.Errorf("%q: %d because of %q, %v, want %d", text, got, why, err, want)
		}
	}
	if got, why, err := hostBytes("auto"); err != nil || got <= 0 || !strings.Contains(why, "less a margin") {
		t.Errorf("auto: %d because of %q, %v", got, why, err)
	}
	if _, _, err := hostBytes("much"); codeOf(err) != exitEnvironment {
		t.Errorf("a size that is none: %v", err)
	}
}
