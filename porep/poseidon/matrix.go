package poseidon

import "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

func newMatrix(n int) [][]fr.Element {
	m := make([][]fr.Element, n)
	for i := range m {
		m[i] = make([]fr.Element, n)
	}
	return m
}

// cauchy returns the MDS matrix M[i][j] = 1/(i + n + j), which is symmetric.
func cauchy(n int) [][]fr.Element {
	m := newMatrix(n)
	for i := range m {
		for j := range m[i] {
			m[i][j].SetUint64(uint64(i + n + j))
			m[i][j].Inverse(&m[i][j])
		}
	}
	return m
}

// apply returns m times the column v.
func apply(m [][]fr.Element, v []fr.Element) []fr.Element {
	out := make([]fr.Element, len(m))
	var t fr.Element
	for i, row := range m {
		for j := range row {
			t.Mul(&row[j], &v[j])
			out[i].Add(&out[i], &t)
		}
	}
	return out
}

// multiply returns a times b.
func multiply(a, b [][]fr.Element) [][]fr.Element {
	out := newMatrix(len(a))
	var t fr.Element
	for i := range a {
		for k := range b {
			for j := range out[i] {
				t.Mul(&a[i][k], &b[k][j])
				out[i][j].Add(&out[i][j], &t)
			}
		}
	}
	return out
}

// minor returns m without its first row and column.
func minor(m [][]fr.Element) [][]fr.Element {
	out := make([][]fr.Element, len(m)-1)
	for i := range out {
		out[i] = m[i+1][1:]
	}
	return out
}

// invert returns the inverse of an invertible matrix, by Gauss-Jordan
// elimination. The matrices here are MDS or minors of such, hence invertible.
func invert(m [][]fr.Element) [][]fr.Element {
	n := len(m)
	left, right := newMatrix(n), newMatrix(n)
	for i := range m {
		copy(left[i], m[i])
		right[i][i].SetOne()
	}
	for c := range n {
		pivot := c
		for left[pivot][c].IsZero() {
			pivot++
		}
		left[c], left[pivot] = left[pivot], left[c]
		right[c], right[pivot] = right[pivot], right[c]

		var s fr.Element
		s.Inverse(&left[c][c])
		scale(left[c], &s)
		scale(right[c], &s)
		for r := range n {
			if r == c {
				continue
			}
			s.Neg(&left[r][c])
			addScaled(left[r], left[c], &s)
			addScaled(right[r], right[c], &s)
		}
	}
	return right
}

// scale multiplies a row by s.
func scale(row []fr.Element, s *fr.Element) {
	for i := range row {
		row[i].Mul(&row[i], s)
	}
}

// addScaled adds s times the row from to the row to.
func addScaled(to, from []fr.Element, s *fr.Element) {
	f := *s
	var t fr.Element
	for i := range to {
		t.Mul(&from[i], &f)
		to[i].Add(&to[i], &t)
	}
}
