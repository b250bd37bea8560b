package circuit

import "math/bits"

// shaExpander computes the bits of a SHA-256 block by running it, appending of
// each word operation's result what the circuit made variables of.
type shaExpander struct {
	sources   [16]wordSource
	initial   bool
	stateWire int
	emissions []emission
}

func (e *shaExpander) expand(x *expansion) {
	w := shaWriter{bits: x.bits, emissions: e.emissions}
	var schedule [64]uint32
	for i, s := range e.sources {
		schedule[i] = s.read(x)
	}
	w.schedule(&schedule)
	state := sha256IV()
	if !e.initial {
		state = readState(x, e.stateWire)
	}
	w.rounds(&schedule, state)
	x.bits = w.bits
}

func (s *wordSource) read(x *expansion) uint32 {
	if s.wire < 0 {
		return s.value
	}
	v := uint32(x.wireBits(s.wire, s.offset, s.width))
	if s.bytewise {
		v = bits.ReverseBytes32(v)
	}
	return v
}

// readState reads the words of a state from a wire.
func readState(x *expansion, wire int) (state [8]uint32) {
	for i, offset := range stateOffsets() {
		state[i] = uint32(x.wireBits(wire, offset, 32))
	}
	return state
}

// shaWriter runs a block and appends bits in the order of compress.
type shaWriter struct {
	bits      bitWriter
	emissions []emission // those to come
}

func (w *shaWriter) emit(v uint64) {
	e := w.emissions[0]
	w.emissions = w.emissions[1:]
	w.bits.putMasked(v^e.flip, e.mask)
}

// xor3 emits a ⊕ b and a ⊕ b ⊕ c and returns the latter.
func (w *shaWriter) xor3(a, b, c uint32) uint32 {
	w.emit(uint64(a ^ b))
	w.emit(uint64(a ^ b ^ c))
	return a ^ b ^ c
}

func (w *shaWriter) sum(v uint64) uint32 {
	w.emit(v)
	return uint32(v)
}

func (w *shaWriter) schedule(s *[64]uint32) {
	for i := 16; i < len(s); i++ {
		v := s[i-15]
		s0 := w.xor3(rotr(v, 7), rotr(v, 18), v>>3)
		v = s[i-2]
		s1 := w.xor3(rotr(v, 17), rotr(v, 19), v>>10)
		s[i] = w.sum(uint64(s[i-16]) + uint64(s0) + uint64(s[i-7]) + uint64(s1))
	}
}

func (w *shaWriter) rounds(schedule *[64]uint32, state [8]uint32) {
	b, c, d := state[1], state[2], state[3]
	f, g, h := state[5], state[6], state[7]
	sumA, sumE := uint64(state[0]), uint64(state[4]) // put off, carries and all
	for i, v := range schedule {
		if i > 0 {
			w.emit(sumE)
		}
		e := uint32(sumE)
		s1 := w.xor3(rotr(e, 6), rotr(e, 11), rotr(e, 25))
		ch := e&f ^ ^e&g
		w.emit(uint64(ch))
		temp1 := uint64(h) + uint64(s1) + uint64(ch) + uint64(sha256K[i]) + uint64(v)
		if i > 0 {
			w.emit(sumA)
		}
		a := uint32(sumA)
		s0 := w.xor3(rotr(a, 2), rotr(a, 13), rotr(a, 22))
		maj := a&b ^ a&c ^ b&c
		w.emit(spreadBits(maj) | spreadBits(b&c)<<1)
		sumE = temp1 + uint64(d)
		sumA = temp1 + uint64(s0) + uint64(maj)
		h, g, f = g, f, e
		d, c, b = c, b, a
	}
	for i, v := range [8]uint64{sumA, uint64(b), uint64(c), uint64(d), sumE, uint64(f), uint64(g), uint64(h)} {
		w.emit(v + uint64(state[i]))
	}
}

func rotr(v uint32, n int) uint32 { return bits.RotateLeft32(v, -n) }

// spreadBits puts bit i of v at bit 2i.
func spreadBits(v uint32) uint64 {
	x := uint64(v)
	x = (x | x<<16) & 0x0000ffff0000ffff
	x = (x | x<<8) & 0x00ff00ff00ff00ff
	x = (x | x<<4) & 0x0f0f0f0f0f0f0f0f
	x = (x | x<<2) & 0x3333333333333333
	return (x | x<<1) & 0x5555555555555555
}
