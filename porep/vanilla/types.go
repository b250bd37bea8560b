// Package vanilla reads and checks vanilla proofs: what a sealed sector hands
// to the prover. A C1 output (JSON) opens a sector's trees at its challenges; a
// WindowPoSt vanilla proof (bincode) opens a sector's tree R.
//
// Reading never trusts: every length, index and field element is checked, and
// Check recomputes every opening natively, so that what reaches the circuit
// satisfies it.
package vanilla

import "github.com/sealwright/sealwright/porep/registry"

// Hash is a node, commitment or seed: 32 bytes as the reference holds them. Read
// as a little-endian integer, a node or commitment is a canonical element of Fr.
type Hash [32]byte

// C1 is a parsed C1 output.
type C1 struct {
	Seal       registry.Seal
	Partitions [][]Challenge // Shape.Partitions of Shape.Challenges each
	CommR      Hash
	CommD      Hash
	ReplicaID  Hash
	Seed       Hash
	Ticket     Hash
}

// Challenge is what a C1 output opens for one challenged node.
type Challenge struct {
	Data     Path     // the node in tree D
	Replica  Path     // the node in tree R
	Column   Column   // the node's labels, in tree C
	DRG      []Column // BaseDegree base parents
	Expander []Column // ExpanderDegree expander parents
	Labels   []Label  // one a layer, the first layer's first
	Encoding Label
}

// Node returns the challenged node's index.
func (c *Challenge) Node() uint64 { return c.Labels[0].Node }

// Column is a node's labels and its opening in tree C.
type Column struct {
	Index uint32
	Rows  []Hash // one label a layer, the first layer's first
	Path  Path
}

// Label is the proof of a label: its preimage's parents.
type Label struct {
	Parents []Hash // LabelParents labels
	Layer   uint32 // from 1
	Node    uint64
}

// Path is an opening of a Merkle tree, from leaf to root. Levels of base, sub
// and top trees follow each other in Steps.
type Path struct {
	Root, Leaf Hash
	Steps      []Step
}

// Step is one level of a Path.
type Step struct {
	Siblings []Hash // in order, the own place left out
	Index    uint8  // the own place among the siblings, below the arity
}

// Index returns the index of the opened leaf, from the places on the way up.
func (p *Path) Index() uint64 {
	var index, stride uint64 = 0, 1
	for _, s := range p.Steps {
		index += uint64(s.Index) * stride
		stride *= uint64(len(s.Siblings) + 1)
	}
	return index
}
