package sdk

import "unsafe"

// Fr is an element of the BLS12-381 scalar field: Montgomery form (R = 2^256),
// four little-endian limbs, below the modulus.
type Fr [4]uint64

// Fp is an element of the BLS12-381 base field: Montgomery form (R = 2^384),
// six little-endian limbs, below the modulus.
type Fp [6]uint64

// Fp2 is A0 + A1·u with u² = -1.
type Fp2 struct{ A0, A1 Fp }

// G1 is an affine point of E(Fp). Infinity is all zeros.
type G1 struct{ X, Y Fp }

// G2 is an affine point of E'(Fp2). Infinity is all zeros.
type G2 struct{ X, Y Fp2 }

// Sizes in bytes of the values as they lie in memory.
const (
	FrBytes = int(unsafe.Sizeof(Fr{}))
	G1Bytes = int(unsafe.Sizeof(G1{}))
	G2Bytes = int(unsafe.Sizeof(G2{}))
)
