package srs_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sealwright/sealwright/porep/groth16"
	"github.com/sealwright/sealwright/porep/groth16/groth16test"
	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/porep/srs"
	"github.com/sealwright/sealwright/sdk"
	"github.com/sealwright/sealwright/sdk/cpu"
)

// testCase is the circuit of all keys here: 7 inputs.
func testCase() *groth16test.Case { return groth16test.Random(1, 24) }

// testShape is a shape with a key of that circuit's inputs.
var testShape = registry.Shape{CircuitID: "test", Sectors: 1, Challenges: 5, KeyName: "v28-test-key"}

func openCPU(tb testing.TB, bufs sdk.Buffers) *cpu.Device {
	tb.Helper()
	dev, err := cpu.Open(sdk.DeviceConfig{Buffers: bufs, Progress: new(sdk.Progress)})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := dev.Close(); err != nil {
			tb.Error(err)
		}
	})
	return dev
}

// makeParams makes a small key file's bytes.
func makeParams(tb testing.TB) ([]byte, *groth16.SetupResult) {
	tb.Helper()
	bufs := new(sdk.HeapBuffers)
	var out bytes.Buffer
	result, err := groth16.Setup(context.Background(), groth16.SetupConfig{
		Circuit: testCase().Circuit, Trapdoor: groth16.TrapdoorFromLabel("test"), Device: openCPU(tb, bufs), Buffers: bufs,
	}, &out)
	if err != nil {
		tb.Fatal(err)
	}
	return out.Bytes(), result
}

func writeKey(tb testing.TB, data []byte) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "key.params")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

func open(tb testing.TB, path string) *srs.File {
	tb.Helper()
	f, err := srs.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := f.Close(); err != nil {
			tb.Error(err)
		}
	})
	return f
}

// wantError holds that err says each of the texts, in one line.
func wantError(tb testing.TB, err error, texts ...string) {
	tb.Helper()
	if err == nil {
		tb.Errorf("no error, want one with %q", texts)
		return
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			tb.Errorf("error %q does not say %q", err, text)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		tb.Errorf("error %q has several lines", err)
	}
}

func TestOpen(t *testing.T) {
	data, result := makeParams(t)
	path := writeKey(t, data)
	f := open(t, path)
	if f.Path() != path || f.Size() != int64(len(data)) || f.Size() != result.Counts.Bytes() {
		t.Errorf("path %s, size %d", f.Path(), f.Size())
	}
	key := f.Key()
	if got := key.Counts(); got != result.Counts {
		t.Errorf("counts %+v, want %+v", got, result.Counts)
	}
	if !bytes.Equal(key.VK.Bytes(), result.VK.Bytes()) || !bytes.Equal(f.VKBytes(), result.VK.Bytes()) {
		t.Error("verifying key differs")
	}
	end := int64(len(f.VKBytes()))
	for _, s := range f.Sections() {
		if s.Offset != end+groth16.CountBytes {
			t.Errorf("section %s at %d, want %d", s.Name, s.Offset, end+groth16.CountBytes)
		}
		end = s.Offset + int64(len(s.Bases.Data))
		if err := s.Bases.Validate(); err != nil || s.Bases.Encoding != sdk.FileOrder {
			t.Errorf("section %s: %v, encoding %d", s.Name, err, s.Bases.Encoding)
		}
	}
	if err := f.Match(result.Counts); err != nil {
		t.Error(err)
	}
	wrong := result.Counts
	wrong.A++
	wantError(t, f.Match(wrong), path, "section a", "points for this circuit, found")
	if err := f.CheckPoints(t.Context(), 0); err != nil {
		t.Error(err)
	}
}

