package circuit

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/sealwright/sealwright/sdk"
	"golang.org/x/sync/errgroup"
)

// ErrUnsatisfied is wrapped by Check's error where a row does not hold.
var ErrUnsatisfied = errors.New("constraint not satisfied")

// Check evaluates every row of a circuit on a witness, on all cores. The error
// names a row that does not hold, its gadget and the instance, and wraps
// ErrUnsatisfied.
func Check(ctx context.Context, c *sdk.Circuit, w *sdk.Witness) error {
	if uint64(len(w.Bits))*64 < uint64(c.NumBits) || uint64(len(w.Fields)) != uint64(c.NumFields) {
		return fmt.Errorf("check %s: witness of %d bits and %d fields, expected %d and %d",
			c.ID, len(w.Bits)*64, len(w.Fields), c.NumBits, c.NumFields)
	}
	var next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	shared := newEvaluator(c, w)
	for range runtime.GOMAXPROCS(0) {
		e := *shared
		group.Go(func() error {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(c.Instances) {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				e.at(i)
				if err := e.check(i); err != nil {
					return fmt.Errorf("check %s: %w", c.ID, err)
				}
			}
		})
	}
	return group.Wait()
}

// check evaluates the rows of the instance that the evaluator is at.
func (e *evaluator) check(number int) error {
	t := e.template
	for row := range t.Rows {
		a, b, c := e.row(&t.A, row), e.row(&t.B, row), e.row(&t.C, row)
		a.Mul(&a, &b)
		if !a.Equal(&c) {
			return fmt.Errorf("%w: row %d, which is row %d of %q, instance %d",
				ErrUnsatisfied, e.instance.Row+row, row, t.Name, number)
		}
	}
	return nil
}
