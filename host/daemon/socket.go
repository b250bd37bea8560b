package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
)

// maxSocketPath is what the kernel takes.
const maxSocketPath = 107

// socket is a unix socket that this process alone serves. A lock on a file
// beside it, which the kernel frees with the process, keeps others away.
type socket struct {
	net.Listener
	lock *os.File
}

// listenUnix listens on path: a socket of mode 0600, in a folder that is made with
// mode 0700 where it is missing. A socket that nobody serves is replaced; one that
// somebody serves is an error that names it.
func listenUnix(path string) (_ *socket, err error) {
	if len(path) > maxSocketPath {
		return nil, fmt.Errorf("listen on %s: the path has %d bytes, at most %d fit a socket", path, len(path), maxSocketPath)
	}
	if err := makeSocketFolder(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("listen on %s: %w", path, err)
	}
	lock, err := lockBeside(path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = lock.Close()
		}
	}()
	if err := removeStale(path); err != nil {
		return nil, err
	}
	mask := syscall.Umask(0o177) // the socket is never open to others, not even at first
	listener, err := net.Listen("unix", path)
	syscall.Umask(mask)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", path, err)
	}
	return &socket{listener, lock}, nil
}

// Close implements net.Listener: it removes the socket and frees the lock.
func (s *socket) Close() error {
	return errors.Join(s.Listener.Close(), s.lock.Close())
}

// makeSocketFolder makes the folder, or checks that nobody else can put
// something in the socket's place.
func makeSocketFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make its folder: %w", err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("look at its folder: %w", err)
	}
	if mode := info.Mode(); mode.Perm()&0o022 != 0 {
		return fmt.Errorf("folder %s may be written by others (mode %s), expected 0700", dir, mode)
	}
	return nil
}

func lockBeside(path string) (*os.File, error) {
	lock, err := os.OpenFile(path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = lock.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("listen on %s: another daemon serves it already", path)
		}
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return lock, nil
}

// removeStale removes a socket that a dead process has left.
func removeStale(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("listen on %s: %w", path, err)
	case info.Mode().Type() != fs.ModeSocket:
		return fmt.Errorf("listen on %s: there is a file that is no socket (mode %s)", path, info.Mode())
	}
	conn, err := net.DialTimeout("unix", path, dialTimeout)
	switch {
	case err == nil:
		_ = conn.Close()
		return fmt.Errorf("listen on %s: another process serves it already", path)
	case !errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("listen on %s: find out whether somebody serves it: %w", path, err)
	}
	if err := os.Remove(path); err != nil {
		return fmt.Errorf("remove stale socket: %w", err)
	}
	return nil
}
