package cpu

import (
	"unsafe"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"github.com/sealwright/sealwright/sdk"
)

// The values of sdk are laid out as gnark-crypto's; the conversions below are
// all that this package needs to know of that.
const (
	_ = uint(unsafe.Sizeof(fr.Element{}) - unsafe.Sizeof(sdk.Fr{}))
	_ = uint(unsafe.Sizeof(sdk.Fr{}) - unsafe.Sizeof(fr.Element{}))
	_ = uint(unsafe.Sizeof(bls12381.G1Affine{}) - unsafe.Sizeof(sdk.G1{}))
	_ = uint(unsafe.Sizeof(sdk.G1{}) - unsafe.Sizeof(bls12381.G1Affine{}))
	_ = uint(unsafe.Sizeof(bls12381.G2Affine{}) - unsafe.Sizeof(sdk.G2{}))
	_ = uint(unsafe.Sizeof(sdk.G2{}) - unsafe.Sizeof(bls12381.G2Affine{}))
)

// castSlice returns s's memory as values of To; their number is what fits whole.
// The memory must be aligned for To.
func castSlice[To, From any](s []From) []To {
	var from From
	var to To
	n := uintptr(len(s)) * unsafe.Sizeof(from) / unsafe.Sizeof(to)
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*To)(unsafe.Pointer(unsafe.SliceData(s))), n)
}

// elements returns field elements as gnark-crypto's, sharing memory.
func elements(s []sdk.Fr) []fr.Element { return castSlice[fr.Element](s) }

// wordBytes returns the memory of words as bytes.
func wordBytes(words []uint64) []byte { return castSlice[byte](words) }

// wordAligned says whether data may be cast to field elements or points.
func wordAligned(data []byte) bool {
	return uintptr(unsafe.Pointer(unsafe.SliceData(data)))%unsafe.Alignof(uint64(0)) == 0
}

// valueBytes returns the memory of v.
func valueBytes[T any](v *T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(v)), unsafe.Sizeof(*v))
}
