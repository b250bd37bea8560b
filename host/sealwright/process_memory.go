package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// procRoot is where the kernel tells of processes.
const procRoot = "/proc"

// processMemory is the resident memory of a process, in bytes (proc(5), status).
type processMemory struct {
	Anon, Shared, File int64
	HighWater          int64 // of all three together
}

// owned is the memory that no file backs: what a process really takes.
func (m processMemory) owned() int64 { return m.Anon + m.Shared }

// readProcessMemory reads what the kernel tells of a process below root.
func readProcessMemory(root string, pid int) (processMemory, error) {
	path := filepath.Join(root, strconv.Itoa(pid), "status")
	data, err := os.ReadFile(path)
	if err != nil {
		return processMemory{}, fmt.Errorf("read memory of process %d: %w", pid, err)
	}
	var m processMemory
	fields := map[string]*int64{"RssAnon": &m.Anon, "RssShmem": &m.Shared, "RssFile": &m.File, "VmHWM": &m.HighWater}
	found := 0
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		name, value, _ := bytes.Cut(lines.Bytes(), []byte(":"))
		field := fields[string(name)]
		if field == nil {
			continue
		}
		kib, unit, _ := bytes.Cut(bytes.TrimSpace(value), []byte(" "))
		n, err := strconv.ParseInt(string(kib), 10, 64)
		if err != nil || string(unit) != "kB" {
			return processMemory{}, fmt.Errorf("read %s: %s is %q, expected a number of kB", path, name, value)
		}
		*field = n << 10
		found++
	}
	if found != len(fields) {
		return processMemory{}, fmt.Errorf("read %s: found %d of its %d lines of resident memory", path, found, len(fields))
	}
	return m, nil
}
