package cpu

import (
	"context"
	"errors"
	"fmt"
	"unsafe"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"github.com/sealwright/sealwright/sdk"
)

const (
	// maxTableWidth bounds a table of multiples: 16 windows of 2^15 points, 48
	// MiB in G1.
	maxTableWidth = 16
	// fixedPiece is how many products make a piece of work.
	fixedPiece = 4 * batchSize
)

// FixedBaseG1 implements sdk.FixedBaser.
func (d *Device) FixedBaseG1(ctx context.Context, base sdk.G1, scalars []sdk.Fr, out []sdk.G1) error {
	return fixedBase[bls12381.G1Affine, g1](ctx, d, *(*bls12381.G1Affine)(unsafe.Pointer(&base)), scalars, castSlice[bls12381.G1Affine](out))
}

// FixedBaseG2 implements sdk.FixedBaser.
func (d *Device) FixedBaseG2(ctx context.Context, base sdk.G2, scalars []sdk.Fr, out []sdk.G2) error {
	return fixedBase[bls12381.G2Affine, g2](ctx, d, *(*bls12381.G2Affine)(unsafe.Pointer(&base)), scalars, castSlice[bls12381.G2Affine](out))
}

// fixedBase looks up each signed digit of a scalar among the multiples of the
// base and adds them up, a batch of products side by side.
func fixedBase[P any, G group[P]](ctx context.Context, d *Device, base P, scalars []sdk.Fr, out []P) error {
	n := len(scalars)
	if len(out) != n {
		return fmt.Errorf("%w: fixed-base product: %d scalars into %d points", sdk.ErrInvalidInput, n, len(out))
	}
	if err := ctx.Err(); err != nil || n == 0 {
		return err
	}
	t, err := newTable[P, G](ctx, d, base, n)
	if err != nil {
		return err
	}
	defer t.scratch.release()
	tasks := pieces(n, fixedPiece)
	products := make([]*product[P, G], d.workers(tasks))
	for k := range products {
		products[k] = newProduct(t)
	}
	return d.parallel(ctx, tasks, func(worker, piece int) error {
		last := min((piece+1)*fixedPiece, n)
		for first := piece * fixedPiece; first < last; first += batchSize {
			end := min(first+batchSize, last)
			products[worker].multiply(elements(scalars[first:end]), out[first:end])
		}
		return nil
	})
}

// table holds the multiples of a base: j·2^(width·w)·base at w·half + j-1.
type table[P any, G group[P]] struct {
	group   G
	windows windowing
	points  []P
	scratch *scratch
}

// newTable makes the table that n products are fastest with, or a smaller one
// where memory does not suffice.
func newTable[P any, G group[P]](ctx context.Context, d *Device, base P, n int) (*table[P, G], error) {
	for width := tableWidth(n); ; width-- {
		t := &table[P, G]{windows: newWindowing(width)}
		var owned []*scratch
		points, err := takeScratch[P](d, &owned, t.windows.windows()*t.windows.half())
		if errors.Is(err, sdk.ErrOutOfMemory) && width > minWidth {
			continue
		}
		if err != nil {
			return nil, err
		}
		t.points, t.scratch = points, owned[0]
		if err := t.fill(ctx, d, base); err != nil {
			t.scratch.release()
			return nil, err
		}
		return t, nil
	}
}

// tableWidth returns the width for which making the table and n products take
// the fewest additions.
func tableWidth(n int) int {
	best, least := minWidth, -1
	for width := minWidth; width <= maxTableWidth; width++ {
		cost := pieces(scalarBits, width) * (n + 1<<(width-1))
		if least < 0 || cost < least {
			best, least = width, cost
		}
	}
	return best
}

// fill computes the multiples, a window a task. Having 1..m times a point it
// adds m times the point to each.
func (t *table[P, G]) fill(ctx context.Context, d *Device, base P) error {
	starts := t.group.shifts(base, t.windows.width, t.windows.windows())
	adders := make([]adder[P], d.workers(len(starts)))
	for k := range adders {
		adders[k] = t.group.newAdder()
	}
	return d.parallel(ctx, len(starts), func(worker, w int) error {
		multiples := t.points[w*t.windows.half() : (w+1)*t.windows.half()]
		multiples[0] = starts[w]
		ops := make([]op, 0, batchSize)
		for m := 1; m < len(multiples); m *= 2 {
			copy(multiples[m:2*m], multiples[:m])
			for j := m; j < 2*m; j++ {
				ops = append(ops, op{dst: uint32(j), src: uint32(m - 1)})
				if len(ops) == batchSize || j == 2*m-1 {
					adders[worker].add(multiples, multiples, ops)
					ops = ops[:0]
				}
			}
		}
		return nil
	})
}

// product is one worker's state.
type product[P any, G group[P]] struct {
	table   *table[P, G]
	adder   adder[P]
	scalars [batchSize]recoded
	ops     []op
}

func newProduct[P any, G group[P]](t *table[P, G]) *product[P, G] {
	return &product[P, G]{table: t, adder: t.group.newAdder(), ops: make([]op, 0, batchSize)}
}

// multiply sets out[i] = scalars[i]·base for up to batchSize scalars.
func (p *product[P, G]) multiply(scalars []fr.Element, out []P) {
	windows := &p.table.windows
	clear(out)
	for i := range scalars {
		p.scalars[i] = windows.recode(&scalars[i])
	}
	for w := range windows.windows() {
		win := windows.window(w)
		for i := range scalars {
			digit, negative := win.digit(&p.scalars[i])
			if digit == 0 {
				continue
			}
			src := uint32(w*windows.half()) + uint32(digit-1)
			if negative {
				src |= opNeg
			}
			p.ops = append(p.ops, op{dst: uint32(i), src: src})
		}
		p.adder.add(out, p.table.points, p.ops)
		p.ops = p.ops[:0]
	}
}
