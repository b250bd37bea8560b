package groth16

import "math/bits"

// bitmap is a set of indices: index i is bit i%64 of word i/64.
type bitmap []uint64

// words returns how many words hold n bits.
func words(n int) int { return (n + 63) / 64 }

func (b bitmap) set(i uint32)      { b[i/64] |= 1 << (i % 64) }
func (b bitmap) has(i uint32) bool { return b[i/64]>>(i%64)&1 == 1 }

// setRange sets bits [from, to).
func (b bitmap) setRange(from, to uint32) {
	for i := from; i < to; i++ {
		b.set(i)
	}
}

// count returns how many of the bits [from, to) are set.
func (b bitmap) count(from, to int) int {
	n := 0
	for from < to {
		width := min(64-from%64, to-from)
		n += bits.OnesCount64(b.chunk(from, width))
		from += width
	}
	return n
}

// chunk returns the width bits (at most 64) from bit i on; bits past the end
// are zero.
func (b bitmap) chunk(i, width int) uint64 {
	word, shift := i/64, uint(i%64)
	v := b[word] >> shift
	if shift > 0 && word+1 < len(b) {
		v |= b[word+1] << (64 - shift)
	}
	if width < 64 {
		v &= 1<<uint(width) - 1
	}
	return v
}

// or sets those of the width bits (at most 64) from bit i on that are set in v.
func (b bitmap) or(i int, v uint64, width int) {
	word, shift := i/64, uint(i%64)
	b[word] |= v << shift
	if int(shift)+width > 64 {
		b[word+1] |= v >> (64 - shift)
	}
}

// orRange sets bits to..to+n of b where bits from..from+n of src are set.
func (b bitmap) orRange(to int, src bitmap, from, n int) {
	for n > 0 {
		width := min(64, n)
		if v := src.chunk(from, width); v != 0 {
			b.or(to, v, width)
		}
		to, from, n = to+width, from+width, n-width
	}
}

// compress writes to out those bits of b, in order, whose index is in keep, and
// returns how many there are. The first n indices take part; out is zeroed.
func (b bitmap) compress(out, keep bitmap, n int) int {
	at := 0
	for i := 0; i < n; i += 64 {
		width := min(64, n-i)
		k := keep.chunk(i, width)
		v, kept := extract(b.chunk(i, width), k)
		if v != 0 {
			out.or(at, v, kept)
		}
		at += kept
	}
	return at
}

// extract packs the bits of v that keep selects (a pext instruction's work). It
// goes by the gaps of keep, which are few.
func extract(v, keep uint64) (packed uint64, kept int) {
	for keep != 0 {
		skip := bits.TrailingZeros64(keep)
		keep, v = keep>>uint(skip), v>>uint(skip)
		run := bits.TrailingZeros64(^keep)
		if run == 64 {
			return packed | v, 64
		}
		packed |= v & (1<<uint(run) - 1) << uint(kept)
		kept += run
		keep, v = keep>>uint(run), v>>uint(run)
	}
	return packed, kept
}
