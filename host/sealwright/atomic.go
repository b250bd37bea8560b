package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// outFile is a file that appears whole under its name or not at all.
type outFile struct {
	path string
	file *os.File
}

// createOut opens a temporary file beside path, so that a folder that is missing
// or may not be written shows before any work is done.
func createOut(path string) (*outFile, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, environment(fmt.Errorf("write %s: it is a folder, want a file's name", path))
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return nil, environment(fmt.Errorf("write %s: %w", path, err))
	}
	return &outFile{path, f}, nil
}

// commit writes the file by fill and gives it its name.
func (o *outFile) commit(fill func(io.Writer) error) error {
	err := fill(o.file)
	if err == nil {
		err = o.file.Chmod(0o644)
	}
	if err == nil {
		err = o.file.Sync()
	}
	err = errors.Join(err, o.file.Close())
	if err == nil {
		err = os.Rename(o.file.Name(), o.path)
	}
	if err != nil {
		return environment(fmt.Errorf("write %s: %w", o.path, err))
	}
	return nil
}

// discard removes the temporary file; after commit it does nothing.
func (o *outFile) discard() {
	o.file.Close()
	_ = os.Remove(o.file.Name()) // after commit there is none
}

// writeFile writes data to path whole or not at all.
func writeFile(path string, data []byte) error {
	out, err := createOut(path)
	if err != nil {
		return err
	}
	defer out.discard()
	return out.commit(func(w io.Writer) error { _, err := w.Write(data); return err })
}
