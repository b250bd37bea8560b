package groth16

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
)

func TestParseVerifyingKeyRoundTrip(t *testing.T) {
	for _, name := range []string{"porep-2k.vk", "windowpost-2k.vk", "gevulot-8m.vk", "c1-32g.vk", "polka-storage-2k.vk"} {
		data := readTestdata(t, name)
		vk, err := ParseVerifyingKey(data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !bytes.Equal(vk.Bytes(), data) {
			t.Errorf("%s: encoding changed", name)
		}
		if got := VerifyingKeyBytes(len(vk.IC)); got != len(data) {
			t.Errorf("%s: size %d, want %d", name, got, len(data))
		}
	}
}

func TestVerifyingKeyDigests(t *testing.T) {
	var want struct {
		Digest string `json:"vk_digest_parameters_json_style"`
		SHA256 string `json:"vk_sha256"`
	}
	readJSON(t, "porep-2k.params.json", &want)
	data := readTestdata(t, "porep-2k.vk")
	if got := DigestOf(data).String(); got != want.Digest {
		t.Errorf("digest %s, want %s", got, want.Digest)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != want.SHA256 {
		t.Errorf("SHA-256 %x, want %s", sum, want.SHA256)
	}
}

func TestParseVerifyingKeyRejects(t *testing.T) {
	good := readTestdata(t, "porep-2k.vk")
	edit := func(f func(b []byte)) []byte {
		b := bytes.Clone(good)
		f(b)
		return b
	}
	tests := []struct {
		name string
		data []byte
		want error
		text string
	}{
		{"empty", nil, nil, "section header, byte 0: expected at least 868 bytes, found 0"},
		{"short header", good[:867], nil, "section header, byte 867: expected at least 868 bytes, found 867"},
		{"short ic", good[:len(good)-1], nil, "section ic, byte 864: expected a count from 1 to 39 (the bytes left), found 40"},
		{"trailing", append(bytes.Clone(good), 7), nil, "expected the end of the key after 40 points (4708 bytes), found 1 bytes more"},
		{"no inputs", edit(func(b []byte) { binary.BigEndian.PutUint32(b[864:], 0) })[:868], nil, "found 0"},
		{"huge count", edit(func(b []byte) { binary.BigEndian.PutUint32(b[864:], 1<<32-1) }), nil, "found 4294967295"},
		{"compressed", edit(func(b []byte) { b[0] |= flagCompressed }), ErrFlags, "section header, byte 0: expected alpha_g1"},
		{"infinity", edit(func(b []byte) { clear(b[96:192]); b[96] = flagInfinity }), ErrInfinity, "byte 96: expected beta_g1"},
		{"zeros", edit(func(b []byte) { clear(b[96:192]) }), ErrNotOnCurve, "byte 96: expected beta_g1"},
		{"zeros in G2", edit(func(b []byte) { clear(b[384:576]) }), ErrNotOnCurve, "byte 384: expected gamma_g2"},
		{"off curve", edit(func(b []byte) { b[300] ^= 1 }), ErrNotOnCurve, "byte 192: expected beta_g2"},
		{"off curve ic", edit(func(b []byte) { b[868+96*7+5] ^= 1 }), ErrNotOnCurve, "section ic, byte 1540: expected point 7"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ParseVerifyingKey(tt.data)
			var ke *KeyError
			if !errors.As(err, &ke) || !strings.Contains(err.Error(), tt.text) || (tt.want != nil && !errors.Is(err, tt.want)) {
				t.Fatalf("got %v, want %v with %q", err, tt.want, tt.text)
			}
		})
	}
}

func TestCountsBytes(t *testing.T) {
	porep := Counts{IC: 40, H: 4194303, L: 2685673, A: 2674948, B: 685522}
	if got := porep.Bytes(); got != 1114707768 {
		t.Errorf("porep-2k: %d bytes, want 1114707768", got)
	}
	wpost := Counts{IC: 23, H: 32767, L: 22128, A: 16793, B: 16029}
	if got := wpost.Bytes(); got != 11501496 {
		t.Errorf("wpost-2k: %d bytes, want 11501496", got)
	}
}

func FuzzParseVerifyingKey(f *testing.F) {
	data := readTestdata(f, "windowpost-2k.vk")
	f.Add(data)
	f.Add(data[:868])
	f.Fuzz(func(t *testing.T, data []byte) {
		vk, err := ParseVerifyingKey(data)
		if err != nil {
			return
		}
		if !bytes.Equal(vk.Bytes(), data) {
			t.Fatal("two encodings of one key")
		}
	})
}
