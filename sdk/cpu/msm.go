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
	// maxBlock and minBlock bound how many terms are converted and summed at a
	// time: the most that memory allows.
	maxBlock = 1 << 22
	minBlock = 1 << 12
	// msmPiece is how many terms of one window make a piece of work.
	msmPiece = 1 << 18
	// recodePiece is how many scalars are recoded in one piece of work.
	recodePiece = 1 << 15
)

// MSMG1 implements sdk.Device.
func (d *Device) MSMG1(ctx context.Context, bases sdk.Bases, scalars []sdk.Fr) (sdk.G1, error) {
	p, err := msm[bls12381.G1Affine, g1](ctx, d, bases, sdk.GroupG1, scalars)
	return *(*sdk.G1)(unsafe.Pointer(&p)), err
}

// MSMG2 implements sdk.Device.
func (d *Device) MSMG2(ctx context.Context, bases sdk.Bases, scalars []sdk.Fr) (sdk.G2, error) {
	p, err := msm[bls12381.G2Affine, g2](ctx, d, bases, sdk.GroupG2, scalars)
	return *(*sdk.G2)(unsafe.Pointer(&p)), err
}

// msm is Pippenger's algorithm over signed windows, block by block.
func msm[P any, G group[P]](ctx context.Context, d *Device, bases sdk.Bases, want sdk.Group, scalars []sdk.Fr) (sum P, err error) {
	read, err := newReader[P, G](bases, want)
	if err != nil {
		return sum, err
	}
	n := bases.Len()
	if n != len(scalars) {
		return sum, fmt.Errorf("%w: multiexponentiation: %d scalars for %d bases", sdk.ErrInvalidInput, len(scalars), n)
	}
	if err := ctx.Err(); err != nil || n == 0 {
		return sum, err
	}
	run, err := newMSM(d, read, n)
	if err != nil {
		return sum, err
	}
	defer run.release()
	var sums []P
	for first := 0; first < n; first += run.block {
		last := min(first+run.block, n)
		s, err := run.sumBlock(ctx, first, elements(scalars[first:last]))
		if err != nil {
			return sum, err
		}
		sums = append(sums, s)
	}
	return read.group.sum(sums), nil
}

// msmRun is the working state of one multiexponentiation.
type msmRun[P any, G group[P]] struct {
	device  *Device
	read    *reader[P, G]
	block   int
	plan    msmPlan
	windows windowing

	scratch []*scratch
	room    []P       // of a block's converted points; empty where they are used in place
	scalars []recoded // of a block
	workers []*buckets[P, G]
}

// newMSM takes the memory of a run over n terms in equal blocks, smaller ones
// where it does not suffice for larger ones.
func newMSM[P any, G group[P]](d *Device, read *reader[P, G], n int) (*msmRun[P, G], error) {
	for blocks := pieces(n, maxBlock); ; blocks *= 2 {
		run, err := newMSMBlock(d, read, pieces(n, blocks))
		if err == nil || !errors.Is(err, sdk.ErrOutOfMemory) || n/blocks < 2*minBlock {
			return run, err
		}
	}
}

func newMSMBlock[P any, G group[P]](d *Device, read *reader[P, G], block int) (_ *msmRun[P, G], err error) {
	run := &msmRun[P, G]{device: d, read: read, block: block, plan: planMSM(block, d.threads)}
	run.windows = newWindowing(run.plan.width)
	defer func() {
		if err != nil {
			run.release()
		}
	}()
	if !read.inPlace() {
		if run.room, err = takeScratch[P](d, &run.scratch, block); err != nil {
			return nil, err
		}
	}
	if run.scalars, err = takeScratch[recoded](d, &run.scratch, block); err != nil {
		return nil, err
	}
	workers := d.workers(len(run.plan.tasks(run.windows.windows(), block)))
	sums, err := takeScratch[P](d, &run.scratch, workers*run.windows.half())
	if err != nil {
		return nil, err
	}
	for k := range workers {
		run.workers = append(run.workers, newBuckets[P, G](sums[k*run.windows.half():(k+1)*run.windows.half()]))
	}
	return run, nil
}

func (run *msmRun[P, G]) release() {
	releaseAll(run.scratch)
}

// sumBlock returns the sum of the terms from first on.
func (run *msmRun[P, G]) sumBlock(ctx context.Context, first int, scalars []fr.Element) (sum P, err error) {
	n := len(scalars)
	points, err := run.read.points(ctx, run.device, first, n, run.room)
	if err != nil {
		return sum, err
	}
	err = run.device.parallel(ctx, pieces(n, recodePiece), func(_, piece int) error {
		for i := piece * recodePiece; i < min((piece+1)*recodePiece, n); i++ {
			run.scalars[i] = run.windows.recode(&scalars[i])
		}
		return nil
	})
	if err != nil {
		return sum, err
	}
	tasks := run.plan.tasks(run.windows.windows(), n)
	parts := make([]P, len(tasks))
	err = run.device.parallel(ctx, len(tasks), func(worker, i int) (err error) {
		parts[i], err = run.sumWindow(ctx, run.workers[worker], points, tasks[i])
		return err
	})
	if err != nil {
		return sum, err
	}
	return run.join(tasks, parts), nil
}

// sumWindow returns the sum of one part of one window.
func (run *msmRun[P, G]) sumWindow(ctx context.Context, b *buckets[P, G], points []P, t msmTask) (sum P, err error) {
	b.reset()
	win := run.windows.window(t.window)
	for first := t.first; first < t.last; first += msmPiece {
		for i := first; i < min(first+msmPiece, t.last); i++ {
			if digit, negative := win.digit(&run.scalars[i]); digit != 0 {
				b.put(uint32(digit-1), points, i, negative)
			}
		}
		if err := run.device.step(ctx); err != nil {
			b.drop()
			return sum, err
		}
	}
	b.flush(points)
	return b.weighted(), nil
}

// join adds up the parts of each window, and the windows by their weights.
func (run *msmRun[P, G]) join(tasks []msmTask, parts []P) P {
	byWindow := make([][]P, run.windows.windows())
	for i, t := range tasks {
		byWindow[t.window] = append(byWindow[t.window], parts[i])
	}
	sums := make([]P, len(byWindow))
	for k, parts := range byWindow {
		sums[k] = run.read.group.sum(parts)
	}
	return run.read.group.horner(sums, run.windows.width)
}
