package groth16

import (
	"math/big"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
)

// Finish blinds the sums and assembles the proof:
//
//	A = α + ΣA + r·δ,  B = β + ΣB + s·δ,  C = ΣL + ΣH + s·A + r·B1 - r·s·δ
//
// with B1 the same as B in G1. It takes a millisecond and no device.
func Finish(sums *Sums, vk *VerifyingKey, blinding Blinding) *Proof {
	var r, s big.Int
	blinding.R.BigInt(&r)
	blinding.S.BigInt(&s)
	var p Proof
	p.A = blind1(&sums.A, &vk.AlphaG1, &vk.DeltaG1, &r)
	b1 := blind1(&sums.B1, &vk.BetaG1, &vk.DeltaG1, &s)

	var b2 bls12381.G2Affine
	b2.ScalarMultiplication(&vk.DeltaG2, &s)
	b2.Add(&b2, &vk.BetaG2)
	p.B.Add(&b2, &sums.B2)

	rs := blinding.R
	rs.Mul(&rs, &blinding.S).Neg(&rs)
	var c, term bls12381.G1Affine
	c.Add(&sums.L, &sums.H)
	for _, t := range []struct {
		point  *bls12381.G1Affine
		scalar *big.Int
	}{{&p.A, &s}, {&b1, &r}, {&vk.DeltaG1, rs.BigInt(new(big.Int))}} {
		term.ScalarMultiplication(t.point, t.scalar)
		c.Add(&c, &term)
	}
	p.C = c
	return &p
}

// blind1 returns fixed + sum + scalar·delta.
func blind1(sum, fixed, delta *bls12381.G1Affine, scalar *big.Int) bls12381.G1Affine {
	var p bls12381.G1Affine
	p.ScalarMultiplication(delta, scalar)
	p.Add(&p, fixed)
	p.Add(&p, sum)
	return p
}
