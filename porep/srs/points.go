package srs

import (
	"context"
	"fmt"
	"runtime"

	"github.com/sealwright/sealwright/porep/groth16"
	"golang.org/x/sync/errgroup"
)

// CheckPoints checks points of every section in full (canonical, finite, on the
// curve, in the subgroup): so many of each section, evenly spread with the first and
// last among them; all where sample is not positive. A point costs some 50 µs in G1 and
// 100 µs in G2. The error names section and offset.
func (f *File) CheckPoints(ctx context.Context, sample int) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, s := range f.sections {
		n := s.Bases.Len()
		picks := n
		if sample > 0 {
			picks = min(n, max(sample, 2))
		}
		const block = 1 << 10
		for from := 0; from < picks; from += block {
			g.Go(func() error {
				return f.checkRun(ctx, s, picks, from, min(from+block, picks))
			})
		}
	}
	return g.Wait()
}

// checkRun checks the picks [from, to) of all that are spread over a section.
func (f *File) checkRun(ctx context.Context, s Section, picks, from, to int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for k := from; k < to; k++ {
		i := k
		if n := s.Bases.Len(); picks < n {
			i = int(int64(k) * int64(n-1) / int64(picks-1))
		}
		if err := groth16.CheckPoint(s.Bases, i); err != nil {
			return &groth16.KeyError{
				File: f.path, Section: s.Name, Offset: s.Offset + int64(i)*int64(s.Bases.PointBytes()),
				Expected: fmt.Sprintf("point %d", i), Found: "a bad point", Err: err,
			}
		}
	}
	return nil
}
