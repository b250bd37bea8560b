package circuit

import (
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// TestBitWriters writes neighbouring runs at the same time and reads all back.
func TestBitWriters(t *testing.T) {
	type piece struct {
		value uint64
		n     uint
	}
	pieces := rapid.Custom(func(t *rapid.T) piece {
		n := rapid.UintRange(0, 64).Draw(t, "n")
		return piece{rapid.Uint64().Draw(t, "value") & (1<<n - 1), n}
	})
	rapid.Check(t, func(t *rapid.T) {
		runs := rapid.SliceOfN(rapid.SliceOfN(pieces, 0, 12), 1, 6).Draw(t, "runs")
		total := uint(0)
		for _, run := range runs {
			for _, p := range run {
				total += p.n
			}
		}
		words := make([]uint64, (total+63)/64)
		var group sync.WaitGroup
		at := uint32(0)
		for _, run := range runs {
			w := newBitWriter(words, at)
			for _, p := range run {
				at += uint32(p.n)
			}
			group.Go(func() {
				for _, p := range run {
					w.put(p.value, p.n)
				}
				w.flush()
			})
		}
		group.Wait()
		at = 0
		for _, run := range runs {
			for _, p := range run {
				if p.n > 0 {
					if got := readBits(words, at, uint32(p.n)); got != p.value {
						t.Fatalf("%d bits at %d are %x, expected %x", p.n, at, got, p.value)
					}
				}
				at += uint32(p.n)
			}
		}
	})
}

// TestPutMasked compares with picking bit by bit.
func TestPutMasked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, mask := rapid.Uint64().Draw(t, "value"), rapid.Uint64().Draw(t, "mask")
		start := rapid.Uint32Range(0, 63).Draw(t, "start")
		words := make([]uint64, 2)
		w := newBitWriter(words, start)
		w.putMasked(v, mask)
		w.flush()
		at := start
		for i := range 64 {
			if mask>>i&1 == 0 {
				continue
			}
			if got := readBits(words, at, 1); got != v>>i&1 {
				t.Fatalf("bit %d is %d", i, got)
			}
			at++
		}
	})
}

func TestSpreadBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Uint32().Draw(t, "value")
		spread := spreadBits(v)
		for i := range 64 {
			want := uint64(0)
			if i%2 == 0 {
				want = uint64(v >> (i / 2) & 1)
			}
			if spread>>i&1 != want {
				t.Fatalf("bit %d of %x is not %d", i, spread, want)
			}
		}
	})
}