func TestOpenRefuses(t *testing.T) {
	good, _ := makeParams(t)
	f := open(t, writeKey(t, good))
	offsets := map[string]int{}
	for _, s := range f.Sections() {
		offsets[s.Name] = int(s.Offset)
	}
	edit := func(at int, b byte) []byte {
		data := bytes.Clone(good)
		data[at] ^= b
		return data
	}
	page := "<!DOCTYPE html>\n<html><body>504 Gateway Time-out</body></html>"
	tests := []struct {
		name  string
		data  []byte
		texts []string
	}{
		{"0 bytes", nil, []string{"section header", "an empty file (0 bytes)"}},
		{"HTML page", []byte(page), []string{"looks like an HTML error page, not parameters"}},
		{"long HTML page", []byte("\n " + strings.ToLower(page) + strings.Repeat(" ", 5000)), []string{"looks like an HTML error page"}},
		{"cut in the header", good[:500], []string{"section header, byte 500", "expected at least 868 bytes"}},
		{"cut in ic", good[:868+96], []string{"section ic, byte 864", "found 7"}},
		{"cut in h", good[:offsets["h"]+95], []string{"section h", "cut short"}},
		{"cut before a", good[:offsets["a"]-2], []string{"section a", "expected a count of 4 bytes, found 2 bytes"}},
		{"cut at the end", good[:len(good)-1], []string{"section b_g2", "cut short"}},
		{"longer", append(bytes.Clone(good), 1, 2), []string{"section b_g2", "expected the end of the file, found 2 bytes more"}},
		{"count of h", edit(offsets["h"]-1, 1), []string{"section "}},
		{"count of l", edit(offsets["l"]-4, 0x80), []string{"section l", "cut short or the count is wrong"}},
		{"point of the header", edit(20, 1), []string{"section header, byte 0: expected alpha_g1", "not on the curve"}},
		{"point of ic", edit(868+96+50, 1), []string{"section ic, byte 964: expected point 1", "not on the curve"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := writeKey(t, tt.data)
			_, err := srs.Open(path)
			wantError(t, err, append(tt.texts, path)...)
		})
	}
}

// TestOpenCutAnywhere cuts a key at every tenth byte.
func TestOpenCutAnywhere(t *testing.T) {
	good, _ := makeParams(t)
	dir := t.TempDir()
	step := 97
	if testing.Short() {
		step = 997
	}
	for n := 0; n < len(good); n += step {
		path := filepath.Join(dir, "cut.params")
		if err := os.WriteFile(path, good[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		var ke *groth16.KeyError
		if _, err := srs.Open(path); !errors.As(err, &ke) || ke.File != path || ke.Section == "" {
			t.Fatalf("cut at %d: got %v", n, err)
		}
	}
}

func TestOpenNoFile(t *testing.T) {
	dir := t.TempDir()
	_, err := srs.Open(filepath.Join(dir, "none.params"))
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	_, err = srs.Open(dir)
	wantError(t, err, "expected a regular file, found d")
	_, err = srs.OpenVK(dir)
	wantError(t, err, dir)
}

func TestCheckPointsFindsFlips(t *testing.T) {
	good, _ := makeParams(t)
	f := open(t, writeKey(t, good))
	for _, s := range f.Sections() {
		n := s.Bases.Len()
		i := n / 3
		at := int(s.Offset) + i*s.Bases.PointBytes() + 17
		data := bytes.Clone(good)
		data[at] ^= 0x10
		bad := open(t, writeKey(t, data))
		err := bad.CheckPoints(t.Context(), 0)
		wantError(t, err, "section "+s.Name+", byte ", "a bad point")
		var ke *groth16.KeyError
		if errors.As(err, &ke) && ke.Offset != int64(at-17) {
			t.Errorf("section %s: offset %d, want %d", s.Name, ke.Offset, at-17)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := f.CheckPoints(ctx, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v", err)
	}
}

func TestCheckPointsSample(t *testing.T) {
	good, _ := makeParams(t)
	f := open(t, writeKey(t, good))
	if err := f.CheckPoints(t.Context(), 3); err != nil {
		t.Error(err)
	}
	data := bytes.Clone(good)
	data[len(data)-1] ^= 1 // the last point is always among them
	wantError(t, open(t, writeKey(t, data)).CheckPoints(t.Context(), 1), "section b_g2")
}

func TestCloseTwice(t *testing.T) {
	data, _ := makeParams(t)
	f, err := srs.Open(writeKey(t, data))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}
