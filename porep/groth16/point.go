package groth16

import (
	"errors"
	"fmt"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/sealwright/sealwright/sdk"
)

// Why the bytes of a point were refused. Points at infinity have no place in a
// proof or a verifying key.
var (
	ErrFlags        = errors.New("wrong encoding flags")
	ErrInfinity     = errors.New("point at infinity")
	ErrNotCanonical = errors.New("coordinate not below the field's modulus")
	ErrNotOnCurve   = errors.New("not on the curve")
	ErrNotInGroup   = errors.New("not in the subgroup of prime order")
)

// Sizes of encoded points in bytes.
const (
	G1Compressed   = 48
	G2Compressed   = 96
	G1Uncompressed = 96
	G2Uncompressed = 192
)

// The three flags in the top bits of a point's first byte (the zcash encoding
// of BLS12-381).
const (
	flagCompressed = 0x80
	flagInfinity   = 0x40
	flagLarger     = 0x20 // y is the larger of the two roots
	flagMask       = flagCompressed | flagInfinity | flagLarger
)

// decodeG1 reads a compressed G1 point (48 bytes, x big-endian) and checks it in
// full.
func decodeG1(b []byte) (p bls12381.G1Affine, err error) {
	larger, err := compressedFlags(b[0])
	if err != nil {
		return p, err
	}
	if p.X, err = readFp(b, true); err != nil {
		return p, err
	}
	var y2 fp.Element
	_, four := bls12381.CurveCoefficients()
	y2.Square(&p.X).Mul(&y2, &p.X).Add(&y2, &four)
	if p.Y.Sqrt(&y2) == nil {
		return p, ErrNotOnCurve
	}
	if p.Y.LexicographicallyLargest() != larger {
		p.Y.Neg(&p.Y)
	}
	if !p.IsInSubGroup() {
		return p, ErrNotInGroup
	}
	return p, nil
}

// decodeG2 reads a compressed G2 point (96 bytes, x.c1‖x.c0 big-endian) and
// checks it in full.
func decodeG2(b []byte) (p bls12381.G2Affine, err error) {
	larger, err := compressedFlags(b[0])
	if err != nil {
		return p, err
	}
	if p.X.A1, err = readFp(b, true); err != nil {
		return p, err
	}
	if p.X.A0, err = readFp(b[fp.Bytes:], false); err != nil {
		return p, err
	}
	var y2, check, twist bls12381.E2
	_, four := bls12381.CurveCoefficients()
	twist.A0, twist.A1 = four, four // the twist's coefficient is 4 + 4u
	y2.Square(&p.X).Mul(&y2, &p.X).Add(&y2, &twist)
	p.Y.Sqrt(&y2)
	if check.Square(&p.Y); !check.Equal(&y2) {
		return p, ErrNotOnCurve
	}
	if p.Y.LexicographicallyLargest() != larger {
		p.Y.Neg(&p.Y)
	}
	if !p.IsInSubGroup() {
		return p, ErrNotInGroup
	}
	return p, nil
}

// decodeRawG1 reads an uncompressed G1 point (96 bytes, x‖y) and checks it in
// full.
func decodeRawG1(b []byte) (p bls12381.G1Affine, err error) {
	if err = rawFlags(b[0]); err != nil {
		return p, err
	}
	for i, c := range []*fp.Element{&p.X, &p.Y} {
		if *c, err = readFp(b[i*fp.Bytes:], false); err != nil {
			return p, err
		}
	}
	switch {
	case p.IsInfinity() || !p.IsOnCurve(): // (0, 0) stands for infinity in memory; on the curve it is not
		return p, ErrNotOnCurve
	case !p.IsInSubGroup():
		return p, ErrNotInGroup
	}
	return p, nil
}

// decodeRawG2 reads an uncompressed G2 point (192 bytes, x.c1‖x.c0‖y.c1‖y.c0)
// and checks it in full.
func decodeRawG2(b []byte) (p bls12381.G2Affine, err error) {
	if err = rawFlags(b[0]); err != nil {
		return p, err
	}
	for i, c := range []*fp.Element{&p.X.A1, &p.X.A0, &p.Y.A1, &p.Y.A0} {
		if *c, err = readFp(b[i*fp.Bytes:], false); err != nil {
			return p, err
		}
	}
	switch {
	case p.IsInfinity() || !p.IsOnCurve(): // (0, 0) stands for infinity in memory; on the curve it is not
		return p, ErrNotOnCurve
	case !p.IsInSubGroup():
		return p, ErrNotInGroup
	}
	return p, nil
}

func compressedFlags(first byte) (larger bool, err error) {
	switch {
	case first&flagCompressed == 0:
		return false, ErrFlags
	case first&flagInfinity != 0:
		return false, ErrInfinity
	}
	return first&flagLarger != 0, nil
}

func rawFlags(first byte) error {
	switch {
	case first&flagMask == flagInfinity:
		return ErrInfinity
	case first&flagMask != 0:
		return ErrFlags
	}
	return nil
}

// readFp reads a big-endian coordinate, without the flags in its top bits where
// it has some.
func readFp(b []byte, flags bool) (fp.Element, error) {
	var raw [fp.Bytes]byte
	copy(raw[:], b)
	if flags {
		raw[0] &^= flagMask
	}
	var e fp.Element
	if err := e.SetBytesCanonical(raw[:]); err != nil {
		return fp.Element{}, ErrNotCanonical
	}
	return e, nil
}

// CheckPoint checks point i of bases in file order in full: canonical, finite,
// on the curve, in the subgroup of prime order.
func CheckPoint(bases sdk.Bases, i int) error {
	switch {
	case bases.Encoding != sdk.FileOrder:
		return fmt.Errorf("check point: %w: expected points in file order", sdk.ErrInvalidInput)
	case i < 0 || i >= bases.Len():
		return fmt.Errorf("check point: %w: expected an index below %d, found %d", sdk.ErrInvalidInput, bases.Len(), i)
	}
	data := bases.Slice(i, i+1).Data
	var err error
	if bases.Group == sdk.GroupG2 {
		_, err = decodeRawG2(data)
	} else {
		_, err = decodeRawG1(data)
	}
	return err
}
