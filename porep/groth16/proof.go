package groth16

import (
	"fmt"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
)

// ProofBytes is the size of an encoded proof of one partition.
const ProofBytes = 2*G1Compressed + G2Compressed

// Proof is a Groth16 proof of one partition.
type Proof struct {
	A bls12381.G1Affine
	B bls12381.G2Affine
	C bls12381.G1Affine
}

// ParseProof reads the 192 bytes A‖B‖C, each compressed. Every point must be
// canonical, on the curve, in the subgroup of prime order and not infinity; the
// error names the point and wraps the reason.
func ParseProof(data []byte) (*Proof, error) {
	if len(data) != ProofBytes {
		return nil, fmt.Errorf("parse proof: expected %d bytes, found %d", ProofBytes, len(data))
	}
	var p Proof
	var err error
	if p.A, err = decodeG1(data[:G1Compressed]); err != nil {
		return nil, fmt.Errorf("proof point A: %w", err)
	}
	if p.B, err = decodeG2(data[G1Compressed : G1Compressed+G2Compressed]); err != nil {
		return nil, fmt.Errorf("proof point B: %w", err)
	}
	if p.C, err = decodeG1(data[G1Compressed+G2Compressed:]); err != nil {
		return nil, fmt.Errorf("proof point C: %w", err)
	}
	return &p, nil
}

// ParseProofs reads the proofs of all partitions, one after another.
func ParseProofs(data []byte, partitions int) ([]*Proof, error) {
	if len(data) != partitions*ProofBytes {
		return nil, fmt.Errorf("parse proof: expected %d bytes (%d partitions of %d), found %d",
			partitions*ProofBytes, partitions, ProofBytes, len(data))
	}
	proofs := make([]*Proof, partitions)
	for k := range proofs {
		p, err := ParseProof(data[k*ProofBytes : (k+1)*ProofBytes])
		if err != nil {
			return nil, fmt.Errorf("partition %d: %w", k, err)
		}
		proofs[k] = p
	}
	return proofs, nil
}

// Bytes returns the proof's encoding.
func (p *Proof) Bytes() [ProofBytes]byte {
	var out [ProofBytes]byte
	a, b, c := p.A.Bytes(), p.B.Bytes(), p.C.Bytes()
	copy(out[:], a[:])
	copy(out[G1Compressed:], b[:])
	copy(out[G1Compressed+G2Compressed:], c[:])
	return out
}
