package srs

import (
	"bytes"
	"os"
	"testing"
)

// FuzzParseKey reads any bytes as a proving key file.
func FuzzParseKey(f *testing.F) {
	vk, err := os.ReadFile("../groth16/testdata/windowpost-2k.vk")
	if err != nil {
		f.Fatal(err)
	}
	vk = vk[:868+96]
	vk[867] = 1 // one input
	point := vk[868:]
	tiny := bytes.Clone(vk)
	for _, n := range []byte{1, 1, 1, 0, 0} {
		tiny = append(tiny, 0, 0, 0, n)
		tiny = append(tiny, bytes.Repeat(point, int(n))...)
	}
	if _, _, err := parseKey(tiny); err != nil {
		f.Fatal(err)
	}
	f.Add(tiny)
	f.Add(vk)
	f.Add([]byte("<!DOCTYPE html><html>"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		_, sections, err := parseKey(data)
		if err != nil {
			return
		}
		last := sections[len(sections)-1]
		if end := last.Offset + int64(len(last.Bases.Data)); end != int64(len(data)) {
			t.Fatalf("sections end at %d of %d", end, len(data))
		}
	})
}
