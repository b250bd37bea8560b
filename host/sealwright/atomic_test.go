package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func TestOutFileIsWholeOrNotThere(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "proof")
	out, err := createOut(path)
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err = out.commit(func(w io.Writer) error {
		if _, err := io.WriteString(w, "half"); err != nil {
			t.Error(err)
		}
		return broken
	})
	out.discard()
	if !errors.Is(err, broken) || codeOf(err) != exitEnvironment {
		t.Errorf("error %v with code %d", err, codeOf(err))
	}
	if names := list(t, dir); len(names) != 0 {
		t.Errorf("left behind: %v", names)
	}

	if err := writeFile(path, []byte("whole")); err != nil {
		t.Fatal(err)
	}
	if names := list(t, dir); len(names) != 1 || names[0] != "proof" {
		t.Errorf("files: %v, want proof alone", names)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "whole" {
		t.Errorf("read %q, %v", data, err)
	}
}

func TestOutFileNeedsItsFolder(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{dir, filepath.Join(dir, "no", "proof")} {
		if _, err := createOut(path); codeOf(err) != exitEnvironment {
			t.Errorf("%s: %v, want an error of the environment", path, err)
		}
	}
	if names := list(t, dir); len(names) != 0 {
		t.Errorf("left behind: %v", names)
	}
}

func list(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
