package porep

import (
	"context"
	"errors"
	"fmt"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/porep/circuit"
	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/porep/vanilla"
)

// ParseWindowPoSt reads one partition of a WindowPoSt, the 32 bytes of randomness
// and a vanilla proof (bincode) a sector, and checks all that they claim. Claims
// must say the registered proof. The job borrows the bytes.
func ParseWindowPoSt(ctx context.Context, randomness []byte, proofs [][]byte, claims Claims) (*Job, error) {
	if claims.RegisteredProof == nil {
		return nil, invalid(errors.New("check registered proof: found none, expected a WindowPoSt's number"), nil)
	}
	proof, ok := registry.WindowPoStByNumber(*claims.RegisteredProof)
	if !ok {
		return nil, invalid(fmt.Errorf("check registered proof: found the unsupported number %d, expected a WindowPoSt of 2 KiB",
			*claims.RegisteredProof), nil)
	}
	if err := claims.checkProof(proof.Name, proof.Number, &proof.Shape); err != nil {
		return nil, invalid(err, nil)
	}
	post := &vanilla.WindowPoSt{Proof: proof, Partition: claims.PartitionIndex}
	if err := readPoSt(post, randomness, proofs); err != nil {
		return nil, invalid(err, nil)
	}
	if err := post.Check(ctx); err != nil {
		return nil, invalid(err, ctx.Err())
	}
	return &Job{
		kind: KindWindowPoSt, registered: proof.Number, shape: proof.Shape,
		parts: append([][]byte{randomness}, proofs...), work: &postWork{post},
	}, nil
}

func readPoSt(post *vanilla.WindowPoSt, randomness []byte, proofs [][]byte) error {
	if n := len(randomness); n != len(post.Randomness) {
		return fmt.Errorf("read randomness: found %d bytes, expected %d", n, len(post.Randomness))
	}
	if n, most := len(proofs), post.Proof.Shape.Sectors; n == 0 || n > most {
		return fmt.Errorf("read vanilla proofs: found %d, expected 1 to %d", n, most)
	}
	copy(post.Randomness[:], randomness)
	// The chain's randomness is any 32 bytes; provers and verifiers take 254 bits.
	post.Randomness[len(post.Randomness)-1] &= 0x3f
	for i, data := range proofs {
		s, err := vanilla.ParseWindowPoStSector(data, &post.Proof.Shape)
		if err != nil {
			return fmt.Errorf("read vanilla proof %d of %d: %w", i, len(proofs), err)
		}
		post.Sectors = append(post.Sectors, *s)
	}
	return nil
}

// postWork is a checked WindowPoSt.
type postWork struct{ post *vanilla.WindowPoSt }

func (w *postWork) partitions() int { return w.post.Proof.Shape.Partitions }

// place returns which sector fills a place of the circuit: the last one all that
// are left over.
func (w *postWork) place(i int) int { return min(i, len(w.post.Sectors)-1) }

// inputs returns comm_r and the challenged leaves of each place.
func (w *postWork) inputs(int) ([]fr.Element, error) {
	shape := &w.post.Proof.Shape
	inputs := make([]fr.Element, 0, shape.Inputs()-1)
	for i := range shape.Sectors {
		at := w.place(i)
		commR, ok := w.post.Sectors[at].CommR.Element()
		if !ok {
			return nil, fmt.Errorf("compute public inputs: sector %d: comm_r is no field element below r", at)
		}
		inputs = append(inputs, commR)
		for _, leaf := range w.post.Challenges(at) {
			inputs = append(inputs, fr.NewElement(leaf))
		}
	}
	return inputs, nil
}

func (w *postWork) secrets(int) (*circuit.Secrets, error) { return circuit.WindowPoStSecrets(w.post) }
