package cpu

import (
	"context"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

const (
	// tileLog is the logarithm of a tile's side in the bit reversal: 8 elements
	// are 4 cache lines, and 8 rows are as many as the ways of a cache.
	tileLog = 3
	tile    = 1 << tileLog
	// reversePiece is how many tiles make a piece of work.
	reversePiece = 1 << 10
)

// bitReverse permutes a, of power-of-two length, into bit-reversed order.
//
// An index is its highest tileLog bits, a middle and its lowest tileLog bits.
// The elements of one middle are a tile of rows of memory; reversal turns the
// tile over and swaps it with that of the reversed middle.
// (Carter and Gatlin, Towards an optimal bit-reversal permutation program,
// FOCS 1998.)
func (d *Device) bitReverse(ctx context.Context, a []fr.Element) error {
	width := log2(len(a))
	if width < 2*tileLog {
		for i := range a {
			if j := reverse(i, width); i < j {
				a[i], a[j] = a[j], a[i]
			}
		}
		return nil
	}
	middles := len(a) / (tile * tile)
	return d.parallel(ctx, pieces(middles, reversePiece), func(_, piece int) error {
		var here, there [tile * tile]fr.Element
		for m := piece * reversePiece; m < min((piece+1)*reversePiece, middles); m++ {
			mirror := reverse(m, width-2*tileLog)
			if m > mirror {
				continue
			}
			readTile(&here, a, m)
			readTile(&there, a, mirror)
			writeTile(a, mirror, &here)
			writeTile(a, m, &there)
		}
		return nil
	})
}

// readTile reads middle m's tile and turns it over.
func readTile(t *[tile * tile]fr.Element, a []fr.Element, m int) {
	for high := range tile {
		row := a[high*(len(a)/tile)+m*tile:][:tile]
		for low := range row {
			t[reverse(low, tileLog)*tile+reverse(high, tileLog)] = row[low]
		}
	}
}

func writeTile(a []fr.Element, m int, t *[tile * tile]fr.Element) {
	for high := range tile {
		copy(a[high*(len(a)/tile)+m*tile:][:tile], t[high*tile:])
	}
}
