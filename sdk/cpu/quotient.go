package cpu

import (
	"context"
	"fmt"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"github.com/sealwright/sealwright/sdk"
)

// Quotient implements sdk.Quotienter. It needs scratch for one vector more.
//
// Six transforms: a, b and c = a∘b go to coefficients, a and b on to the coset,
// where Z is the constant 7^n - 1, and the product of their values comes back
// from there. As c has degree below n, it is subtracted from that in
// coefficients: h = (fromCoset(a'∘b') - c)/Z, and c never sees the coset.
//
// Inverse transforms go from natural to bit-reversed order and forward ones
// back, so that only the result is permuted. Steps that meet on the same rows
// or columns are done while these lie in the cache.
func (d *Device) Quotient(ctx context.Context, a, b []sdk.Fr) error {
	if err := checkLength("quotient", len(a)); err != nil {
		return err
	}
	switch {
	case len(b) != len(a):
		return fmt.Errorf("%w: quotient: b has %d elements and a has %d", sdk.ErrInvalidInput, len(b), len(a))
	case &a[0] == &b[0]:
		return fmt.Errorf("%w: quotient: a and b are the same memory", sdk.ErrInvalidInput)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	q, err := newQuotient(d, elements(a), elements(b))
	if err != nil {
		return err
	}
	defer q.release()
	for _, pass := range []func(context.Context) error{q.columnsIn, q.rowsAcross, q.columnsBack, q.rowsOut} {
		if err := pass(ctx); err != nil {
			return err
		}
	}
	return d.bitReverse(ctx, q.a)
}

// quotient is the working state of one quotient. Scalings are put where a
// multiplication is due anyway: each inverse transform in leaves its
// coefficients divided by Z, which is right for c, and the one back makes up for
// a and b.
type quotient struct {
	*matrix
	a, b, c   []fr.Element
	in, out   fr.Element // 1/(n·Z) and Z/n
	factor    fr.Element // of the coset
	factorInv fr.Element
	toCoset   []fr.Element // scaling of a row
	fromCoset []fr.Element
	singleRow bool // all scalings are in the rows
}

func newQuotient(d *Device, a, b []fr.Element) (_ *quotient, err error) {
	q := &quotient{a: a, b: b, factor: cosetFactor()}
	if q.matrix, err = newMatrix(d, len(a)); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			q.release()
		}
	}()
	if q.c, err = takeScratch[fr.Element](d, &q.owned, len(a)); err != nil {
		return nil, err
	}
	one, size := fr.One(), q.inverseSize()
	z := power(q.factor, uint64(len(a)))
	z.Sub(&z, &one)
	q.in.Inverse(&z)
	q.in.Mul(&q.in, &size)
	q.out.Mul(&z, &size)
	q.factorInv.Inverse(&q.factor)
	q.singleRow = q.rows == 1
	rowIn, rowOut := one, one
	if q.singleRow {
		rowIn, rowOut = q.in, q.out
	}
	if q.toCoset, err = q.rowScale(rowIn, q.factor, &q.owned); err != nil {
		return nil, err
	}
	q.fromCoset, err = q.rowScale(rowOut, q.factorInv, &q.owned)
	return q, err
}

// columnsIn makes c, and does the column steps of the three inverse transforms.
func (q *quotient) columnsIn(ctx context.Context) error {
	if q.singleRow {
		copy(q.c, q.a)
		multiply(q.c, q.b)
		return nil
	}
	one := fr.One()
	return q.eachTile(ctx, func(t *columnTiles, first int) {
		a, b, c := t.tiles[0], t.tiles[1], t.tiles[2]
		q.load(a, q.a, first)
		q.load(b, q.b, first)
		copy(c, a)
		multiply(c, b)
		for k := range tileColumns {
			q.between(t.factors[0], q.omegaInv, first+k, q.in, &one)
			for _, tile := range t.tiles {
				column := q.column(tile, k)
				dif(column, q.inverse)
				multiply(column, t.factors[0])
			}
		}
		q.store(q.a, a, first)
		q.store(q.b, b, first)
		q.store(q.c, c, first)
	})
}

// rowsAcross ends the inverse transforms; it moves a and b to the coset and
// begins their forward transforms.
func (q *quotient) rowsAcross(ctx context.Context) error {
	return q.eachRow(ctx, func(row int) {
		for _, vector := range [][]fr.Element{q.a, q.b} {
			values := q.row(vector, row)
			dif(values, q.inverse)
			multiply(values, q.toCoset)
			dit(values, q.forward)
		}
		c := q.row(q.c, row)
		dif(c, q.inverse)
		if q.singleRow {
			for k := range c {
				c[k].Mul(&c[k], &q.in)
			}
		}
	})
}

// columnsBack ends the forward transforms, multiplies the values and begins the
// transform back.
func (q *quotient) columnsBack(ctx context.Context) error {
	if q.singleRow {
		multiply(q.a, q.b)
		return nil
	}
	return q.eachTile(ctx, func(t *columnTiles, first int) {
		q.load(t.tiles[0], q.a, first)
		q.load(t.tiles[1], q.b, first)
		for k := range tileColumns {
			q.between(t.factors[0], q.omega, first+k, fr.One(), &q.factor)
			q.between(t.factors[1], q.omegaInv, first+k, q.out, &q.factorInv)
			for _, tile := range t.tiles[:2] {
				column := q.column(tile, k)
				multiply(column, t.factors[0])
				dit(column, q.forward)
			}
			product := q.column(t.tiles[0], k)
			multiply(product, q.column(t.tiles[1], k))
			dif(product, q.inverse)
			multiply(product, t.factors[1])
		}
		q.store(q.a, t.tiles[0], first)
	})
}

// rowsOut ends the transform back and subtracts c.
func (q *quotient) rowsOut(ctx context.Context) error {
	return q.eachRow(ctx, func(row int) {
		h, c := q.row(q.a, row), q.row(q.c, row)
		dif(h, q.inverse)
		for k := range h {
			h[k].Mul(&h[k], &q.fromCoset[k])
			h[k].Sub(&h[k], &c[k])
		}
	})
}
