package circuit

import (
	"math/bits"
	"slices"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/porep/poseidon"
	"github.com/sealwright/sealwright/sdk"
)

// Outputs of a Merkle step.
const (
	stepIndex = 0 // bits of the place among the siblings
	stepHash  = 1 // Poseidon steps: the parent
	stepLeft  = 1 // binary step: bits of the left child
	stepRight = 2 // binary step: bits of the right child
)

// stepRows records what every level of a Merkle path begins with: the place's
// bits, the siblings, the insertion. It returns the children in order.
func (r *recorder) stepRows(arity int) []sdk.Column {
	element := r.port(sdk.Field).at(0)
	r.exportNext(sdk.Bit)
	place := r.allocBits(bits.TrailingZeros(uint(arity)))
	siblings := make([]sdk.Column, arity-1)
	for i := range siblings {
		siblings[i] = r.field()
	}
	return r.insert(element, place, siblings)
}

// putStep appends the variables of stepRows, siblings and place from the tape.
func (x *expansion) putStep(arity int) [8]fr.Element {
	element := x.wireField(0)
	place := x.tape.place(arity)
	x.bits.put(place, uint(bits.TrailingZeros(uint(arity))))
	var siblings [7]fr.Element
	for i := range arity - 1 {
		siblings[i] = x.tape.field()
		x.putField(&siblings[i])
	}
	return x.putInsertion(&element, place, siblings[:arity-1])
}

// poseidonStep is one level of a path in trees C and R. Wire: the node.
func (s *assembler) poseidonStep(arity int) *gadget {
	return s.gadget("merkle step of arity "+decimal(arity), func(r *recorder) expander {
		params := poseidon.ForArity(arity)
		r.poseidon(params, r.stepRows(arity))
		return &poseidonStepExpander{params}
	})
}

type poseidonStepExpander struct{ params *poseidon.Params }

func (e *poseidonStepExpander) expand(x *expansion) {
	children := x.putStep(e.params.Arity)
	x.putPoseidon(e.params, children[:e.params.Arity])
}

// binaryStep is one level of a path in tree D, up to the bits that SHA-256 takes
// in. Wire: the node.
func (s *assembler) binaryStep() *gadget {
	return s.gadget("binary merkle step", func(r *recorder) expander {
		for _, child := range r.stepRows(2) {
			r.exportNext(sdk.Bit)
			r.toBits(child)
		}
		return binaryStepExpander{}
	})
}

type binaryStepExpander struct{}

func (binaryStepExpander) expand(x *expansion) {
	children := x.putStep(2)
	x.putNumberBits(&children[0])
	x.putNumberBits(&children[1])
}

// pathEnd makes a public input of the leaf's index, of the bits of all levels,
// and holds the computed root to the known one. Wires: the bits of each level, the
// two roots.
func (s *assembler) pathEnd(arities []int) *gadget {
	name := "path end"
	for _, a := range arities {
		name += " " + decimal(a)
	}
	return s.gadget(name, func(r *recorder) expander {
		var index []boolean
		e := pathEndExpander{}
		for _, arity := range arities {
			p := r.port(sdk.Bit)
			width := bits.TrailingZeros(uint(arity))
			for i := range width {
				index = append(index, boolean{is, p.at(uint32(i))})
			}
			e = append(e, uint32(width))
		}
		roots := r.fieldPorts(2)
		r.packInput(index)
		r.enforce(lc{}.plus(roots[0]), lc{}.plus(one), lc{}.plus(roots[1]))
		return e
	})
}

// pathEndExpander holds the number of index bits of each level.
type pathEndExpander []uint32

func (e pathEndExpander) expand(x *expansion) {
	var index uint64
	for i, width := range slices.Backward(e) {
		index = index<<width | x.wireBits(i, 0, width)
	}
	var number fr.Element
	number.SetUint64(index)
	x.putInput(&number)
}

// poseidonPath places a path in tree C or R from a leaf to a known root.
func (s *assembler) poseidonPath(arities []int, leaf, root sdk.Wire) {
	var wires []sdk.Wire
	node := leaf
	for _, arity := range arities {
		step := s.place(s.poseidonStep(arity), node)
		wires = append(wires, step.out(stepIndex))
		node = step.out(stepHash)
	}
	s.place(s.pathEnd(arities), append(wires, node, root)...)
}

// binaryPath places a path in tree D from a leaf to a known root.
func (s *assembler) binaryPath(levels int, leaf, root sdk.Wire) {
	var wires []sdk.Wire
	node := leaf
	for range levels {
		step := s.place(s.binaryStep(), node)
		wires = append(wires, step.out(stepIndex))
		state := s.place(s.nodeBlock(), step.out(stepLeft), step.out(stepRight)).out(0)
		state = s.place(s.nodePadding(), state).out(0)
		node = s.place(s.digestNumber(), state).out(0)
	}
	s.place(s.pathEnd(slices.Repeat([]int{2}, levels)), append(wires, node, root)...)
}
