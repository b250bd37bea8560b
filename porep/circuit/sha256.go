package circuit

import "github.com/sealwright/sealwright/sdk"

// sha256IV is the initial state (FIPS 180-4, section 5.3.3).
func sha256IV() [8]uint32 {
	return [8]uint32{
		0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
	}
}

// sha256K are the round constants (FIPS 180-4, section 4.2.2). Never written.
var sha256K = [64]uint32{
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
}

// stateWidths are how many bits a block allocates for each word of the new
// state, carries included; the lowest 32 are the word. They are the block's last
// variables, one after another.
func stateWidths() [8]uint32 { return [8]uint32{35, 33, 33, 33, 35, 33, 33, 33} }

// stateOffsets are where the words of a state start on its wire.
func stateOffsets() [8]uint32 {
	var offsets [8]uint32
	next := uint32(0)
	for i, width := range stateWidths() {
		offsets[i] = next
		next += width
	}
	return offsets
}

// wireState is a state that comes in on a wire.
func wireState(p port) [8]word {
	var state [8]word
	for i, offset := range stateOffsets() {
		state[i] = wireWord(p, offset)
	}
	return state
}

func constantState() [8]word {
	var state [8]word
	for i, v := range sha256IV() {
		state[i] = constantWord(v)
	}
	return state
}

// compress records one SHA-256 block: the message schedule, the rounds and the
// addition to the state. The sums that make a and e are put off until a round
// needs them, and those of the last round take the old state in.
func (r *recorder) compress(block *[16]word, state [8]word) (emissions []emission) {
	w := &wordRecorder{recorder: r, sums: newMultiEq(r)}
	schedule := w.schedule(block)

	a, e := []word{state[0]}, []word{state[4]}
	b, c, d := state[1], state[2], state[3]
	f, g, h := state[5], state[6], state[7]
	for i := range schedule {
		sumE := w.deferred(e)
		s1 := w.xorWords(w.xorWords(sumE.rotr(6), sumE.rotr(11)), sumE.rotr(25))
		ch := w.chooseWords(sumE, f, g)
		temp1 := [5]word{h, s1, ch, constantWord(sha256K[i]), schedule[i]}

		sumA := w.deferred(a)
		s0 := w.xorWords(w.xorWords(sumA.rotr(2), sumA.rotr(13)), sumA.rotr(22))
		maj := w.majorityWords(sumA, b, c)

		e = append(temp1[:5:5], d)
		a = append(temp1[:5:5], s0, maj)
		h, g, f = g, f, sumE
		d, c, b = c, b, sumA
	}

	w.newState(state, [8][]word{a, {b}, {c}, {d}, e, {f}, {g}, {h}})
	w.sums.flush()
	return w.emissions
}

// schedule extends a block's 16 words to 64.
func (r *wordRecorder) schedule(block *[16]word) (w [64]word) {
	copy(w[:], block[:])
	for i := 16; i < len(w); i++ {
		v := &w[i-15]
		s0 := r.xorWords(r.xorWords(v.rotr(7), v.rotr(18)), v.shr(3))
		v = &w[i-2]
		s1 := r.xorWords(r.xorWords(v.rotr(17), v.rotr(19)), v.shr(10))
		w[i] = r.add(w[i-16], s0, w[i-7], s1)
	}
	return w
}

// deferred is the sum of words that were put off; a single one is itself.
func (r *wordRecorder) deferred(sum []word) word {
	if len(sum) == 1 {
		return sum[0]
	}
	return r.add(sum...)
}

// newState adds the working variables, each a word or a sum put off, to the old
// state. The first bit of the new state is the template's output.
func (r *wordRecorder) newState(old [8]word, working [8][]word) {
	r.exportNext(sdk.Bit)
	for i, sum := range working {
		r.add(append(sum[:len(sum):len(sum)], old[i])...)
	}
}
