package cpu

import (
	"errors"
	"fmt"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
)

// Flags in the first byte of a point in a key file (the encoding of ZCash's
// BLS12-381, which bellman's key files use uncompressed).
const (
	flagCompressed = 0x80
	flagInfinity   = 0x40
	flagSign       = 0x20
	flagMask       = flagCompressed | flagInfinity | flagSign
)

// curveB is 4.
var curveB = fp.NewElement(4)

var errNotOnCurve = errors.New("not on the curve")

// decode reads x‖y. It refuses flags that an uncompressed point has not,
// coordinates that are not below the modulus and points off the curve.
func (g1) decode(p *bls12381.G1Affine, file []byte) error {
	infinity, err := readFlags(file)
	if err != nil || infinity {
		*p = bls12381.G1Affine{}
		return err
	}
	if err := readCoordinates(file, &p.X, &p.Y); err != nil {
		return err
	}
	// y² = x³ + 4; infinity is refused as a pair of coordinates.
	var left, right fp.Element
	left.Square(&p.Y)
	right.Square(&p.X).Mul(&right, &p.X).Add(&right, &curveB)
	if left != right {
		return errNotOnCurve
	}
	return nil
}

// decode reads x.c1‖x.c0‖y.c1‖y.c0; it refuses what G1's refuses.
func (g2) decode(p *bls12381.G2Affine, file []byte) error {
	infinity, err := readFlags(file)
	if err != nil || infinity {
		*p = bls12381.G2Affine{}
		return err
	}
	if err := readCoordinates(file, &p.X.A1, &p.X.A0, &p.Y.A1, &p.Y.A0); err != nil {
		return err
	}
	// y² = x³ + 4·(1 + u)
	var left, right bls12381.E2
	left.Square(&p.Y)
	right.Square(&p.X).Mul(&right, &p.X)
	right.A0.Add(&right.A0, &curveB)
	right.A1.Add(&right.A1, &curveB)
	if left != right {
		return errNotOnCurve
	}
	return nil
}

// readFlags says whether the point is infinity, of which every other bit must
// be zero.
func readFlags(file []byte) (infinity bool, err error) {
	switch flags := file[0] & flagMask; flags {
	case 0:
		return false, nil
	case flagInfinity:
		rest := file[0] &^ flagInfinity
		for _, b := range file[1:] {
			rest |= b
		}
		if rest != 0 {
			return true, errors.New("infinity flag with nonzero coordinates")
		}
		return true, nil
	default:
		return false, fmt.Errorf("flags 0x%02x of an uncompressed point, want 0x00 or 0x%02x", flags, flagInfinity)
	}
}

func readCoordinates(file []byte, to ...*fp.Element) error {
	for k, z := range to {
		x, err := fp.BigEndian.Element((*[fp.Bytes]byte)(file[k*fp.Bytes:]))
		if err != nil {
			return fmt.Errorf("coordinate %d of %d is not below the modulus", k+1, len(to))
		}
		*z = x
	}
	return nil
}
