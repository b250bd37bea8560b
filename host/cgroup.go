package host

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// noLimit is from where on a number in a cgroup file means none: version 1 writes
// the largest whole number of pages.
const noLimit = 1 << 60

// cgroupLimits returns every memory limit of the cgroups that a process is in
// and of those above them. Self is the process's cgroup file; mount is where the
// hierarchies are mounted, as systemd and containers do: version 2 there or, beside
// version 1, in unified; version 1 in memory.
func cgroupLimits(self, mount string) ([]MemoryLimit, error) {
	text, err := os.ReadFile(self)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // a kernel without cgroups
	}
	if err != nil {
		return nil, err
	}
	var limits []MemoryLimit
	for line := range strings.Lines(string(text)) {
		number, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		controllers, group, ok := strings.Cut(rest, ":")
		switch {
		case !ok:
		case number == "0" && controllers == "":
			limits = append(limits, walkUp(mount, group, limitsV2)...)
			limits = append(limits, walkUp(filepath.Join(mount, "unified"), group, limitsV2)...)
		case slices.Contains(strings.Split(controllers, ","), "memory"):
			limits = append(limits, walkUp(filepath.Join(mount, "memory"), group, limitsV1)...)
		}
	}
	return limits, nil
}

// walkUp collects the limits of a cgroup and of all above it. Where the group's
// own folder is not there, since a container sees its group as the root, what is
// there still counts.
func walkUp(root, group string, limitsOf func(folder string) []MemoryLimit) (limits []MemoryLimit) {
	for group = path.Clean("/" + group); ; group = path.Dir(group) {
		limits = append(limits, limitsOf(filepath.Join(root, group))...)
		if group == "/" {
			return limits
		}
	}
}

// limitsV2 reads a version 2 cgroup: beyond memory.max the kernel kills, beyond
// memory.high it makes the group wait.
func limitsV2(folder string) (limits []MemoryLimit) {
	for _, name := range []string{"memory.max", "memory.high"} {
		file := filepath.Join(folder, name)
		if text, err := os.ReadFile(file); err == nil { // not there: no limit
			limits = appendLimit(limits, file, string(text))
		}
	}
	return limits
}

// limitsV1 reads a version 1 cgroup. Its memory.stat tells of the groups above
// also where they are hidden.
func limitsV1(folder string) (limits []MemoryLimit) {
	file := filepath.Join(folder, "memory.limit_in_bytes")
	if text, err := os.ReadFile(file); err == nil {
		limits = appendLimit(limits, file, string(text))
	}
	file = filepath.Join(folder, "memory.stat")
	text, err := os.ReadFile(file)
	if err != nil {
		return limits
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, "hierarchical_memory_limit "); ok {
			limits = appendLimit(limits, file+" hierarchical_memory_limit", value)
		}
	}
	return limits
}

// appendLimit adds a limit, unless the text says that there is none.
func appendLimit(limits []MemoryLimit, source, text string) []MemoryLimit {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil || n < 0 || n >= noLimit { // "max", or a number that means it
		return limits
	}
	return append(limits, MemoryLimit{Bytes: n, Source: source})
}
