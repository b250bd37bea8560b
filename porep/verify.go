package porep

import (
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/porep/groth16"
)

// Verify checks a proof, groth16.ProofBytes a partition, against the public inputs
// of each partition, without the constant one. Malformed bytes and a proof that
// does not hold are errors; the latter's wrap groth16.ErrRejected.
func Verify(key *groth16.PreparedKey, proof []byte, inputs [][]fr.Element) error {
	proofs, err := groth16.ParseProofs(proof, len(inputs))
	if err != nil {
		return err
	}
	return key.VerifyAll(proofs, inputs)
}
