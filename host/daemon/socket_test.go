package daemon

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestListenUnix(t *testing.T) {
	dir := shortTempDir(t)
	path := filepath.Join(dir, "new", "s.sock")
	s, err := listenUnix(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{filepath.Dir(path): 0o700, path: 0o600} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v, expected mode %o", name, info.Mode(), err, want)
		}
	}
	if _, err := listenUnix(path); err == nil || !strings.Contains(err.Error(), "listen on "+path+": another daemon serves it already") {
		t.Errorf("a second daemon: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(path); !os.IsNotExist(err) {
		t.Errorf("the socket is left: %v", err)
	}
}

func TestListenUnixReplacesStaleSocket(t *testing.T) {
	path := filepath.Join(shortTempDir(t), "s.sock")
	left, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := listenUnix(path); err == nil || !strings.Contains(err.Error(), "another process serves it already") {
		t.Errorf("a socket that somebody serves: %v", err)
	}
	left.(*net.UnixListener).SetUnlinkOnClose(false) // as a killed process leaves it
	if err := left.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := listenUnix(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestListenUnixRefuses(t *testing.T) {
	dir := shortTempDir(t)
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	open := filepath.Join(dir, "open")
	if err := os.Mkdir(open, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		file:                          "there is a file that is no socket",
		filepath.Join(open, "s.sock"): "may be written by others (mode drwxrwxrwx), expected 0700",
		filepath.Join(file, "s.sock"): "make its folder",
		filepath.Join(dir, strings.Repeat("x", 120)): "at most 107 fit a socket",
	} {
		if _, err := listenUnix(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected one with %q", path, err, want)
		}
	}
	if data, err := os.ReadFile(file); err != nil || string(data) != "x" {
		t.Errorf("the file is touched: %q, %v", data, err)
	}
}
