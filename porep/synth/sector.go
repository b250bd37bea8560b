package synth

import (
	"context"
	"math/bits"

	"github.com/sealwright/sealwright/porep/graph"
	"github.com/sealwright/sealwright/porep/poseidon"
	"github.com/sealwright/sealwright/porep/registry"
)

// Sector is the part of a made-up sector that its C1 output opens. The data are
// all zeros, so the replica is the last layer of labels. It is read-only and
// safe for concurrent use.
type Sector struct {
	Seal      registry.Seal
	ProverID  Hash
	SectorID  uint64
	Ticket    Hash
	Seed      Hash
	ReplicaID Hash
	CommD     Hash
	CommC     Hash
	CommRLast Hash
	CommR     Hash

	challenges [][]uint64 // of each partition
	zeros      []Hash     // node of each level of tree D, leaf to root
	labels     *labels
	treeC      *tree
	treeR      *tree
}

// New makes a sector up, on all processors: about 3,000 nodes of 32 GiB, some
// seconds of processor time and 20 MB. Errors are those of Options.Validate and
// of the context.
func New(ctx context.Context, o Options) (*Sector, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	seal, _ := o.seal()
	s := &Sector{
		Seal: seal, ProverID: o.proverID(), SectorID: o.sectorID(),
		Ticket: o.identifier("ticket"), Seed: o.identifier("seed"),
	}
	nodes := seal.Shape.Nodes()
	s.zeros = zeroTree(nodes)
	s.CommD = s.zeros[len(s.zeros)-1]
	s.ReplicaID = graph.ReplicaID(s.ProverID, s.SectorID, s.Ticket, s.CommD, seal.PorepID())
	for k := range seal.Shape.Partitions {
		s.challenges = append(s.challenges, graph.Challenges(s.ReplicaID, s.Seed, nodes, seal.Shape.Challenges, k))
	}
	rng := o.identifier("rng")
	s.labels = makeLabels(s, rng)
	return s, s.grow(ctx, rng)
}

// zeroTree returns the nodes of a tree D over zeros, one a level.
func zeroTree(nodes uint64) []Hash {
	zeros := make([]Hash, bits.Len64(nodes))
	for i := 1; i < len(zeros); i++ {
		zeros[i] = graph.PairHash(&zeros[i-1], &zeros[i-1])
	}
	return zeros
}

// grow computes trees C and R and the commitments over them.
func (s *Sector) grow(ctx context.Context, rng Hash) error {
	count, layers := len(s.labels.nodes), s.Seal.Shape.Layers
	columns, replica := make([]Hash, count), make([]Hash, count)
	hasher := poseidon.ForArity(layers)
	err := each(ctx, count, func(i int) (err error) {
		replica[i] = s.labels.columns[i][layers-1]
		columns[i], err = hashNodes(hasher, s.labels.columns[i])
		return err
	})
	if err != nil {
		return err
	}
	arities := s.Seal.Shape.Tree.Levels(s.Seal.Shape.Nodes())
	if s.treeC, err = growTree(ctx, arities, s.labels.nodes, columns, fillers(rng, 'C', arities)); err != nil {
		return err
	}
	if s.treeR, err = growTree(ctx, arities, s.labels.nodes, replica, fillers(rng, 'R', arities)); err != nil {
		return err
	}
	s.CommC, s.CommRLast = s.treeC.root(), s.treeR.root()
	s.CommR, err = hashNodes(poseidon.ForArity(2), []Hash{s.CommC, s.CommRLast})
	return err
}

// Challenges returns the challenged nodes of a partition.
func (s *Sector) Challenges(partition int) []uint64 { return s.challenges[partition] }

// fillers returns what stands at each place of each level where no node exists.
func fillers(rng Hash, tree byte, arities []int) [][]Hash {
	all := make([][]Hash, len(arities))
	for level, arity := range arities {
		for place := range arity {
			f := hashOf([]byte("c1synth/filler"), rng[:], []byte{tree}, be4(level), be4(place))
			all[level] = append(all[level], f)
		}
	}
	return all
}
