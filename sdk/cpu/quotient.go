package cpu

import (
	"context"
	"fmt"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"github.com/sealwright/sealwright/sdk"
)

// Quotient implements sdk.Quotienter. It needs scratch for one vector more.
//
// Seven transforms: a, b and c = a∘b go to coefficients and on to the coset,
// (a·b - c)/Z comes back; Z is the constant 7^n - 1 there. Inverse transforms go from
// natural to bit-reversed order and forward ones back, so that only the result
// is permuted. Steps that meet on the same rows or columns are done while these
// lie in the cache; a vector goes through memory five times less than with
// seven separate transforms.
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
	return d.bitReverse(ctx, q.vectors[0])
}

// quotient is the working state of one quotient.
type quotient struct {
	*matrix
	vectors    [3][]fr.Element // a, b, c
	toCoset    []fr.Element    // scaling of a row of coefficients to the coset
	fromCoset  []fr.Element    // and back, with all constants where the matrix is one row
	sizeInv    fr.Element
	factor     fr.Element // of the coset
	factorInv  fr.Element
	divisorInv fr.Element // 1/(n·Z)
}

func newQuotient(d *Device, a, b []fr.Element) (_ *quotient, err error) {
	q := &quotient{vectors: [3][]fr.Element{a, b}, factor: cosetFactor()}
	if q.matrix, err = newMatrix(d, len(a)); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			q.release()
		}
	}()
	if q.vectors[2], err = takeScratch[fr.Element](d, &q.owned, len(a)); err != nil {
		return nil, err
	}
	q.sizeInv = q.inverseSize()
	q.factorInv.Inverse(&q.factor)
	one := fr.One()
	z := power(q.factor, uint64(len(a)))
	z.Sub(&z, &one)
	q.divisorInv.Inverse(&z)
	q.divisorInv.Mul(&q.divisorInv, &q.sizeInv)
	in, out := one, one
	if q.rows == 1 {
		in, out = q.sizeInv, q.divisorInv
	}
	if q.toCoset, err = q.rowScale(in, q.factor, &q.owned); err != nil {
		return nil, err
	}
	q.fromCoset, err = q.rowScale(out, q.factorInv, &q.owned)
	return q, err
}

// columnsIn makes c, and does the column steps of the three inverse transforms.
func (q *quotient) columnsIn(ctx context.Context) error {
	return q.eachTile(ctx, func(c *columnTiles, first int) {
		q.load(c.tiles[0], q.vectors[0], first)
		q.load(c.tiles[1], q.vectors[1], first)
		copy(c.tiles[2], c.tiles[0])
		multiply(c.tiles[2], c.tiles[1])
		one := fr.One()
		for k := range tileColumns {
			q.between(c.factors[0], q.omegaInv, first+k, q.sizeInv, &one)
			for _, t := range c.tiles {
				dif(q.column(t, k), q.inverse)
				multiply(q.column(t, k), c.factors[0])
			}
		}
		for v, t := range c.tiles {
			q.store(q.vectors[v], t, first)
		}
	})
}

// rowsAcross ends the inverse transforms, moves to the coset and begins the
// forward transforms. A matrix of one row is done with all of it here, up to
// the quotient's values.
func (q *quotient) rowsAcross(ctx context.Context) error {
	if q.rows == 1 {
		copy(q.vectors[2], q.vectors[0])
		multiply(q.vectors[2], q.vectors[1])
	}
	err := q.eachRow(ctx, func(row int) {
		for _, vector := range q.vectors {
			a := q.row(vector, row)
			dif(a, q.inverse)
			multiply(a, q.toCoset)
			dit(a, q.forward)
		}
	})
	if q.rows == 1 {
		numerators(q.vectors[0], q.vectors[1], q.vectors[2])
	}
	return err
}

// columnsBack ends the forward transforms, forms the quotient's values and
// begins the transform back.
func (q *quotient) columnsBack(ctx context.Context) error {
	return q.eachTile(ctx, func(c *columnTiles, first int) {
		for v, t := range c.tiles {
			q.load(t, q.vectors[v], first)
		}
		for k := range tileColumns {
			q.between(c.factors[0], q.omega, first+k, fr.One(), &q.factor)
			q.between(c.factors[1], q.omegaInv, first+k, q.divisorInv, &q.factorInv)
			for _, t := range c.tiles {
				multiply(q.column(t, k), c.factors[0])
				dit(q.column(t, k), q.forward)
			}
			values := q.column(c.tiles[0], k)
			numerators(values, q.column(c.tiles[1], k), q.column(c.tiles[2], k))
			dif(values, q.inverse)
			multiply(values, c.factors[1])
		}
		q.store(q.vectors[0], c.tiles[0], first)
	})
}

// rowsOut ends the transform back.
func (q *quotient) rowsOut(ctx context.Context) error {
	return q.eachRow(ctx, func(row int) {
		a := q.row(q.vectors[0], row)
		dif(a, q.inverse)
		multiply(a, q.fromCoset)
	})
}

// numerators sets a[k] = a[k]·b[k] - c[k].
func numerators(a, b, c []fr.Element) {
	for k := range min(len(a), len(b), len(c)) {
		a[k].Mul(&a[k], &b[k])
		a[k].Sub(&a[k], &c[k])
	}
}
