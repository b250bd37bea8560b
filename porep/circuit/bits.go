package circuit

import (
	"math/bits"
	"sync/atomic"
)

// bitWriter appends bits to a run of a bit vector. The words at the run's two
// ends may hold bits of other runs that other goroutines write at the same time,
// so these are or'ed in atomically; the vector must be zero before. The words
// between are the run's own.
type bitWriter struct {
	words  []uint64
	next   int    // the word being filled
	filled uint   // its bits that are written or belong to the run before
	word   uint64 // its bits that are this run's
	shared bool   // it holds bits of the run before
}

// newBitWriter starts at bit position at.
func newBitWriter(words []uint64, at uint32) bitWriter {
	return bitWriter{words: words, next: int(at / 64), filled: uint(at % 64), shared: at%64 != 0}
}

// put appends the lowest n bits of v, n at most 64; the others must be zero.
func (w *bitWriter) put(v uint64, n uint) {
	w.word |= v << w.filled
	if w.filled+n < 64 {
		w.filled += n
		return
	}
	w.store()
	w.next++
	w.shared = false
	w.word = v >> (64 - w.filled) // a shift by 64 gives 0
	w.filled = w.filled + n - 64
}

// putMasked appends the bits of v that mask selects, lowest first.
func (w *bitWriter) putMasked(v, mask uint64) {
	for mask != 0 {
		skip := uint(bits.TrailingZeros64(mask))
		mask >>= skip
		v >>= skip
		n := uint(bits.TrailingZeros64(^mask))
		w.put(v&(1<<n-1), n)
		mask >>= n
		v >>= n
	}
}

func (w *bitWriter) store() {
	if w.shared {
		atomic.OrUint64(&w.words[w.next], w.word)
		return
	}
	w.words[w.next] = w.word
}

// flush writes what the last word holds. The writer is not used after.
func (w *bitWriter) flush() {
	if w.filled > 0 && w.word != 0 {
		atomic.OrUint64(&w.words[w.next], w.word)
	}
}

// readBits returns the n bits at bit position at, n at most 64. Bits of other
// runs in the same words may be written meanwhile.
func readBits(words []uint64, at, n uint32) uint64 {
	i, shift := at/64, at%64
	v := atomic.LoadUint64(&words[i]) >> shift
	if shift+n > 64 {
		v |= atomic.LoadUint64(&words[i+1]) << (64 - shift)
	}
	if n < 64 {
		v &= 1<<n - 1
	}
	return v
}
