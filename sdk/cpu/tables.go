package cpu

import (
	"sync"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

// roots is a table of roots of unity: entry h+j is ω^j for ω of order 2h, for h a
// power of two and j < h. Entry 0 is not used. One table serves every
// transform up to its own length.
type roots []fr.Element

// tables caches a device's roots, forward and inverse. They grow to about √n
// entries for the longest transform yet and live until drop.
type tables struct {
	mu               sync.Mutex
	forward, inverse roots
	owned            []*scratch
}

// rootsFor returns tables for transforms of n points and fewer.
func (d *Device) rootsFor(n int) (forward, inverse roots, err error) {
	t := &d.tables
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.forward) < n {
		// Smaller ones may be in use and are kept as well: together they are no longer
		// than the largest.
		var owned []*scratch
		memory, err := takeScratch[fr.Element](d, &owned, 2*n)
		if err != nil {
			return nil, nil, err
		}
		t.owned = append(t.owned, owned...)
		t.forward, t.inverse = memory[:n:n], memory[n:]
		generator := rootOfUnity(n)
		t.forward.fill(&generator)
		generator.Inverse(&generator)
		t.inverse.fill(&generator)
	}
	return t.forward, t.inverse, nil
}

// fill computes the table for a generator of order len(r).
func (r roots) fill(generator *fr.Element) {
	half := len(r) / 2
	if half == 0 {
		return
	}
	powers(r[half:], fr.One(), generator)
	for h := half / 2; h >= 1; h /= 2 {
		for j := range h {
			r[h+j] = r[2*h+2*j]
		}
	}
}

// drop gives the tables back.
func (t *tables) drop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range t.owned {
		s.release()
	}
	t.forward, t.inverse, t.owned = nil, nil, nil
}

// powers sets p[k] = start·ratio^k.
func powers(p []fr.Element, start fr.Element, ratio *fr.Element) {
	for k := range p {
		p[k] = start
		start.Mul(&start, ratio)
	}
}

// reversedPowers sets p[k] = start·ratio^reversed(k), for the reversal of the
// bits that len(p), a power of two, needs.
func reversedPowers(p []fr.Element, start fr.Element, ratio *fr.Element) {
	for k := range p {
		p[reverse(k, log2(len(p)))] = start
		start.Mul(&start, ratio)
	}
}
