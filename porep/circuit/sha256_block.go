package circuit

import "github.com/sealwright/sealwright/sdk"

// blockWord is a word of a SHA-256 block: its bits for the recorder, and where
// the expander reads its value.
type blockWord struct {
	bits   word
	source wordSource
}

// wordSource is a constant, or up to 32 bits of a wire.
type wordSource struct {
	wire     int // index among the instance's wires; below 0: constant
	offset   uint32
	width    uint32
	bytewise bool // the wire's bits run byte by byte, as in a little-endian number
	value    uint32
}

func constantBlockWord(v uint32) blockWord {
	return blockWord{constantWord(v), wordSource{wire: -1, value: v}}
}

// numberWord is word k of the 32 bytes of a field element, little-endian, whose
// 255 bits are on a wire. Bit 255 is the constant false.
func numberWord(p port, k int) blockWord {
	var w word
	for i := range w {
		if bit := 8*(4*k+3-i/8) + i%8; bit < numberBits {
			w[i] = boolean{is, p.at(uint32(bit))}
		}
	}
	return blockWord{w, wordSource{
		wire: int(p) - sdk.PortWire, offset: uint32(32 * k), width: uint32(min(32, numberBits-32*k)), bytewise: true,
	}}
}

// integerWord is the 32 bits of a wire from an offset, least significant first.
func integerWord(p port, offset uint32) blockWord {
	return blockWord{wireWord(p, offset), wordSource{wire: int(p) - sdk.PortWire, offset: offset, width: 32}}
}

// block is what a SHA-256 block takes in.
type block [16]blockWord

// numbers fills the block's first words with the bytes of field elements, one on
// each wire.
func (b *block) numbers(ports ...port) {
	for i, p := range ports {
		for k := range 8 {
			b[8*i+k] = numberWord(p, k)
		}
	}
}

// padding fills the block's words from a given one with SHA-256's padding of a
// message of the given number of bits.
func (b *block) padding(first int, messageBits uint32) {
	for i := first; i < len(b); i++ {
		b[i] = constantBlockWord(0)
	}
	b[first] = constantBlockWord(1 << 31)
	b[15] = constantBlockWord(messageBits)
}

// record writes the block down. Its old state is on the wire state, or is the
// initial one where initial is set.
func (b *block) record(r *recorder, initial bool, state port) expander {
	e := &shaExpander{initial: initial, stateWire: int(state) - sdk.PortWire}
	var words [16]word
	for i := range b {
		words[i], e.sources[i] = b[i].bits, b[i].source
	}
	old := constantState()
	if !initial {
		old = wireState(state)
	}
	e.emissions = r.compress(&words, old)
	return e
}
