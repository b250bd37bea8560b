package circuit

import (
	"math/bits"

	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/sdk"
)

// assemblePoRep places the sealing circuit. It shows that the replica behind
// comm_r holds, at each challenged node, the data of comm_d encoded with a label
// that was computed from its parents' labels.
func (s *assembler) assemblePoRep(shape *registry.Shape) {
	p := porep{assembler: s, shape: shape, arities: shape.Tree.Levels(shape.Nodes())}
	p.header()
	s.endSection()
	for range shape.Challenges {
		p.challenge()
		s.endSection()
	}
}

// porep places what the challenges share and then challenge after challenge.
type porep struct {
	*assembler
	shape   *registry.Shape
	arities []int // of trees C and R, from the leaves up

	replicaID    sdk.Wire // bits
	commD        sdk.Wire
	commC, rLast sdk.Wire
}

// header places replica_id, comm_d, comm_r and its opening.
func (p *porep) header() {
	replicaID := p.place(p.publicNumber()).out(0)
	p.replicaID = p.place(p.toBits(), replicaID).out(0)
	p.commD = p.place(p.publicNumber()).out(0)
	commR := p.place(p.publicNumber()).out(0)
	roots := run(p.place(p.secrets(2)).out(0), 2)
	p.rLast, p.commC = roots[0], roots[1]
	hash := p.place(p.poseidonHash(2), p.commC, p.rLast).out(0)
	p.place(p.equal(), commR, hash)
}

func (p *porep) challenge() {
	leaf := p.place(p.secrets(1)).out(0)
	p.binaryPath(bits.TrailingZeros64(p.shape.Nodes()), leaf, p.commD)

	base := p.columns(registry.BaseDegree)
	expander := p.columns(registry.ExpanderDegree)

	node := p.place(p.integer()).out(0)
	labels := make([]sdk.Wire, p.shape.Layers)
	for i := range labels {
		parents := p.parents(base, i)
		if i > 0 {
			parents = append(parents, p.parents(expander, i-1)...)
		}
		labels[i] = p.label(i+1, node, parents)
	}

	replica := p.place(p.sum(), labels[len(labels)-1], leaf).out(0)
	p.poseidonPath(p.arities, replica, p.rLast)
	column := p.place(p.poseidonHash(p.shape.Layers), labels...).out(0)
	p.poseidonPath(p.arities, column, p.commC)
}

// columns places n parents' columns, each shown to be in tree C. It returns the
// columns' labels.
func (p *porep) columns(n int) [][]sdk.Wire {
	columns := make([][]sdk.Wire, n)
	for i := range columns {
		columns[i] = run(p.place(p.secrets(p.shape.Layers)).out(0), p.shape.Layers)
		hash := p.place(p.poseidonHash(p.shape.Layers), columns[i]...).out(0)
		p.poseidonPath(p.arities, hash, p.commC)
	}
	return columns
}

// parents takes the labels of one row of the columns apart into bits.
func (p *porep) parents(columns [][]sdk.Wire, row int) []sdk.Wire {
	labels := make([]sdk.Wire, len(columns))
	for i, column := range columns {
		labels[i] = p.place(p.toBits(), column[row]).out(0)
	}
	return labels
}

// label places the computation of a node's label in a layer from its parents'
// labels, repeated in turn as often as it takes.
func (p *porep) label(layer int, node sdk.Wire, parents []sdk.Wire) sdk.Wire {
	state := p.place(p.labelFirst(layer), p.replicaID, node).out(0)
	parent := func(i int) sdk.Wire { return parents[i%len(parents)] }
	const last = registry.LabelParents - 1
	for i := 0; i < last; i += 2 {
		state = p.place(p.labelMiddle(), state, parent(i), parent(i+1)).out(0)
	}
	state = p.place(p.labelLast(), state, parent(last)).out(0)
	return p.place(p.digestNumber(), state).out(0)
}
