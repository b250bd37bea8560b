package groth16

import (
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"

	"github.com/consensys/gnark-crypto/ecc"
	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

// ErrRejected is wrapped by the errors of well-formed proofs that do not hold
// for their key and public inputs.
var ErrRejected = errors.New("proof does not verify")

// PreparedKey is a verifying key made ready for many verifications. It is
// read-only and may be shared.
type PreparedKey struct {
	vk        *VerifyingKey
	alphaBeta bls12381.GT // e(alpha, beta)
}

// Prepare readies a verifying key.
func (vk *VerifyingKey) Prepare() (*PreparedKey, error) {
	gt, err := bls12381.Pair([]bls12381.G1Affine{vk.AlphaG1}, []bls12381.G2Affine{vk.BetaG2})
	if err != nil {
		return nil, fmt.Errorf("prepare verifying key: %w", err)
	}
	return &PreparedKey{vk: vk, alphaBeta: gt}, nil
}

// Key returns the key that was prepared.
func (k *PreparedKey) Key() *VerifyingKey { return k.vk }

// Inputs returns how many public inputs a proof under this key has, without the
// constant one.
func (k *PreparedKey) Inputs() int { return len(k.vk.IC) - 1 }

// Verify checks one proof against its public inputs, given without the constant
// one: e(A, B) = e(alpha, beta)·e(Σ inputs·ic, gamma)·e(C, delta). A proof that
// does not hold gives an error that wraps ErrRejected.
func (k *PreparedKey) Verify(p *Proof, inputs []fr.Element) error {
	if err := k.checkInputs(inputs); err != nil {
		return err
	}
	scalars := make([]fr.Element, len(k.vk.IC))
	scalars[0].SetOne()
	copy(scalars[1:], inputs)
	var sum bls12381.G1Affine
	if _, err := sum.MultiExp(k.vk.IC, scalars, ecc.MultiExpConfig{NbTasks: 1}); err != nil {
		return fmt.Errorf("sum public inputs: %w", err)
	}
	var c bls12381.G1Affine
	sum.Neg(&sum)
	c.Neg(&p.C)
	gt, err := bls12381.Pair(
		[]bls12381.G1Affine{p.A, sum, c},
		[]bls12381.G2Affine{p.B, k.vk.GammaG2, k.vk.DeltaG2},
	)
	if err != nil {
		return fmt.Errorf("compute pairing: %w", err)
	}
	if !gt.Equal(&k.alphaBeta) {
		return ErrRejected
	}
	return nil
}

// VerifyAll checks the proofs of all partitions together; inputs[k] are those of
// proofs[k], without the constant one. One product of pairings with random
// coefficients decides for all (M. Bellare, J. Garay, T. Rabin, "Fast Batch
// Verification", 1998: the small exponents test); where it fails, the partitions
// are checked one by one and the error names those that do not hold.
func (k *PreparedKey) VerifyAll(proofs []*Proof, inputs [][]fr.Element) error {
	if len(proofs) != len(inputs) {
		return fmt.Errorf("verify proof: expected public inputs of %d partitions, found %d", len(proofs), len(inputs))
	}
	for i := range inputs {
		if err := k.checkInputs(inputs[i]); err != nil {
			return fmt.Errorf("partition %d: %w", i, err)
		}
	}
	switch len(proofs) {
	case 0:
		return errors.New("verify proof: expected at least 1 partition, found 0")
	case 1:
		return nameRejected(k.Verify(proofs[0], inputs[0]), 0)
	}
	ok, err := k.batch(proofs, inputs)
	if err != nil || ok {
		return err
	}
	var bad []error
	for i := range proofs {
		bad = append(bad, nameRejected(k.Verify(proofs[i], inputs[i]), i))
	}
	return errors.Join(bad...)
}

func nameRejected(err error, partition int) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("partition %d: %w", partition, err)
}

func (k *PreparedKey) checkInputs(inputs []fr.Element) error {
	if len(inputs) != k.Inputs() {
		return fmt.Errorf("verify proof: expected %d public inputs, found %d", k.Inputs(), len(inputs))
	}
	return nil
}

// batch checks Π e(z_i·A_i, B_i) · e(-Σz·alpha, beta) · e(-Σ z_i·IC_i, gamma) ·
// e(-Σ z_i·C_i, delta) = 1 for random z.
func (k *PreparedKey) batch(proofs []*Proof, inputs [][]fr.Element) (bool, error) {
	n := len(proofs)
	z, err := randomWeights(n)
	if err != nil {
		return false, err
	}
	cs := make([]bls12381.G1Affine, n)
	left := make([]bls12381.G1Affine, n, n+3)
	right := make([]bls12381.G2Affine, n, n+3)
	for i, p := range proofs {
		var weight big.Int
		left[i].ScalarMultiplication(&p.A, z[i].BigInt(&weight))
		right[i], cs[i] = p.B, p.C
	}
	var alpha, ic, c bls12381.G1Affine
	ics := weighInputs(z, inputs)
	var weight big.Int
	alpha.ScalarMultiplication(&k.vk.AlphaG1, ics[0].BigInt(&weight))
	if _, err := ic.MultiExp(k.vk.IC, ics, ecc.MultiExpConfig{}); err != nil {
		return false, fmt.Errorf("sum public inputs: %w", err)
	}
	if _, err := c.MultiExp(cs, z, ecc.MultiExpConfig{}); err != nil {
		return false, fmt.Errorf("sum proof points: %w", err)
	}
	for _, p := range []*bls12381.G1Affine{&alpha, &ic, &c} {
		p.Neg(p)
	}
	ok, err := bls12381.PairingCheck(
		append(left, alpha, ic, c),
		append(right, k.vk.BetaG2, k.vk.GammaG2, k.vk.DeltaG2),
	)
	if err != nil {
		return false, fmt.Errorf("compute pairing: %w", err)
	}
	return ok, nil
}

// weighInputs returns Σ z_i for the constant one, then Σ z_i·input of every
// other input.
func weighInputs(z []fr.Element, inputs [][]fr.Element) []fr.Element {
	sums := make([]fr.Element, len(inputs[0])+1)
	for i := range z {
		sums[0].Add(&sums[0], &z[i])
		for j := range inputs[i] {
			var term fr.Element
			term.Mul(&z[i], &inputs[i][j])
			sums[j+1].Add(&sums[j+1], &term)
		}
	}
	return sums
}

// randomWeights returns n non-zero values of 128 bits: a false batch passes with
// a chance of 2^-128.
func randomWeights(n int) ([]fr.Element, error) {
	z := make([]fr.Element, n)
	for i := range z {
		for z[i].IsZero() {
			var raw [16]byte
			if _, err := rand.Read(raw[:]); err != nil {
				return nil, fmt.Errorf("draw random weights: %w", err)
			}
			z[i].SetBytes(raw[:])
		}
	}
	return z, nil
}
