package porep

import (
	"fmt"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/porep/graph"
	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/porep/vanilla"
)

// SealStatement is what a seal proof states: all that its public inputs follow
// from.
type SealStatement struct {
	Seal registry.Seal
	// PorepID seeds the graph and the replica id: Seal.PorepID() on the network,
	// anything in tests of other implementations.
	PorepID  [32]byte
	ProverID [32]byte
	Sector   uint64
	Ticket   [32]byte
	Seed     [32]byte
	CommR    [32]byte
	CommD    [32]byte
}

// PublicInputs returns the public inputs of each partition in order, without the
// constant one. A commitment that is no canonical field element is an error.
func (s *SealStatement) PublicInputs() ([][]fr.Element, error) {
	shape := s.Seal.Shape
	public := sealPublic{
		shape: shape, graph: graph.New(s.PorepID, shape.Nodes(), s.Seal.V1_1),
		replicaID: graph.ReplicaID(s.ProverID, s.Sector, s.Ticket, s.CommD, s.PorepID),
		commD:     s.CommD, commR: s.CommR, seed: s.Seed,
	}
	all := make([][]fr.Element, shape.Partitions)
	for k := range all {
		var err error
		if all[k], err = public.inputs(k); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// sealPublic is what public inputs are computed from.
type sealPublic struct {
	shape                   registry.Shape
	graph                   *graph.Graph
	replicaID, commD, commR vanilla.Hash
	seed                    [32]byte
}

// inputs returns a partition's public inputs: replica_id, comm_d, comm_r; then for
// each challenged node itself (its opening in tree D), its base parents, its
// expander parents, and three times itself (the challenge, its openings in trees
// R and C).
func (p *sealPublic) inputs(partition int) ([]fr.Element, error) {
	inputs := make([]fr.Element, 0, p.shape.Inputs()-1)
	for _, c := range []struct {
		name string
		hash *vanilla.Hash
	}{{"replica_id", &p.replicaID}, {"comm_d", &p.commD}, {"comm_r", &p.commR}} {
		e, ok := c.hash.Element()
		if !ok {
			return nil, invalid(fmt.Errorf("compute public inputs: %s: found %s, expected a field element below r", c.name, c.hash), nil)
		}
		inputs = append(inputs, e)
	}
	add := func(node uint64) { inputs = append(inputs, fr.NewElement(node)) }
	for _, node := range graph.Challenges(p.replicaID, p.seed, p.shape.Nodes(), p.shape.Challenges, partition) {
		add(node)
		for _, parent := range p.graph.DRGParents(node) {
			add(uint64(parent))
		}
		for _, parent := range p.graph.ExpanderParents(node) {
			add(uint64(parent))
		}
		for range 3 {
			add(node)
		}
	}
	return inputs, nil
}
