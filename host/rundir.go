package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

const (
	runDirPrefix = "sealwright-" // then the host's pid, a dash, and what makes it unique
	// maxSocketPath is what the kernel takes; socketTail is what go-plugin puts
	// behind the run folder: "/plugin-dir0123456789/plugin0123456789".
	maxSocketPath = 107
	socketTail    = 40
	// runDirTail is the longest name of a run folder, with its slash: prefix, pid,
	// dash, ten digits.
	runDirTail = 1 + len(runDirPrefix) + 7 + 1 + 10
)

// makeRunDir makes the host's private folder for engines' sockets under base,
// after removing those that dead hosts of this user have left there.
func makeRunDir(base string) (string, error) {
	if base == "" {
		base = defaultRunBase()
	}
	sweepRunDirs(base)
	dir, err := os.MkdirTemp(base, runDirPrefix+strconv.Itoa(os.Getpid())+"-") // 0700
	if err != nil {
		return "", fmt.Errorf("make run folder: %w", err)
	}
	if len(dir)+socketTail > maxSocketPath {
		err := fmt.Errorf("make run folder: %s is too long for a socket: %d bytes, at most %d fit", dir, len(dir), maxSocketPath-socketTail)
		return "", errors.Join(err, os.Remove(dir))
	}
	return dir, nil
}

// defaultRunBase is the user's runtime folder where there is one, else the
// folder of temporary files. One whose name leaves no room for a socket's is
// passed over: it may be long for reasons that are not ours (a TMPDIR of a job
// or test), and /tmp is always short.
func defaultRunBase() string {
	for _, dir := range []string{os.Getenv("XDG_RUNTIME_DIR"), os.TempDir()} {
		info, err := os.Stat(dir)
		if err == nil && info.IsDir() && len(dir)+runDirTail+socketTail <= maxSocketPath {
			return dir
		}
	}
	return "/tmp"
}

// sweepRunDirs removes what dead hosts left. What cannot be removed stays: it
// is in nobody's way.
func sweepRunDirs(base string) {
	entries, err := os.ReadDir(base)
	if err != nil {
		return
	}
	for _, e := range entries {
		rest, ok := strings.CutPrefix(e.Name(), runDirPrefix)
		number, _, dashed := strings.Cut(rest, "-")
		pid, err := strconv.Atoi(number)
		if !ok || !dashed || err != nil || !e.IsDir() || pid == os.Getpid() || processExists(pid) {
			continue
		}
		if info, err := e.Info(); err == nil && ownedByUs(info) {
			_ = os.RemoveAll(filepath.Join(base, e.Name()))
		}
	}
}

func processExists(pid int) bool {
	return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}

func ownedByUs(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}
