package main

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
)

// serveConfig is the daemon's configuration file, TOML. A key that it does not
// name is an error.
type serveConfig struct {
	Socket  string   `toml:"socket"`
	Metrics string   `toml:"metrics"` // loopback address; empty: none
	Drain   duration `toml:"drain"`

	Engine engineConfig `toml:"engine"`
	Memory memoryConfig `toml:"memory"`
	Keys   keysConfig   `toml:"keys"`
	Jobs   jobsConfig   `toml:"jobs"`
	Log    logConfig    `toml:"log"`
}

type engineConfig struct {
	Path    string `toml:"path"`
	Device  string `toml:"device"`
	Threads int    `toml:"threads"`
	Permits int    `toml:"permits"`
	Policy  string `toml:"policy"`
}

type memoryConfig struct {
	Host   string `toml:"host"`   // "auto", "none" or a size
	Device string `toml:"device"` // "none" or a size
}

type keysConfig struct {
	Dir    string `toml:"dir"`
	DevKey string `toml:"dev_key"` // INSECURE
}

type jobsConfig struct {
	Max         int      `toml:"max"`
	Running     int      `toml:"running"`
	Keep        int      `toml:"keep"`
	OrphanGrace duration `toml:"orphan_grace"`
}

type logConfig struct {
	Level  string `toml:"level"`  // debug, info, warn, error
	Format string `toml:"format"` // text, json
}

// duration is a time.Duration that is written as "90s" or "5m", never as a bare
// number.
type duration struct{ time.Duration }

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *duration) UnmarshalText(text []byte) (err error) {
	if d.Duration, err = time.ParseDuration(string(text)); err != nil || d.Duration < 0 {
		return fmt.Errorf("found %q, want a time such as 90s or 5m", text)
	}
	return nil
}

// defaultServeConfig is what holds where neither file nor flag says anything;
// what is zero here, the host decides.
func defaultServeConfig() serveConfig {
	return serveConfig{
		Socket: defaultSocket(), Drain: duration{5 * time.Minute},
		Memory: memoryConfig{Host: "auto", Device: "none"}, Log: logConfig{Level: "info", Format: "text"},
	}
}

// readServeConfig reads a configuration file over the defaults.
func readServeConfig(path string) (serveConfig, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return serveConfig{}, environment(fmt.Errorf("read configuration: %w", err))
	}
	c, err := parseServeConfig(string(text))
	if err != nil {
		return c, environment(fmt.Errorf("read %s: %w", path, err))
	}
	return c, nil
}

func parseServeConfig(text string) (serveConfig, error) {
	c := defaultServeConfig()
	meta, err := toml.Decode(text, &c)
	if err != nil {
		return c, errors.New(strings.TrimPrefix(err.Error(), "toml: ")) // line, key and what is wrong
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		key := unknown[0].String()
		return c, fmt.Errorf("line %d: unknown key %q; the nearest that there is: %q", lineOfKey(text, unknown[0]), key, nearest(key, knownKeys()))
	}
	return c, nil
}

// lineOfKey returns the line on which a key is defined: the first whose reading
// makes it known. A value of several lines counts as its last.
func lineOfKey(text string, key toml.Key) int {
	var c serveConfig
	lines := strings.SplitAfter(text, "\n")
	for n := range lines {
		meta, err := toml.Decode(strings.Join(lines[:n+1], ""), &c)
		if err == nil && meta.IsDefined(key...) {
			return n + 1
		}
	}
	return len(lines)
}

// knownKeys lists the keys of serveConfig, with their tables.
func knownKeys() []string {
	var keys []string
	var walk func(prefix string, t reflect.Type)
	walk = func(prefix string, t reflect.Type) {
		for i := range t.NumField() {
			f := t.Field(i)
			name := prefix + f.Tag.Get("toml")
			keys = append(keys, name)
			if f.Type.Kind() == reflect.Struct && f.Type != reflect.TypeFor[duration]() {
				walk(name+".", f.Type)
			}
		}
	}
	walk("", reflect.TypeFor[serveConfig]())
	return keys
}

// nearest returns the name with the fewest edits to make it of another.
func nearest(wanted string, names []string) string {
	best, least := "", len(wanted)+1<<10
	for _, name := range names {
		if d := edits(wanted, name); d < least {
			best, least = name, d
		}
	}
	return best
}

// edits counts the bytes to put in, take out or change to make b of a
// (Levenshtein's distance).
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
