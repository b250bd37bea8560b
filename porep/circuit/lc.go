package circuit

import (
	"cmp"
	"slices"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/sdk"
)

// one is the column of the constant one.
const one = sdk.Column(sdk.PortOne << sdk.ColumnOffsetBits)

// lc is a linear combination under construction: a sum of terms in any order,
// columns possibly repeated. Its methods append and return the sum, like append.
type lc []lcTerm

type lcTerm struct {
	column sdk.Column
	coeff  fr.Element // Montgomery
}

// plus adds the variable at column.
func (l lc) plus(column sdk.Column) lc { return l.plusTimes(column, fr.One()) }

// minus subtracts the variable at column.
func (l lc) minus(column sdk.Column) lc {
	coeff := fr.One()
	coeff.Neg(&coeff)
	return l.plusTimes(column, coeff)
}

// plusTimes adds coeff times the variable at column.
func (l lc) plusTimes(column sdk.Column, coeff fr.Element) lc {
	return append(l, lcTerm{column, coeff})
}

// plusScaled adds coeff times other.
func (l lc) plusScaled(other lc, coeff fr.Element) lc {
	l = slices.Grow(l, len(other))
	for i := range other {
		var product fr.Element
		product.Mul(&other[i].coeff, &coeff)
		l = append(l, lcTerm{other[i].column, product})
	}
	return l
}

// merged returns the same sum with each column once, ascending, and no zero
// coefficients. It reorders l.
func (l lc) merged() lc {
	slices.SortStableFunc(l, func(a, b lcTerm) int { return cmp.Compare(a.column, b.column) })
	out := l[:0]
	for _, t := range l {
		if n := len(out); n > 0 && out[n-1].column == t.column {
			out[n-1].coeff.Add(&out[n-1].coeff, &t.coeff)
			continue
		}
		out = append(out, t)
	}
	return slices.DeleteFunc(out, func(t lcTerm) bool { return t.coeff.IsZero() })
}

// powersOfTwo returns 2^0 .. 2^(n-1).
func powersOfTwo(n int) []fr.Element {
	powers := make([]fr.Element, n)
	power := fr.One()
	for i := range powers {
		powers[i] = power
		power.Double(&power)
	}
	return powers
}
