package circuit

import (
	"math/bits"

	"github.com/sealwright/sealwright/sdk"
)

// word is a 32-bit number, least significant bit first.
type word [32]boolean

func constantWord(v uint32) word {
	var w word
	for i := range w {
		w[i] = constant(v>>i&1 == 1)
	}
	return w
}

// rotr returns w rotated right by n bits.
func (w *word) rotr(n int) word {
	var out word
	for i := range out {
		out[i] = w[(i+n)%32]
	}
	return out
}

// shr returns w shifted right by n bits.
func (w *word) shr(n int) word {
	var out word
	copy(out[:], w[n:])
	return out
}

// emission tells which bits of a word operation's result became variables, so
// that an expander can compute the word and append just those. A variable holds
// the negation of its result bit where the circuit kept the negated one.
type emission struct {
	mask uint64 // result bits that are variables
	flip uint64 // of these, the negated ones
}

// wordRecorder records word operations and what they emit.
type wordRecorder struct {
	*recorder
	sums      *multiEq
	emissions []emission
}

// bitwise applies an operation to each bit. The operation allocates no variable,
// or one, or its result and one more (majority); spread says that the second kind
// of variable has a place in the emission, at the odd bits.
func (r *wordRecorder) bitwise(spread bool, op func(i int) boolean) word {
	var out word
	var e emission
	for i := range out {
		before := r.template.Aux
		out[i] = op(i)
		at := i
		if spread {
			at = 2 * i
		}
		allocated := r.template.Aux - before
		e.mask |= (1<<allocated - 1) << at
		if allocated == 1 && out[i].form == isNot {
			e.flip |= 1 << at
		}
	}
	r.emissions = append(r.emissions, e)
	return out
}

func (r *wordRecorder) xorWords(a, b word) word {
	return r.bitwise(false, func(i int) boolean { return r.xor(a[i], b[i]) })
}

func (r *wordRecorder) chooseWords(a, b, c word) word {
	return r.bitwise(false, func(i int) boolean { return r.choose(a[i], b[i], c[i]) })
}

func (r *wordRecorder) majorityWords(a, b, c word) word {
	return r.bitwise(true, func(i int) boolean { return r.majority(a[i], b[i], c[i]) })
}

// add returns the sum modulo 2^32. It allocates the bits of the whole sum, carry
// included, unless every operand is constant.
func (r *wordRecorder) add(operands ...word) word {
	var lhs lc
	var sum uint64
	allConstant := true
	for _, op := range operands {
		for i, b := range op {
			lhs = lhs.plusBoolean(b, r.sums.powers[i])
			allConstant = allConstant && b.isConstant()
			if b.form == constTrue {
				sum += 1 << i
			}
		}
	}
	if allConstant {
		r.emissions = append(r.emissions, emission{})
		return constantWord(uint32(sum))
	}
	width := bits.Len64(uint64(len(operands)) * (1<<32 - 1))
	var out word
	var rhs lc
	for i := range width {
		b := r.allocBit()
		rhs = rhs.plusBoolean(b, r.sums.powers[i])
		if i < len(out) {
			out[i] = b
		}
	}
	r.emissions = append(r.emissions, emission{mask: 1<<width - 1})
	r.sums.equal(width, lhs, rhs)
	return out
}

// wireWord is the word made of a wire's bits at an offset, the least significant
// first.
func wireWord(p port, offset uint32) word {
	var w word
	for i := range w {
		w[i] = boolean{is, sdk.NewColumn(uint32(p), offset+uint32(i))}
	}
	return w
}
