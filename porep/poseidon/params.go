// Package poseidon is the Poseidon hash of Filecoin's trees, columns and
// replica commitments: over the scalar field Fr of BLS12-381, standard strength,
// with the domain tag of a Merkle tree.
//
// The state has Width = Arity+1 elements, [2^Arity - 1, in_1 .. in_Arity]; the
// S-box is x^5, there are 8 full rounds around the partial ones, and the result
// is element 1 of the last state. Constants and their optimised form (round
// constants pushed back through the linear layers, one sparse matrix a partial
// round) are those of the neptune library, in its order, since the circuit has
// to spell them out the same way.
//
// Sources: Grassi et al., "Poseidon: A New Hash Function for Zero-Knowledge Proof
// Systems", section 4 and appendix B; the Filecoin specification, appendix
// "Poseidon".
//
// All elements are in Montgomery form, as gnark-crypto holds them.
package poseidon

import (
	"sync"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

// Params are the constants of one arity. They are shared: callers only read them.
type Params struct {
	Arity         int // elements hashed
	Width         int // elements of the state, Arity + 1
	FullRounds    int // half of them before the partial rounds, half after
	PartialRounds int
	DomainTag     fr.Element // element 0 of the first state, 2^Arity - 1

	// CompressedRoundConstants are added in this order: Width before the first
	// S-box, then those after the S-boxes of each round: Width for a full round,
	// 1 (to element 0) for a partial one, none for the last round. In all
	// FullRounds*Width + PartialRounds.
	CompressedRoundConstants []fr.Element

	// MDS is Width rows by Width columns, symmetric. Matrices multiply the state
	// from the right: new[j] = sum over i of old[i] * M[i][j].
	MDS [][]fr.Element
	// PreSparse takes the place of MDS in the last full round before the partial
	// ones.
	PreSparse [][]fr.Element
	// Sparse holds one matrix for each partial round, in order.
	Sparse []SparseMatrix
}

// SparseMatrix is the linear layer of a partial round: the identity but for its
// first column, WHat (Width elements), and the rest of its first row, VRest
// (Width-1 elements).
type SparseMatrix struct {
	WHat, VRest []fr.Element
}

// fullRounds is the same for every arity.
const fullRounds = 8

// maxWidth is the widest state among the arities that ForArity knows.
const maxWidth = 12

// Each arity's constants are derived when first asked for and never change.
var (
	arity2  = sync.OnceValue(func() *Params { return derive(2, 55) })
	arity4  = sync.OnceValue(func() *Params { return derive(4, 56) })
	arity8  = sync.OnceValue(func() *Params { return derive(8, 57) })
	arity11 = sync.OnceValue(func() *Params { return derive(11, 57) })
)

// ForArity returns the constants of arity 2, 4, 8 or 11, those that Filecoin's
// sectors use, and nil for any other. It is safe for concurrent use; the first
// call for an arity takes some milliseconds.
func ForArity(n int) *Params {
	switch n {
	case 2:
		return arity2()
	case 4:
		return arity4()
	case 8:
		return arity8()
	case 11:
		return arity11()
	}
	return nil
}

// derive computes the constants of an arity with the given number of partial
// rounds.
func derive(arity, partialRounds int) *Params {
	width := arity + 1
	p := &Params{Arity: arity, Width: width, FullRounds: fullRounds, PartialRounds: partialRounds}
	p.DomainTag.SetUint64(1<<arity - 1)
	p.MDS = cauchy(width)
	keys := roundConstants(width, fullRounds, partialRounds)
	p.CompressedRoundConstants = compress(keys, p.MDS, fullRounds/2, partialRounds)
	p.PreSparse, p.Sparse = factor(p.MDS, partialRounds)
	return p
}
