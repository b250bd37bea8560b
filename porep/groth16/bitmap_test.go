package groth16

import (
	"testing"

	"pgregory.net/rapid"
)

func drawBitmap(t *rapid.T, name string, n int) bitmap {
	b := make(bitmap, words(n))
	for i := range n {
		if rapid.Bool().Draw(t, name) {
			b.set(uint32(i))
		}
	}
	return b
}

func TestBitmapCompress(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "n")
		v, keep := drawBitmap(t, "bit", n), drawBitmap(t, "keep", n)
		out := make(bitmap, words(keep.count(0, n)))
		if got, want := v.compress(out, keep, n), keep.count(0, n); got != want {
			t.Fatalf("kept %d bits, want %d", got, want)
		}
		at := uint32(0)
		for i := range uint32(n) {
			if !keep.has(i) {
				continue
			}
			if out.has(at) != v.has(i) {
				t.Fatalf("bit %d, kept as %d, differs", i, at)
			}
			at++
		}
	})
}

func TestBitmapOrRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := drawBitmap(t, "src", 300)
		dst := drawBitmap(t, "dst", 300)
		from, to := rapid.IntRange(0, 300).Draw(t, "from"), rapid.IntRange(0, 300).Draw(t, "to")
		n := rapid.IntRange(0, 300-max(from, to)).Draw(t, "n")
		want := make([]bool, 300)
		for i := range want {
			want[i] = dst.has(uint32(i)) || i >= to && i < to+n && src.has(uint32(i-to+from))
		}
		dst.orRange(to, src, from, n)
		for i := range want {
			if dst.has(uint32(i)) != want[i] {
				t.Fatalf("bit %d is %t", i, !want[i])
			}
		}
	})
}

func TestBitmapCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBitmap(t, "bit", 200)
		from := rapid.IntRange(0, 200).Draw(t, "from")
		to := rapid.IntRange(from, 200).Draw(t, "to")
		want := 0
		for i := from; i < to; i++ {
			if b.has(uint32(i)) {
				want++
			}
		}
		if got := b.count(from, to); got != want {
			t.Fatalf("%d set bits, want %d", got, want)
		}
	})
}
