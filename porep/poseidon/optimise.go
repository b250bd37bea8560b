package poseidon

import "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

// compress rewrites the round constants so that they are added after the
// S-boxes: those of the next round go back through the inverse linear layer, and
// a partial round keeps only the one that its S-box sees, handing the rest to
// the round before. half is the number of full rounds on either side.
func compress(keys [][]fr.Element, mds [][]fr.Element, half, partialRounds int) []fr.Element {
	inverse := invert(mds)
	out := append([]fr.Element(nil), keys[0]...)
	for r := 1; r < half; r++ {
		out = append(out, apply(inverse, keys[r])...)
	}

	// From the last partial round to the first.
	partial := make([]fr.Element, partialRounds)
	rest := keys[half+partialRounds]
	for r := partialRounds - 1; r >= 0; r-- {
		back := apply(inverse, rest)
		partial[r] = back[0]
		back[0].SetZero()
		rest = sum(keys[half+r], back)
	}
	out = append(out, apply(inverse, rest)...)
	out = append(out, partial...)

	for r := half + partialRounds + 1; r < len(keys); r++ {
		out = append(out, apply(inverse, keys[r])...)
	}
	return out
}

func sum(a, b []fr.Element) []fr.Element {
	out := make([]fr.Element, len(a))
	for i := range out {
		out[i].Add(&a[i], &b[i])
	}
	return out
}

// factor splits the MDS matrix of n partial rounds into sparse ones. Each round's
// matrix, from the last round back, is a product M' x M”: the sparse M” stays,
// and M', which leaves element 0 alone and so commutes with the S-box, is merged
// into the matrix of the round before. What is left over, preSparse, belongs to
// the full round before the first partial one.
func factor(mds [][]fr.Element, n int) (preSparse [][]fr.Element, sparse []SparseMatrix) {
	sparse = make([]SparseMatrix, n)
	current := mds
	for r := n - 1; r >= 0; r-- {
		sparse[r] = sparsePart(current)
		current = multiply(mds, densePart(current))
	}
	return current, sparse
}

// densePart returns M': m with its first row and column those of the identity.
func densePart(m [][]fr.Element) [][]fr.Element {
	out := newMatrix(len(m))
	out[0][0].SetOne()
	for i := 1; i < len(m); i++ {
		copy(out[i][1:], m[i][1:])
	}
	return out
}

// sparsePart returns M”, for which densePart(m) x M” = m.
func sparsePart(m [][]fr.Element) SparseMatrix {
	column := make([]fr.Element, len(m)-1)
	for i := range column {
		column[i] = m[i+1][0]
	}
	what := append([]fr.Element{m[0][0]}, apply(invert(minor(m)), column)...)
	return SparseMatrix{WHat: what, VRest: m[0][1:]}
}
