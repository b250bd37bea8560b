package cpu

import (
	"bytes"
	"testing"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"

	"github.com/sealwright/sealwright/sdk"
)

// FuzzDecode holds that what is accepted is a point of the curve and is
// written back as the same bytes, so that no two encodings mean one point.
func FuzzDecode(f *testing.F) {
	_, _, p1, p2 := bls12381.Generators()
	raw1, raw2 := p1.RawBytes(), p2.RawBytes()
	f.Add(raw1[:])
	f.Add(raw2[:])
	f.Add(append([]byte{flagInfinity}, make([]byte, sdk.G2Bytes-1)...))
	f.Add(bytes.Repeat([]byte{0xff}, sdk.G2Bytes))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) >= sdk.G1Bytes {
			var p bls12381.G1Affine
			if err := (g1{}).decode(&p, data[:sdk.G1Bytes]); err == nil {
				if raw := p.RawBytes(); !p.IsOnCurve() || !bytes.Equal(raw[:], data[:sdk.G1Bytes]) {
					t.Errorf("G1: %x is read as %v", data[:sdk.G1Bytes], &p)
				}
			}
		}
		if len(data) >= sdk.G2Bytes {
			var p bls12381.G2Affine
			if err := (g2{}).decode(&p, data[:sdk.G2Bytes]); err == nil {
				if raw := p.RawBytes(); !p.IsOnCurve() || !bytes.Equal(raw[:], data[:sdk.G2Bytes]) {
					t.Errorf("G2: %x is read as %v", data[:sdk.G2Bytes], &p)
				}
			}
		}
	})
}
