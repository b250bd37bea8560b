package porep

import (
	"context"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/porep/circuit"
	"github.com/sealwright/sealwright/porep/graph"
	"github.com/sealwright/sealwright/porep/vanilla"
)

// ParsePoRep reads a C1 output, bare or in its envelope, and checks all that it
// claims. With id its replica_id is recomputed; nil leaves that out. The job
// borrows a bare data.
func ParsePoRep(ctx context.Context, data []byte, id *Identity) (*Job, error) {
	return ParsePoRepClaims(ctx, data, claimsOf(id))
}

// ParsePoRepClaims is ParsePoRep for a request that says more, or less, of its
// input.
func ParsePoRepClaims(ctx context.Context, data []byte, claims Claims) (*Job, error) {
	in, err := vanilla.Parse(data)
	if err != nil {
		return nil, invalid(err, nil)
	}
	seal := &in.C1.Seal
	if err := claims.checkProof(seal.Name, seal.Number, &seal.Shape); err != nil {
		return nil, invalid(err, nil)
	}
	id, err := claims.Identity(in.Envelope)
	if err != nil {
		return nil, invalid(err, nil)
	}
	if err := in.C1.Check(ctx, id); err != nil {
		return nil, invalid(err, ctx.Err())
	}
	return &Job{
		kind: KindPoRep, registered: seal.Number, shape: seal.Shape, parts: [][]byte{in.Bare},
		identified: id != nil, work: newSealWork(in.C1),
	}, nil
}

// sealWork is a checked C1 output.
type sealWork struct {
	c1     *vanilla.C1
	public sealPublic
}

func newSealWork(c1 *vanilla.C1) *sealWork {
	return &sealWork{c1: c1, public: sealPublic{
		shape: c1.Seal.Shape, graph: graph.New(c1.Seal.PorepID(), c1.Seal.Shape.Nodes(), c1.Seal.V1_1),
		replicaID: c1.ReplicaID, commD: c1.CommD, commR: c1.CommR, seed: c1.Seed,
	}}
}

func (w *sealWork) partitions() int { return len(w.c1.Partitions) }

func (w *sealWork) inputs(partition int) ([]fr.Element, error) { return w.public.inputs(partition) }

func (w *sealWork) secrets(partition int) (*circuit.Secrets, error) {
	return circuit.PoRepSecrets(w.c1, partition)
}
