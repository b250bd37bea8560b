package srs

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/sealwright/sealwright/porep/groth16"
)

// File is an open proving key file, mapped read-only. It may be shared by
// goroutines; what Key returns must not be used after Close.
type File struct {
	path     string
	data     []byte
	sections []Section
	key      *groth16.ProvingKey
}

// Open maps a proving key file and reads its section table. Every point of the
// verifying key is checked and every count, but no point of the sections: see
// CheckPoints and the digests.
func Open(path string) (*File, error) {
	data, err := mapFile(path)
	if err != nil {
		return nil, fmt.Errorf("open proving key: %w", err)
	}
	f := &File{path: path, data: data}
	vk, sections, err := parseKey(data)
	if err != nil {
		return nil, errors.Join(named(err, path), f.Close())
	}
	f.sections = sections
	f.key = &groth16.ProvingKey{
		VK: vk, H: sections[0].Bases, L: sections[1].Bases, A: sections[2].Bases, B1: sections[3].Bases, B2: sections[4].Bases,
	}
	return f, nil
}

// OpenVK reads a verifying key file.
func OpenVK(path string) (*groth16.VerifyingKey, error) {
	data, err := readVK(path)
	if err != nil {
		return nil, err
	}
	return parseVK(data, path)
}

// maxVKBytes is far above any verifying key: one of 10,000 inputs.
const maxVKBytes = 1 << 20

func readVK(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("open verifying key: %w", err)
	}
	if info.IsDir() || info.Size() > maxVKBytes {
		return nil, fmt.Errorf("open verifying key %s: expected a file of at most %d bytes, found %s of %d",
			path, maxVKBytes, info.Mode().Type(), info.Size())
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("open verifying key: %w", err)
	}
	return data, nil
}

func parseVK(data []byte, path string) (*groth16.VerifyingKey, error) {
	if err := checkLooks(data); err != nil {
		return nil, named(err, path)
	}
	vk, err := groth16.ParseVerifyingKey(data)
	if err != nil {
		return nil, named(err, path)
	}
	return vk, nil
}

// Key returns the proving key. Its points lie in the mapped file until Close.
func (f *File) Key() *groth16.ProvingKey { return f.key }

// Path returns the path that the file was opened by.
func (f *File) Path() string { return f.path }

// Size returns the file's size in bytes.
func (f *File) Size() int64 { return int64(len(f.data)) }

// Sections returns the file's sections in order.
func (f *File) Sections() []Section { return f.sections }

// VKBytes returns the bytes of the verifying key that the file begins with: what
// the `.vk` file beside it holds.
func (f *File) VKBytes() []byte {
	n := groth16.VerifyingKeyBytes(len(f.key.VK.IC))
	return f.data[:n:n]
}

// Match holds the key's sections against those that a circuit needs.
func (f *File) Match(want groth16.Counts) error {
	got := f.key.Counts()
	for _, s := range []struct {
		name      string
		got, want int
	}{{"ic", got.IC, want.IC}, {"h", got.H, want.H}, {"l", got.L, want.L}, {"a", got.A, want.A}, {"b_g1", got.B, want.B}} {
		if s.got != s.want {
			return &groth16.KeyError{
				File: f.path, Section: s.name, Offset: f.countOffset(s.name),
				Expected: fmt.Sprintf("%d points for this circuit", s.want), Found: fmt.Sprint(s.got),
			}
		}
	}
	return nil
}

func (f *File) countOffset(name string) int64 {
	for _, s := range f.sections {
		if s.Name == name {
			return s.Offset - groth16.CountBytes
		}
	}
	return int64(groth16.VerifyingKeyBytes(0)) - groth16.CountBytes
}

// Close unmaps the file. Closing twice does nothing.
func (f *File) Close() error {
	data := f.data
	f.data, f.sections, f.key = nil, nil, nil
	if data == nil {
		return nil
	}
	if err := syscall.Munmap(data); err != nil {
		return fmt.Errorf("unmap %s: %w", f.path, err)
	}
	return nil
}

// mapFile maps a file read-only. An empty file gives no bytes and no mapping.
func mapFile(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: expected a regular file, found %s", path, info.Mode().Type())
	}
	if info.Size() == 0 {
		return nil, nil
	}
	data, err := syscall.Mmap(int(file.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map %s: %w", path, err)
	}
	return data, nil
}

// named puts the file's path into an error about its bytes.
func named(err error, path string) error {
	var ke *groth16.KeyError
	if errors.As(err, &ke) {
		ke.File = path
	}
	return err
}
