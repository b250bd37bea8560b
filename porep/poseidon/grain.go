package poseidon

import "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

// grain is the self-shrinking Grain LFSR that round constants are drawn from
// (Poseidon paper, appendix E). The state is a ring of 80 bits, one a byte.
type grain struct {
	bits [80]byte
	head int // where the oldest bit is
}

// Codes of the field and the S-box in the generator's first state.
const (
	primeField  = 1
	quinticSBox = 1
)

// newGrain returns the generator for a state of the given width, warmed up.
func newGrain(width, fullRounds, partialRounds int) *grain {
	g := &grain{}
	at := 0
	for _, f := range []struct{ width, value int }{
		{2, primeField}, {4, quinticSBox}, {12, fr.Bits}, {12, width}, {10, fullRounds}, {10, partialRounds}, {30, 1<<30 - 1},
	} {
		for i := f.width - 1; i >= 0; i-- {
			g.bits[at] = byte(f.value>>i) & 1
			at++
		}
	}
	for range 160 {
		g.shift()
	}
	return g
}

// shift steps the register and returns its new bit.
func (g *grain) shift() byte {
	n := len(g.bits)
	at := func(i int) byte { return g.bits[(g.head+i)%n] }
	bit := at(62) ^ at(51) ^ at(38) ^ at(23) ^ at(13) ^ at(0)
	g.bits[g.head] = bit
	g.head = (g.head + 1) % n
	return bit
}

// next returns the next output bit: of each pair of register bits the second
// one, where the first is set.
func (g *grain) next() byte {
	for g.shift() == 0 {
		g.shift()
	}
	return g.shift()
}

// element returns the next field element: 255 bits, most significant first,
// drawn again while they are not below the modulus.
func (g *grain) element() fr.Element {
	for {
		var be [fr.Bytes]byte
		for i := 8*fr.Bytes - fr.Bits; i < 8*fr.Bytes; i++ {
			be[i/8] |= g.next() << (7 - i%8)
		}
		var e fr.Element
		if e.SetBytesCanonical(be[:]) == nil {
			return e
		}
	}
}

// roundConstants returns the constants of each round, width of them a round.
func roundConstants(width, fullRounds, partialRounds int) [][]fr.Element {
	g := newGrain(width, fullRounds, partialRounds)
	keys := make([][]fr.Element, fullRounds+partialRounds)
	for r := range keys {
		keys[r] = make([]fr.Element, width)
		for i := range keys[r] {
			keys[r][i] = g.element()
		}
	}
	return keys
}
