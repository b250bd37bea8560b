package vanilla

import (
	"fmt"

	"github.com/sealwright/sealwright/porep/registry"
)

const postFormat = "WindowPoSt vanilla proof"

// WindowPoSt is what one partition of a WindowPoSt is made of.
type WindowPoSt struct {
	Proof      registry.WindowPoSt
	Randomness Hash   // the two top bits of the last byte are zero
	Partition  uint32 // of the deadline
	// Sectors are at most Shape.Sectors, in the order of the public inputs; a
	// circuit with room for more takes the last again.
	Sectors []WindowPoStSector
}

// WindowPoStSector is a sector's vanilla proof: openings of its tree R.
type WindowPoStSector struct {
	ID        uint64
	CommR     Hash
	CommC     Hash
	CommRLast Hash
	Paths     []Path // Shape.Challenges of them, in order
}

// ParseWindowPoStSector reads one sector's vanilla proof: the bincode of the
// reference's FallbackPoStSectorProof, of a sector of the given shape. It
// borrows nothing of data. Errors are *ParseError.
func ParseWindowPoStSector(data []byte, shape *registry.Shape) (*WindowPoStSector, error) {
	r := &bincodeReader{format: postFormat, data: data}
	s := &WindowPoStSector{Paths: make([]Path, shape.Challenges)}
	levels := shape.Tree.Levels(shape.Nodes())
	r.at("sector_id", func() { s.ID = r.u64() })
	r.at("comm_r", func() { r.hash(&s.CommR) })
	r.at("vanilla_proof", func() {
		r.at("sectors", func() {
			r.list(1, func(int) {
				r.at("inclusion_proofs", func() {
					r.list(len(s.Paths), func(i int) { r.opening(&s.Paths[i], shape.Tree, levels) })
				})
				r.at("comm_c", func() { r.hash(&s.CommC) })
				r.at("comm_r_last", func() { r.hash(&s.CommRLast) })
			})
		})
	})
	if err := r.end(); err != nil {
		return nil, err
	}
	return s, nil
}

// The shapes of an opening, as bincode numbers them.
const (
	singleProof = iota
	subProof
	topProof
)

// opening reads an opening of a tree of the given shape and arities, leaves
// first. In a single tree the root comes first, in others last.
func (r *bincodeReader) opening(p *Path, tree registry.Tree, levels []int) {
	variant, base := uint32(singleProof), len(levels)
	switch {
	case tree.Top > 0:
		variant, base = topProof, base-2
	case tree.Sub > 0:
		variant, base = subProof, base-1
	}
	r.at("data", func() {
		if found := r.u32(); r.err == nil && found != variant {
			r.fail(fmt.Sprintf("variant %d, as the tree is %s", variant, tree), fmt.Sprint(found))
		}
	})
	p.Steps = make([]Step, len(levels))
	ends := func() {
		r.at("root", func() { r.hash(&p.Root) })
		r.at("leaf", func() { r.hash(&p.Leaf) })
	}
	if variant == singleProof {
		ends()
	}
	part := func(name string, from, to int) {
		r.at(name, func() { r.steps(p.Steps[from:to], levels[from:to]) })
	}
	part("path", 0, base)
	if variant >= subProof {
		part("sub_proof", base, base+1)
	}
	if variant >= topProof {
		part("top_proof", base+1, base+2)
	}
	if variant != singleProof {
		ends()
	}
}

func (r *bincodeReader) steps(steps []Step, levels []int) {
	r.list(len(steps), func(i int) {
		s, arity := &steps[i], levels[i]
		s.Siblings = make([]Hash, arity-1)
		r.at("hashes", func() {
			r.list(arity-1, func(j int) { r.hash(&s.Siblings[j]) })
		})
		r.at("index", func() {
			index := r.u64()
			if r.err == nil && index >= uint64(arity) {
				r.fail(fmt.Sprintf("an integer from 0 to %d", arity-1), fmt.Sprint(index))
			}
			s.Index = uint8(index)
		})
	})
}
