package circuit

import (
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/sdk"
)

// pick allocates c = a where the condition holds, b elsewhere:
// (b - a)·condition = b - c.
func (r *recorder) pick(condition boolean, a, b sdk.Column) sdk.Column {
	c := r.field()
	r.enforce(lc{}.plus(b).minus(a), condition.asLC(), lc{}.plus(b).minus(c))
	return c
}

// insert records the insertion of an element among its siblings, at the place
// that the bits name, least significant first. There are one or seven siblings.
func (r *recorder) insert(element sdk.Column, bits []boolean, siblings []sdk.Column) []sdk.Column {
	if len(siblings) == 1 {
		return []sdk.Column{r.pick(bits[0], siblings[0], element), r.pick(bits[0], element, siblings[0])}
	}
	return r.insert8(element, bits, siblings)
}

// insert8 picks each of eight places from the element a and the siblings b..h.
// For the places from 0 on, a is chosen in steps: by the two lower bits first,
// then by the highest.
func (r *recorder) insert8(a sdk.Column, bits []boolean, siblings []sdk.Column) []sdk.Column {
	b0, b1, b2 := bits[0], bits[1], bits[2]
	b, c, d, e, f, g, h := siblings[0], siblings[1], siblings[2], siblings[3], siblings[4], siblings[5], siblings[6]
	neither := r.and(b0.not(), b1.not())
	both := r.and(b0, b1)

	low := r.pick(neither, a, b)
	p0 := r.pick(b2, b, low)
	low = r.pick(b0, a, b)
	low = r.pick(b1, c, low)
	p1 := r.pick(b2, c, low)
	low = r.pick(b0, d, a)
	low = r.pick(b1, low, c)
	p2 := r.pick(b2, d, low)
	low = r.pick(both, a, d)
	p3 := r.pick(b2, e, low)

	high := r.pick(neither, a, f)
	p4 := r.pick(b2, high, e)
	high = r.pick(b0, a, f)
	high = r.pick(b1, g, high)
	p5 := r.pick(b2, high, f)
	high = r.pick(b0, h, a)
	high = r.pick(b1, high, g)
	p6 := r.pick(b2, high, g)
	high = r.pick(both, a, h)
	p7 := r.pick(b2, high, h)
	return []sdk.Column{p0, p1, p2, p3, p4, p5, p6, p7}
}

// putInsertion appends the variables of insert past the place's own bits and the
// siblings, and returns the elements in order.
func (x *expansion) putInsertion(element *fr.Element, place uint64, siblings []fr.Element) (ordered [8]fr.Element) {
	pick := func(condition bool, a, b *fr.Element) *fr.Element {
		if condition {
			b = a
		}
		x.putField(b)
		return b
	}
	b0, b1, b2 := place&1 == 1, place&2 == 2, place&4 == 4
	if len(siblings) == 1 {
		ordered[0] = *pick(b0, &siblings[0], element)
		ordered[1] = *pick(b0, element, &siblings[0])
		return ordered
	}
	x.bits.put(bitOf(!b0 && !b1)|bitOf(b0 && b1)<<1, 2)
	a := element
	b, c, d, e, f, g, h := &siblings[0], &siblings[1], &siblings[2], &siblings[3], &siblings[4], &siblings[5], &siblings[6]
	ordered[0] = *pick(b2, b, pick(!b0 && !b1, a, b))
	ordered[1] = *pick(b2, c, pick(b1, c, pick(b0, a, b)))
	ordered[2] = *pick(b2, d, pick(b1, pick(b0, d, a), c))
	ordered[3] = *pick(b2, e, pick(b0 && b1, a, d))
	ordered[4] = *pick(b2, pick(!b0 && !b1, a, f), e)
	ordered[5] = *pick(b2, pick(b1, g, pick(b0, a, f)), f)
	ordered[6] = *pick(b2, pick(b1, pick(b0, h, a), g), g)
	ordered[7] = *pick(b2, pick(b0 && b1, a, h), h)
	return ordered
}

func bitOf(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
