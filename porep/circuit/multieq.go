package circuit

import (
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

// fieldCapacity is how many bits any element of Fr can hold.
const fieldCapacity = fr.Bits - 1

// multiEq gathers equalities of small sums and enforces many of them by one
// row, side by side at weights 2^used: the row comes later than the variables it
// is about.
type multiEq struct {
	recorder *recorder
	powers   []fr.Element
	used     int // bits taken by what is gathered
	lhs, rhs lc
}

func newMultiEq(r *recorder) *multiEq {
	return &multiEq{recorder: r, powers: powersOfTwo(fieldCapacity)}
}

// equal gathers lhs = rhs, where both sides are below 2^bits.
func (m *multiEq) equal(bits int, lhs, rhs lc) {
	if m.used+bits >= fieldCapacity {
		m.flush()
	}
	m.lhs = m.lhs.plusScaled(lhs, m.powers[m.used])
	m.rhs = m.rhs.plusScaled(rhs, m.powers[m.used])
	m.used += bits
}

// flush enforces what is gathered.
func (m *multiEq) flush() {
	if m.used == 0 {
		return
	}
	m.recorder.enforce(m.lhs, lc{}.plus(one), m.rhs)
	m.lhs, m.rhs, m.used = nil, nil, 0
}
