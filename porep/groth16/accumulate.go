package groth16

import (
	"context"
	"fmt"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/sdk"
	"golang.org/x/sync/errgroup"
)

// polynomials holds A_j(τ), B_j(τ) and C_j(τ) of every variable j of z.
type polynomials struct {
	a, b, c []fr.Element
	buffers [3]*sdk.Buffer
	bufs    sdk.Buffers
}

func (p *polynomials) release() {
	for i, b := range p.buffers {
		p.bufs.Release(b)
		p.buffers[i] = nil
	}
}

// checkUsed reports a variable that no row has: its points would be infinity.
func (p *polynomials) checkUsed() error {
	for j := range p.a {
		if p.a[j].IsZero() && p.b[j].IsZero() && p.c[j].IsZero() {
			return fmt.Errorf("%w: variable %d is in no row", sdk.ErrInvalidInput, j)
		}
	}
	return nil
}

// evaluatePolynomials sums every column of A, B, C with its rows' Lagrange values
// at τ, one goroutine a matrix, in one pass over the instances.
func evaluatePolynomials(ctx context.Context, c *sdk.Circuit, tau *fr.Element, bufs sdk.Buffers) (*polynomials, error) {
	values, err := bufs.Get(sdk.BufferScratch, int64(domainSize(c)*sdk.FrBytes))
	if err != nil {
		return nil, fmt.Errorf("take Lagrange values: %w", err)
	}
	defer bufs.Release(values)
	rows := elements(values.Frs())
	if err := lagrange(rows, tau); err != nil {
		return nil, err
	}
	p := &polynomials{bufs: bufs}
	for i, column := range []*[]fr.Element{&p.a, &p.b, &p.c} {
		size := (int64(c.NumInputs) + int64(c.NumAux)) * int64(sdk.FrBytes)
		if p.buffers[i], err = bufs.Get(sdk.BufferScratch, size); err != nil {
			p.release()
			return nil, fmt.Errorf("take columns: %w", err)
		}
		*column = elements(p.buffers[i].Frs())
	}
	classes := classify(c.Coeffs)
	g, ctx := errgroup.WithContext(ctx)
	for _, m := range []struct {
		sums   []fr.Element
		matrix func(*sdk.Template) *sdk.Matrix
	}{
		{p.a, func(t *sdk.Template) *sdk.Matrix { return &t.A }},
		{p.b, func(t *sdk.Template) *sdk.Matrix { return &t.B }},
		{p.c, func(t *sdk.Template) *sdk.Matrix { return &t.C }},
	} {
		g.Go(func() error { return accumulate(ctx, c, classes, m.matrix, rows, m.sums) })
	}
	if err := g.Wait(); err != nil {
		p.release()
		return nil, err
	}
	for i := range c.NumInputs { // the input-consistency rows
		p.a[i].Add(&p.a[i], &rows[c.NumRows+i])
	}
	return p, nil
}

// accumulate adds to sums[j], for every row i of one matrix, its coefficient of
// variable j times rows[i].
func accumulate(
	ctx context.Context, c *sdk.Circuit, classes []coeffClass, matrix func(*sdk.Template) *sdk.Matrix, rows, sums []fr.Element,
) error {
	coeffs := elements(c.Coeffs)
	var s starts
	for k := range c.Instances {
		if k%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		in := &c.Instances[k]
		t := &c.Templates[in.Template]
		s.variables(c, t, in)
		m := matrix(t)
		for i := range t.Rows {
			row := &rows[in.Row+i]
			for _, term := range m.Row(i) {
				sum := &sums[s.at(term.Column)]
				switch classes[term.Coeff] {
				case coeffOne:
					sum.Add(sum, row)
				case coeffMinusOne:
					sum.Sub(sum, row)
				default:
					var v fr.Element
					v.Mul(&coeffs[term.Coeff], row)
					sum.Add(sum, &v)
				}
			}
		}
	}
	return nil
}
