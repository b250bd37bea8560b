package circuit

import (
	"encoding/binary"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/sdk"
)

// numberBits is how many bits a field element is taken apart into. The
// decomposition is not unique: a value below 2^255 - r has a second one.
const numberBits = fr.Bits

// secrets allocates n field elements from the tape. Output: the first.
func (s *assembler) secrets(n int) *gadget {
	return s.gadget("secrets "+decimal(n), func(r *recorder) expander {
		r.exportNext(sdk.Field)
		for range n {
			r.field()
		}
		return secretsExpander(n)
	})
}

type secretsExpander int

func (n secretsExpander) expand(x *expansion) {
	for range n {
		e := x.tape.field()
		x.putField(&e)
	}
}

// publicNumber allocates a field element from the tape and makes it a public
// input. Output: the element.
func (s *assembler) publicNumber() *gadget {
	return s.gadget("public number", func(r *recorder) expander {
		r.exportNext(sdk.Field)
		number, input := r.field(), r.input()
		r.enforce(lc{}.plus(input), lc{}.plus(one), lc{}.plus(number))
		return publicNumberExpander{}
	})
}

type publicNumberExpander struct{}

func (publicNumberExpander) expand(x *expansion) {
	e := x.tape.field()
	x.putField(&e)
	x.putInput(&e)
}

// toBits takes a field element apart. Wire: the element. Output: its bits, the
// least significant first.
func (s *assembler) toBits() *gadget {
	return s.gadget("number to bits", func(r *recorder) expander {
		number := r.port(sdk.Field).at(0)
		r.exportNext(sdk.Bit)
		r.toBits(number)
		return toBitsExpander{}
	})
}

// toBits allocates the bits of a number and the row 0 = Σ 2^i·bit_i - number.
func (r *recorder) toBits(number sdk.Column) {
	var sum lc
	powers := powersOfTwo(numberBits)
	for i, b := range r.allocBits(numberBits) {
		sum = sum.plusBoolean(b, powers[i])
	}
	r.enforce(nil, nil, sum.minus(number))
}

type toBitsExpander struct{}

func (toBitsExpander) expand(x *expansion) {
	e := x.wireField(0)
	x.putNumberBits(&e)
}

// putNumberBits appends the bits of e that toBits allocates.
func (x *expansion) putNumberBits(e *fr.Element) {
	limbs := e.Bits()
	for i, limb := range limbs {
		n := min(64, numberBits-64*i)
		x.bits.put(limb, uint(n))
	}
}

// integer allocates a 64-bit number from the tape and makes it a public input.
// Output: its bits, the least significant first.
func (s *assembler) integer() *gadget {
	return s.gadget("integer", func(r *recorder) expander {
		r.exportNext(sdk.Bit)
		r.packInput(r.allocBits(64))
		return integerExpander{}
	})
}

// packInput makes a public input of a number given by its bits.
func (r *recorder) packInput(bits []boolean) {
	var sum lc
	powers := powersOfTwo(len(bits))
	for i, b := range bits {
		sum = sum.plusBoolean(b, powers[i])
	}
	r.enforce(sum, lc{}.plus(one), lc{}.plus(r.input()))
}

type integerExpander struct{}

func (integerExpander) expand(x *expansion) {
	n := x.tape.number()
	x.bits.put(n, 64)
	var e fr.Element
	e.SetUint64(n)
	x.putInput(&e)
}

// digestNumber makes a field element of a SHA-256 digest: its lowest 254 bits as
// a little-endian number. Wire: the state. Output: the element.
func (s *assembler) digestNumber() *gadget {
	return s.gadget("digest to number", func(r *recorder) expander {
		state := wireState(r.port(sdk.Bit))
		var sum lc
		for i, power := range powersOfTwo(fieldCapacity) {
			word := &state[i/32]
			byteInWord, bit := i%32/8, i%8
			sum = sum.plusBoolean(word[8*(3-byteInWord)+bit], power)
		}
		r.exportNext(sdk.Field)
		r.enforce(sum, lc{}.plus(one), lc{}.plus(r.field()))
		return digestNumberExpander{}
	})
}

type digestNumberExpander struct{}

func (digestNumberExpander) expand(x *expansion) {
	var digest [fr.Bytes]byte
	for i, word := range readState(x, 0) {
		binary.BigEndian.PutUint32(digest[4*i:], word)
	}
	digest[fr.Bytes-1] &= 0x3f
	// Below 2^254 there is no element that is not canonical.
	e, _ := fr.LittleEndian.Element(&digest)
	x.putField(&e)
}

// sum adds two field elements. Output: the sum.
func (s *assembler) sum() *gadget {
	return s.gadget("sum", func(r *recorder) expander {
		in := r.fieldPorts(2)
		r.exportNext(sdk.Field)
		r.enforce(lc{}.plus(in[0]).plus(in[1]), lc{}.plus(one), lc{}.plus(r.field()))
		return sumExpander{}
	})
}

type sumExpander struct{}

func (sumExpander) expand(x *expansion) {
	a, b := x.wireField(0), x.wireField(1)
	a.Add(&a, &b)
	x.putField(&a)
}

// equal holds two field elements equal.
func (s *assembler) equal() *gadget {
	return s.gadget("equal", func(r *recorder) expander {
		in := r.fieldPorts(2)
		r.enforce(lc{}.plus(in[0]), lc{}.plus(one), lc{}.plus(in[1]))
		return noExpander{}
	})
}

// noExpander is for gadgets without variables.
type noExpander struct{}

func (noExpander) expand(*expansion) {}
