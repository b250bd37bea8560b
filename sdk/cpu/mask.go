package cpu

import (
	"context"
	"fmt"
	"math/bits"
	"unsafe"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"

	"github.com/sealwright/sealwright/sdk"
)

// maskPiece is how many words of a mask, 64 bases each, make a piece of work.
const maskPiece = 1 << 7

// MaskSumG1 implements sdk.MaskSummer. Bases that are not selected are not
// read.
func (d *Device) MaskSumG1(ctx context.Context, bases sdk.Bases, mask []uint64) (sdk.G1, error) {
	p, err := maskSum[bls12381.G1Affine, g1](ctx, d, bases, sdk.GroupG1, mask)
	return *(*sdk.G1)(unsafe.Pointer(&p)), err
}

// MaskSumG2 implements sdk.MaskSummer.
func (d *Device) MaskSumG2(ctx context.Context, bases sdk.Bases, mask []uint64) (sdk.G2, error) {
	p, err := maskSum[bls12381.G2Affine, g2](ctx, d, bases, sdk.GroupG2, mask)
	return *(*sdk.G2)(unsafe.Pointer(&p)), err
}

// maskSum gives each worker an accumulator of its own.
func maskSum[P any, G group[P]](ctx context.Context, d *Device, bases sdk.Bases, want sdk.Group, mask []uint64) (sum P, err error) {
	read, err := newReader[P, G](bases, want)
	if err != nil {
		return sum, err
	}
	n := bases.Len()
	if len(mask) != pieces(n, 64) {
		return sum, fmt.Errorf("%w: mask sum: %d words of mask for %d bases, want %d", sdk.ErrInvalidInput, len(mask), n, pieces(n, 64))
	}
	if n%64 != 0 && mask[len(mask)-1]>>(n%64) != 0 {
		return sum, fmt.Errorf("%w: mask sum: a bit past the %d bases is set", sdk.ErrInvalidInput, n)
	}
	if err := ctx.Err(); err != nil {
		return sum, err
	}
	tasks := pieces(len(mask), maskPiece)
	accumulators := make([]*accumulator[P, G], d.workers(tasks))
	for k := range accumulators {
		accumulators[k] = newAccumulator[P, G]()
	}
	err = d.parallel(ctx, tasks, func(worker, piece int) error {
		first := piece * maskPiece
		return accumulators[worker].addMask(read, first*64, mask[first:min(first+maskPiece, len(mask))])
	})
	if err != nil {
		return sum, err
	}
	var parts []P
	for _, a := range accumulators {
		parts = append(parts, a.sum())
	}
	return read.group.sum(parts), nil
}

// accumulator sums points by adding them in turn to batchSize partial sums, so
// that every batch is full.
type accumulator[P any, G group[P]] struct {
	group  G
	adder  adder[P]
	sums   []P
	points []P // of the open batch
	ops    []op
}

func newAccumulator[P any, G group[P]]() *accumulator[P, G] {
	a := &accumulator[P, G]{
		sums:   make([]P, batchSize),
		points: make([]P, 0, batchSize),
		ops:    make([]op, 0, batchSize),
	}
	a.adder = a.group.newAdder()
	return a
}

// addMask adds the bases from first on that mask selects.
func (a *accumulator[P, G]) addMask(read *reader[P, G], first int, mask []uint64) error {
	for k, word := range mask {
		for ; word != 0; word &= word - 1 {
			a.points = a.points[:len(a.points)+1]
			if err := read.load(&a.points[len(a.points)-1], first+64*k+bits.TrailingZeros64(word)); err != nil {
				return err
			}
			if len(a.points) == batchSize {
				a.flush()
			}
		}
	}
	return nil
}

func (a *accumulator[P, G]) flush() {
	for k := range uint32(len(a.points)) {
		a.ops = append(a.ops, op{dst: k, src: k})
	}
	a.adder.add(a.sums, a.points, a.ops)
	a.points, a.ops = a.points[:0], a.ops[:0]
}

// sum returns the sum of all points added.
func (a *accumulator[P, G]) sum() P {
	a.flush()
	return a.group.sum(a.sums)
}
