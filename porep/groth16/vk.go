package groth16

import (
	"encoding/binary"
	"fmt"
	"strconv"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
)

// VerifyingKey is the public part of a key: what a verifier needs, and what a
// proving key file begins with.
type VerifyingKey struct {
	AlphaG1, BetaG1 bls12381.G1Affine
	BetaG2, GammaG2 bls12381.G2Affine
	DeltaG1         bls12381.G1Affine
	DeltaG2         bls12381.G2Affine
	IC              []bls12381.G1Affine // one a public input, the constant one's first
}

// Offsets in an encoded verifying key: alpha_g1, beta_g1, beta_g2, gamma_g2,
// delta_g1, delta_g2, the number of ic points (32-bit big-endian), the points.
const (
	vkCountOffset = 3*G1Uncompressed + 3*G2Uncompressed
	vkICOffset    = vkCountOffset + CountBytes
)

// CountBytes is the size of the big-endian point count in front of a section.
const CountBytes = 4

// VerifyingKeyBytes returns the size of an encoded verifying key with so many
// inputs (the constant one included).
func VerifyingKeyBytes(inputs int) int { return vkICOffset + inputs*G1Uncompressed }

// ParseVerifyingKey reads a `.vk` file's bytes, all of them, and checks every
// point in full: canonical, finite, on the curve, in the subgroup. Errors are
// *KeyError.
func ParseVerifyingKey(data []byte) (*VerifyingKey, error) {
	vk, n, err := ParseVerifyingKeyPrefix(data)
	if err != nil {
		return nil, err
	}
	if n != len(data) {
		return nil, &KeyError{
			Section: "ic", Offset: int64(n),
			Expected: fmt.Sprintf("the end of the key after %d points (%d bytes)", len(vk.IC), n),
			Found:    fmt.Sprintf("%d bytes more", len(data)-n),
		}
	}
	return vk, nil
}

// ParseVerifyingKeyPrefix reads the verifying key that data begins with, as a
// proving key file does, and returns how many bytes it takes.
func ParseVerifyingKeyPrefix(data []byte) (*VerifyingKey, int, error) {
	if len(data) < vkICOffset {
		return nil, 0, &KeyError{
			Section: "header", Offset: int64(len(data)),
			Expected: fmt.Sprintf("at least %d bytes", vkICOffset), Found: strconv.Itoa(len(data)),
		}
	}
	var vk VerifyingKey
	if err := vk.parseFixed(data); err != nil {
		return nil, 0, err
	}
	count := int64(binary.BigEndian.Uint32(data[vkCountOffset:]))
	if room := int64(len(data)-vkICOffset) / G1Uncompressed; count == 0 || count > room {
		return nil, 0, &KeyError{
			Section: "ic", Offset: vkCountOffset,
			Expected: fmt.Sprintf("a count from 1 to %d (the bytes left)", room), Found: strconv.FormatInt(count, 10),
		}
	}
	vk.IC = make([]bls12381.G1Affine, count)
	for i := range vk.IC {
		offset := vkICOffset + i*G1Uncompressed
		p, err := decodeRawG1(data[offset : offset+G1Uncompressed])
		if err != nil {
			return nil, 0, pointError("ic", int64(offset), fmt.Sprintf("point %d", i), err)
		}
		vk.IC[i] = p
	}
	return &vk, VerifyingKeyBytes(int(count)), nil
}

func (vk *VerifyingKey) parseFixed(data []byte) error {
	offset := 0
	for _, f := range vk.fixed() {
		var err error
		size := G1Uncompressed
		if f.g1 != nil {
			*f.g1, err = decodeRawG1(data[offset : offset+size])
		} else {
			size = G2Uncompressed
			*f.g2, err = decodeRawG2(data[offset : offset+size])
		}
		if err != nil {
			return pointError("header", int64(offset), f.name, err)
		}
		offset += size
	}
	return nil
}

func pointError(section string, offset int64, name string, err error) *KeyError {
	return &KeyError{Section: section, Offset: offset, Expected: name, Found: "a bad point", Err: err}
}

type fixedPoint struct {
	name string
	g1   *bls12381.G1Affine
	g2   *bls12381.G2Affine
}

// fixed lists the points before ic in file order.
func (vk *VerifyingKey) fixed() []fixedPoint {
	return []fixedPoint{
		{name: "alpha_g1", g1: &vk.AlphaG1},
		{name: "beta_g1", g1: &vk.BetaG1},
		{name: "beta_g2", g2: &vk.BetaG2},
		{name: "gamma_g2", g2: &vk.GammaG2},
		{name: "delta_g1", g1: &vk.DeltaG1},
		{name: "delta_g2", g2: &vk.DeltaG2},
	}
}

// Bytes returns the key's encoding, a `.vk` file.
func (vk *VerifyingKey) Bytes() []byte {
	out := make([]byte, 0, VerifyingKeyBytes(len(vk.IC)))
	for _, f := range vk.fixed() {
		if f.g1 != nil {
			raw := f.g1.RawBytes()
			out = append(out, raw[:]...)
		} else {
			raw := f.g2.RawBytes()
			out = append(out, raw[:]...)
		}
	}
	out = binary.BigEndian.AppendUint32(out, uint32(len(vk.IC)))
	for i := range vk.IC {
		raw := vk.IC[i].RawBytes()
		out = append(out, raw[:]...)
	}
	return out
}
