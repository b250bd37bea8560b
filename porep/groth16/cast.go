package groth16

import (
	"unsafe"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/sdk"
)

// elements returns s as gnark-crypto's elements, which are laid out the same,
// sharing memory.
func elements(s []sdk.Fr) []fr.Element {
	return unsafe.Slice((*fr.Element)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
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
