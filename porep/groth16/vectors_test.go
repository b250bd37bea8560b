package groth16

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

// readTestdata returns a file of testdata, unpacked where its name ends in .gz.
func readTestdata(tb testing.TB, name string) []byte {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		tb.Fatal(err)
	}
	if !strings.HasSuffix(name, ".gz") {
		return data
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		tb.Fatal(err)
	}
	if data, err = io.ReadAll(r); err != nil {
		tb.Fatal(err)
	}
	return data
}

func readJSON(tb testing.TB, name string, into any) {
	tb.Helper()
	if err := json.Unmarshal(readTestdata(tb, name), into); err != nil {
		tb.Fatalf("parse %s: %v", name, err)
	}
}

// readInputs returns the public inputs of each partition.
func readInputs(tb testing.TB, name string) [][]fr.Element {
	tb.Helper()
	var parts [][]string
	readJSON(tb, name, &parts)
	out := make([][]fr.Element, len(parts))
	for k, part := range parts {
		out[k] = make([]fr.Element, len(part))
		for i, text := range part {
			out[k][i] = littleEndianFr(tb, text)
		}
	}
	return out
}

func littleEndianFr(tb testing.TB, text string) fr.Element {
	tb.Helper()
	raw := fromHex(tb, text)
	slices.Reverse(raw)
	var e fr.Element
	if err := e.SetBytesCanonical(raw); err != nil {
		tb.Fatal(err)
	}
	return e
}

func fromHex(tb testing.TB, text string) []byte {
	tb.Helper()
	raw, err := hex.DecodeString(text)
	if err != nil {
		tb.Fatal(err)
	}
	return raw
}

func readPrepared(tb testing.TB, name string) *PreparedKey {
	tb.Helper()
	vk, err := ParseVerifyingKey(readTestdata(tb, name))
	if err != nil {
		tb.Fatal(err)
	}
	k, err := vk.Prepare()
	if err != nil {
		tb.Fatal(err)
	}
	return k
}

func mustParseProof(tb testing.TB, data []byte) *Proof {
	tb.Helper()
	p, err := ParseProof(data)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}
