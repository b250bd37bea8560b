package synth

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/sealwright/sealwright/porep/graph"
	"github.com/sealwright/sealwright/porep/poseidon"
	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/porep/vanilla"
)

// wpostCircuit is the circuit that made-up WindowPoSts are for, and wpostProof
// their number, abi.RegisteredPoStProof.
const (
	wpostCircuit = "wpost-2k"
	wpostProof   = 10
)

// WindowPoSt is a WindowPoSt request for two made-up 2 KiB sectors, which fill
// one partition.
type WindowPoSt struct {
	Proof      registry.WindowPoSt
	Miner      uint64
	ProverID   Hash // the miner's
	Randomness Hash
	Sectors    []WindowPoStSector // ascending by ID
}

// WindowPoStSector is what one sector contributes.
type WindowPoStSector struct {
	ID         uint64
	CommR      Hash
	Challenges []uint64 // leaves of tree R, in order
	// Vanilla is the sector's vanilla proof in bincode, as filecoin-proofs-api
	// writes a FallbackPoStSectorProof.
	Vanilla []byte
}

// NewWindowPoSt makes the request of a name up. Equal names give equal requests.
// With H(x) the node hash of the text x, and N(x) its first 8 bytes as a
// little-endian integer:
//   - randomness is H("wpost/NAME/randomness");
//   - the miner is N("wpost/NAME/miner") >> 32;
//   - the sectors are N("wpost/NAME/sector") >> 11 and the next number;
//   - leaf V of tree T (C or R) of sector I (0 or 1) is H("wpost/NAME/I/T/V").
func NewWindowPoSt(ctx context.Context, name string) (*WindowPoSt, error) {
	if name == "" {
		return nil, fmt.Errorf("validate name: it is empty")
	}
	proof, ok := registry.WindowPoStByNumber(wpostProof)
	if !ok {
		return nil, fmt.Errorf("look up %s: registered proof %d is not known", wpostCircuit, wpostProof)
	}
	draw := func(what string) Hash { return hashOf([]byte("wpost/" + name + "/" + what)) }
	w := &WindowPoSt{Proof: proof, Miner: number(draw("miner")) >> 21, Randomness: draw("randomness")}
	w.ProverID = vanilla.MinerProverID(w.Miner)
	first := number(draw("sector"))
	for i := range proof.Shape.Sectors {
		s, err := w.sector(ctx, i, first+uint64(i), draw)
		if err != nil {
			return nil, err
		}
		w.Sectors = append(w.Sectors, s)
	}
	return w, nil
}

// sector makes up sector i of the request.
func (w *WindowPoSt) sector(ctx context.Context, i int, id uint64, draw func(string) Hash) (s WindowPoStSector, err error) {
	nodes := w.Proof.Shape.Nodes()
	var trees [2]*tree
	for k, name := range []string{"C", "R"} {
		index, leaves := make([]uint64, nodes), make([]Hash, nodes)
		for v := range leaves {
			index[v], leaves[v] = uint64(v), draw(fmt.Sprintf("%d/%s/%d", i, name, v))
		}
		if trees[k], err = growTree(ctx, w.Proof.Shape.Tree.Levels(nodes), index, leaves, nil); err != nil {
			return s, err
		}
	}
	commC, treeR := trees[0].root(), trees[1]
	s.ID = id
	s.Challenges = graph.WindowPoStChallenges(w.Randomness, id, nodes, w.Proof.V1_1, i, w.Proof.Shape.Challenges)
	s.CommR, err = hashNodes(poseidon.ForArity(2), []Hash{commC, treeR.root()})
	s.Vanilla = s.bincode(commC, treeR)
	return s, err
}

// single is how bincode numbers the shape of an opening in a tree without sub
// and top trees.
const single = 0

// bincode encodes the sector's vanilla proof: integers and lengths are 8 bytes
// little-endian, shapes 4.
func (s *WindowPoStSector) bincode(commC Hash, treeR *tree) []byte {
	var b []byte
	le8 := func(n uint64) { b = binary.LittleEndian.AppendUint64(b, n) }
	hash := func(h Hash) { b = append(b, h[:]...) }
	le8(s.ID)
	hash(s.CommR)
	le8(1) // sectors in this proof
	le8(uint64(len(s.Challenges)))
	for _, c := range s.Challenges {
		b = binary.LittleEndian.AppendUint32(b, single)
		hash(treeR.root())
		hash(treeR.leaf(c))
		path := treeR.open(c)
		le8(uint64(len(path)))
		for _, step := range path {
			le8(uint64(len(step.Siblings)))
			for _, h := range step.Siblings {
				hash(h)
			}
			le8(step.Index)
		}
	}
	hash(commC)
	hash(treeR.root())
	return b
}
