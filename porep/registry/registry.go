// Package registry is the one table of registered proofs, tree shapes,
// challenge counts, circuit ids and proving key names. No other package writes
// such a number down.
//
// Sources: go-state-types abi (numbers and names), FIP-0003 and the published
// parameters.json of rust-fil-proofs (cache identifiers).
package registry

// NodeBytes is the size of a node of a sector's graph.
const NodeBytes = 32

// Degrees of the graph that labels are computed over.
const (
	BaseDegree     = 6
	ExpanderDegree = 8
)

// LabelParents is how many parents' labels a label's preimage holds, repeated
// from the BaseDegree (first layer) or BaseDegree+ExpanderDegree parents.
const LabelParents = 37
