package groth16

import (
	"context"

	"github.com/sealwright/sealwright/sdk"
)

// gatherer copies selected points of a section, as they lie in the file, and their
// scalars side by side, and hands them to the device a block at a time.
type gatherer struct {
	dev   sdk.Device
	bufs  sdk.Buffers
	bases sdk.Bases

	points, scalars *sdk.Buffer
	n, block        int
}

func newGatherer(s *summer, bases sdk.Bases, block int) (*gatherer, error) {
	g := &gatherer{dev: s.dev, bufs: s.bufs, bases: bases, block: block}
	var err error
	if g.points, err = g.bufs.Get(sdk.BufferAux, int64(block*bases.PointBytes())); err != nil {
		return nil, err
	}
	if g.scalars, err = g.bufs.Get(sdk.BufferAux, int64(block*sdk.FrBytes)); err != nil {
		g.release()
		return nil, err
	}
	return g, nil
}

func (g *gatherer) release() {
	g.bufs.Release(g.points)
	g.bufs.Release(g.scalars)
	g.points, g.scalars = nil, nil
}

// add takes point i of the section times a scalar.
func (g *gatherer) add(ctx context.Context, i int, scalar *sdk.Fr, total *accumulator) error {
	if g.n == g.block {
		if err := g.flush(ctx, total); err != nil {
			return err
		}
	}
	size := g.bases.PointBytes()
	copy(g.points.Data[g.n*size:(g.n+1)*size], g.bases.Data[i*size:(i+1)*size])
	g.scalars.Frs()[g.n] = *scalar
	g.n++
	return nil
}

// flush adds what was taken to total.
func (g *gatherer) flush(ctx context.Context, total *accumulator) error {
	if g.n == 0 {
		return nil
	}
	bases := g.bases
	bases.Data = g.points.Data[:g.n*bases.PointBytes()]
	scalars := g.scalars.Frs()[:g.n]
	g.n = 0
	if bases.Group == sdk.GroupG2 {
		p, err := g.dev.MSMG2(ctx, bases, scalars)
		total.add2(p)
		return err
	}
	p, err := g.dev.MSMG1(ctx, bases, scalars)
	total.add1(p)
	return err
}
