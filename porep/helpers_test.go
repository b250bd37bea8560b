package porep

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

// readFile returns a file, unpacked where its name says that it is gzipped.
func readFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(name, ".gz") {
		return data
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if data, err = io.ReadAll(z); err != nil {
		t.Fatal(err)
	}
	return data
}

func readJSON(t testing.TB, name string, v any) {
	t.Helper()
	if err := json.Unmarshal(readFile(t, name), v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// wantInputs compares public inputs with canonical little-endian hex.
func wantInputs(t *testing.T, found [][]fr.Element, want [][]string) {
	t.Helper()
	if len(found) != len(want) {
		t.Fatalf("found %d partitions, want %d", len(found), len(want))
	}
	for k := range want {
		if len(found[k]) != len(want[k]) {
			t.Fatalf("partition %d has %d inputs, want %d", k, len(found[k]), len(want[k]))
		}
		for i := range want[k] {
			var raw [fr.Bytes]byte
			fr.LittleEndian.PutElement(&raw, found[k][i])
			if got := hex.EncodeToString(raw[:]); got != want[k][i] {
				t.Errorf("partition %d, input %d is %s, want %s", k, i, got, want[k][i])
			}
		}
	}
}

// bytes32 is 32 bytes that JSON spells in hex.
type bytes32 [32]byte

func (b *bytes32) UnmarshalText(text []byte) error {
	_, err := hex.Decode(b[:], text)
	return err
}
