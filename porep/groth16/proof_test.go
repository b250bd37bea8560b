package groth16

import (
	"bytes"
	"errors"
	"math/big"
	"strings"
	"testing"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
)

func TestParseProofRoundTrip(t *testing.T) {
	for _, name := range []string{"2k-A.p0.proof", "2k-B.p0.proof", "windowpost-2k.p0.proof", "gevulot-8m.p0.proof"} {
		data := readTestdata(t, name)
		got := mustParseProof(t, data).Bytes()
		if !bytes.Equal(got[:], data) {
			t.Errorf("%s: encoding changed:\n got %x\nwant %x", name, got, data)
		}
	}
}

// TestRealProofsDecode reads every proof of the real network and of the
// reference's regression records: each partition's points are in the subgroups.
func TestRealProofsDecode(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(string(readTestdata(t, "real-proofs.txt.gz"))), "\n")
	if len(lines) != 592 {
		t.Fatalf("expected 592 proofs, found %d", len(lines))
	}
	step := 1
	if testing.Short() {
		step = 16
	}
	full := 0
	for i := 0; i < len(lines); i += step {
		name, text, _ := strings.Cut(lines[i], "\t")
		data := fromHex(t, text)
		partitions := len(data) / ProofBytes
		proofs, err := ParseProofs(data, partitions)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if partitions == 10 {
			full++
		}
		for k, p := range proofs {
			if got := p.Bytes(); !bytes.Equal(got[:], data[k*ProofBytes:(k+1)*ProofBytes]) {
				t.Errorf("%s: partition %d encodes differently", name, k)
			}
		}
	}
	if full == 0 {
		t.Error("no proof of ten partitions among them")
	}
}

func TestParseProofRejects(t *testing.T) {
	good := readTestdata(t, "2k-A.p0.proof")
	modulus := fp.Modulus().FillBytes(make([]byte, fp.Bytes))
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
		{"empty", nil, nil, "expected 192 bytes, found 0"},
		{"long", append(bytes.Clone(good), 0), nil, "expected 192 bytes, found 193"},
		{"uncompressed flag", edit(func(b []byte) { b[0] &^= flagCompressed }), ErrFlags, "proof point A: "},
		{"infinity A", edit(func(b []byte) { clear(b[:48]); b[0] = 0xc0 }), ErrInfinity, "proof point A: "},
		{"infinity B", edit(func(b []byte) { clear(b[48:144]); b[48] = 0xc0 }), ErrInfinity, "proof point B: "},
		{"infinity C with rest", edit(func(b []byte) { b[144] |= 0x40 }), ErrInfinity, "proof point C: "},
		{"not canonical A", edit(func(b []byte) { copy(b, modulus); b[0] |= 0x80 }), ErrNotCanonical, "proof point A: "},
		{"not canonical B.c0", edit(func(b []byte) { copy(b[96:], modulus) }), ErrNotCanonical, "proof point B: "},
		{"off curve B", edit(func(b []byte) { b[143] ^= 2 }), ErrNotOnCurve, "proof point B: not on the curve"},
		{"wrong group A", edit(func(b []byte) { copy(b, cofactorG1(t)) }), ErrNotInGroup, "proof point A: not in the subgroup"},
		{"wrong group B", edit(func(b []byte) { copy(b[48:], cofactorG2(t)) }), ErrNotInGroup, "proof point B: not in the subgroup"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ParseProof(tt.data)
			if err == nil || !strings.Contains(err.Error(), tt.text) || (tt.want != nil && !errors.Is(err, tt.want)) {
				t.Fatalf("got %v, want %v with %q", err, tt.want, tt.text)
			}
		})
	}
}

func TestParseProofsNamesPartition(t *testing.T) {
	good := readTestdata(t, "2k-A.p0.proof")
	data := bytes.Repeat(good, 3)
	data[2*ProofBytes+50] ^= 4
	if _, err := ParseProofs(data, 3); err == nil || !strings.HasPrefix(err.Error(), "partition 2: proof point B: ") {
		t.Errorf("got %v", err)
	}
	if _, err := ParseProofs(data, 2); err == nil || !strings.Contains(err.Error(), "expected 384 bytes (2 partitions of 192), found 576") {
		t.Errorf("got %v", err)
	}
}

// cofactorG1 returns a compressed point of the curve outside the subgroup.
func cofactorG1(tb testing.TB) []byte {
	tb.Helper()
	_, four := bls12381.CurveCoefficients()
	for x := int64(1); ; x++ {
		var p bls12381.G1Affine
		var y2 fp.Element
		p.X.SetBigInt(big.NewInt(x))
		y2.Square(&p.X).Mul(&y2, &p.X).Add(&y2, &four)
		if p.Y.Sqrt(&y2) != nil && p.IsOnCurve() && !p.IsInSubGroup() {
			raw := p.Bytes()
			return raw[:]
		}
	}
}

// cofactorG2 is cofactorG1 for G2.
func cofactorG2(tb testing.TB) []byte {
	tb.Helper()
	var twist bls12381.E2
	_, twist.A0 = bls12381.CurveCoefficients()
	twist.A1 = twist.A0
	for x := int64(1); ; x++ {
		var p bls12381.G2Affine
		var y2 bls12381.E2
		p.X.A0.SetBigInt(big.NewInt(x))
		y2.Square(&p.X).Mul(&y2, &p.X).Add(&y2, &twist)
		p.Y.Sqrt(&y2)
		if p.IsOnCurve() && !p.IsInSubGroup() {
			raw := p.Bytes()
			return raw[:]
		}
	}
}

func FuzzParseProof(f *testing.F) {
	f.Add(readTestdata(f, "2k-A.p0.proof"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ParseProof(data)
		if err != nil {
			return
		}
		if got := p.Bytes(); !bytes.Equal(got[:], data) {
			t.Fatalf("two encodings of one proof: %x and %x", data, got)
		}
	})
}
