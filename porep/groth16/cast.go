package groth16

import (
	"unsafe"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/sdk"
)

// The sdk's values are laid out as gnark-crypto's: a slice of one is a slice of
// the other. These two fail to compile if a size ever differs.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(sdk.G1{})-unsafe.Sizeof(bls12381.G1Affine{})]
	_ = [1]struct{}{}[unsafe.Sizeof(sdk.G2{})-unsafe.Sizeof(bls12381.G2Affine{})]
)

// elements returns s as gnark-crypto's elements, sharing memory.
func elements(s []sdk.Fr) []fr.Element {
	return unsafe.Slice((*fr.Element)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
}

// points1 returns s as gnark-crypto's points, sharing memory.
func points1(s []sdk.G1) []bls12381.G1Affine {
	return unsafe.Slice((*bls12381.G1Affine)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
}

// points2 is points1 for G2.
func points2(s []sdk.G2) []bls12381.G2Affine {
	return unsafe.Slice((*bls12381.G2Affine)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
}

func toSDK1(p *bls12381.G1Affine) sdk.G1 { return sdk.G1{X: sdk.Fp(p.X), Y: sdk.Fp(p.Y)} }

func toSDK2(p *bls12381.G2Affine) sdk.G2 {
	return sdk.G2{
		X: sdk.Fp2{A0: sdk.Fp(p.X.A0), A1: sdk.Fp(p.X.A1)},
		Y: sdk.Fp2{A0: sdk.Fp(p.Y.A0), A1: sdk.Fp(p.Y.A1)},
	}
}

func fromSDK1(p sdk.G1) bls12381.G1Affine {
	return bls12381.G1Affine{X: fp.Element(p.X), Y: fp.Element(p.Y)}
}

func fromSDK2(p sdk.G2) bls12381.G2Affine {
	return bls12381.G2Affine{
		X: bls12381.E2{A0: fp.Element(p.X.A0), A1: fp.Element(p.X.A1)},
		Y: bls12381.E2{A0: fp.Element(p.Y.A0), A1: fp.Element(p.Y.A1)},
	}
}
