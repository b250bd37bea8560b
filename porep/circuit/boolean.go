package circuit

import (
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/sdk"
)

// boolean is a constant, a bit variable, or a bit variable's negation. The zero
// value is the constant false. Constants are folded: an operation with one costs
// no variable, and which operand is looked at first is part of the circuit.
type boolean struct {
	form   form
	column sdk.Column // of forms is and not
}

type form uint8

const (
	constFalse form = iota
	constTrue
	is
	isNot
)

func constant(b bool) boolean {
	if b {
		return boolean{form: constTrue}
	}
	return boolean{}
}

func (b boolean) isConstant() bool { return b.form == constFalse || b.form == constTrue }

// not returns the negation, which costs nothing.
func (b boolean) not() boolean {
	switch b.form {
	case constFalse:
		b.form = constTrue
	case constTrue:
		b.form = constFalse
	case is:
		b.form = isNot
	default:
		b.form = is
	}
	return b
}

// plusBoolean adds coeff times b.
func (l lc) plusBoolean(b boolean, coeff fr.Element) lc {
	switch b.form {
	case constTrue:
		return l.plusTimes(one, coeff)
	case is:
		return l.plusTimes(b.column, coeff)
	case isNot:
		l = l.plusTimes(one, coeff)
		coeff.Neg(&coeff)
		return l.plusTimes(b.column, coeff)
	}
	return l
}

// minusBoolean subtracts b.
func (l lc) minusBoolean(b boolean) lc {
	coeff := fr.One()
	coeff.Neg(&coeff)
	return l.plusBoolean(b, coeff)
}

// asLC returns b as a linear combination.
func (b boolean) asLC() lc { return lc(nil).plusBoolean(b, fr.One()) }

// allocBit allocates a bit that its own row holds to 0 and 1: (1 - b)·b = 0.
func (r *recorder) allocBit() boolean {
	b := r.bit()
	r.enforce(lc{}.plus(one).minus(b), lc{}.plus(b), nil)
	return boolean{is, b}
}

// allocBits allocates n bits.
func (r *recorder) allocBits(n int) []boolean {
	bits := make([]boolean, n)
	for i := range bits {
		bits[i] = r.allocBit()
	}
	return bits
}

// xor returns a ⊕ b: one row 2a·b = a + b - c for two variables.
func (r *recorder) xor(a, b boolean) boolean {
	switch {
	case a.form == constFalse:
		return b
	case b.form == constFalse:
		return a
	case a.form == constTrue:
		return b.not()
	case b.form == constTrue:
		return a.not()
	}
	if a.form == isNot && b.form == is {
		a, b = b, a
	}
	c := r.bit()
	r.enforce(lc{}.plus(a.column).plus(a.column), lc{}.plus(b.column), lc{}.plus(a.column).plus(b.column).minus(c))
	if a.form != b.form {
		return boolean{isNot, c}
	}
	return boolean{is, c}
}

// and returns a ∧ b: one row for two variables, negated or not.
func (r *recorder) and(a, b boolean) boolean {
	switch {
	case a.form == constFalse || b.form == constFalse:
		return boolean{}
	case a.form == constTrue:
		return b
	case b.form == constTrue:
		return a
	}
	if a.form == isNot && b.form == is {
		a, b = b, a
	}
	c := r.bit()
	r.enforce(a.asLC(), b.asLC(), lc{}.plus(c))
	return boolean{is, c}
}

// choose returns (a ∧ b) ⊕ (¬a ∧ c), SHA-256's ch: one row a·(b - c) = ch - c for
// three variables.
func (r *recorder) choose(a, b, c boolean) boolean {
	switch {
	case a.isConstant() && b.isConstant() && c.isConstant():
		if a.form == constTrue {
			return b
		}
		return c
	case a.form == constFalse:
		return c
	case b.form == constFalse:
		return r.and(a.not(), c)
	case c.form == constFalse:
		return r.and(a, b)
	case c.form == constTrue:
		return r.and(a, b.not()).not()
	case b.form == constTrue:
		return r.and(a.not(), c.not()).not()
	}
	ch := r.bit()
	r.enforce(b.asLC().minusBoolean(c), a.asLC(), lc{}.plus(ch).minusBoolean(c))
	return boolean{is, ch}
}

// majority returns SHA-256's maj. For three variables it allocates maj, then
// b ∧ c, with rows b·c = bc and (2bc - b - c)·a = bc - maj.
func (r *recorder) majority(a, b, c boolean) boolean {
	switch {
	case a.isConstant() && b.isConstant() && c.isConstant():
		if b.form == c.form {
			return b
		}
		return a
	case a.form == constFalse:
		return r.and(b, c)
	case b.form == constFalse:
		return r.and(a, c)
	case c.form == constFalse:
		return r.and(a, b)
	case c.form == constTrue:
		return r.and(a.not(), b.not()).not()
	case b.form == constTrue:
		return r.and(a.not(), c.not()).not()
	case a.form == constTrue:
		return r.and(b.not(), c.not()).not()
	}
	maj := r.bit()
	bc := r.and(b, c)
	r.enforce(
		bc.asLC().plusBoolean(bc, fr.One()).minusBoolean(b).minusBoolean(c),
		a.asLC(),
		bc.asLC().minus(maj),
	)
	return boolean{is, maj}
}
