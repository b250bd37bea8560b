package vanilla

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// inParallel calls check for 0 to n-1 on all cores and returns the error of the
// lowest number, so that an input has one error however its checks are run. It
// stops early only when ctx ends.
func inParallel(ctx context.Context, n int, check func(i int) error) error {
	errs := make([]error, n)
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		if err := ctx.Err(); err != nil {
			errs[i] = err
			break
		}
		group.Go(func() error {
			errs[i] = check(i)
			return nil
		})
	}
	_ = group.Wait() // errs has the errors
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
