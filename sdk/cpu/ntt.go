package cpu

import (
	"context"
	"fmt"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"github.com/sealwright/sealwright/sdk"
)

// NTT implements sdk.Device. A thread needs scratch for 26 columns of about √n
// elements.
func (d *Device) NTT(ctx context.Context, data []sdk.Fr, t sdk.Transform) error {
	if err := checkLength("transform", len(data)); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	m, err := newMatrix(d, len(data))
	if err != nil {
		return err
	}
	defer m.release()
	a := elements(data)
	if t.Inverse {
		if err := m.interpolate(ctx, a, t.Coset); err != nil {
			return err
		}
		return d.bitReverse(ctx, a)
	}
	if err := d.bitReverse(ctx, a); err != nil {
		return err
	}
	return m.evaluate(ctx, a, t.Coset)
}

// checkLength refuses what is no length of a domain.
func checkLength(what string, n int) error {
	if n <= 0 || n&(n-1) != 0 || n > 1<<maxLog {
		return fmt.Errorf("%w: %s of %d elements, want a power of two up to 2^%d", sdk.ErrInvalidInput, what, n, maxLog)
	}
	return nil
}

// interpolate replaces values in natural order, on the coset or not, by
// coefficients in bit-reversed order.
func (m *matrix) interpolate(ctx context.Context, a []fr.Element, coset bool) error {
	scale := fr.One()
	if coset {
		scale = cosetFactor()
		scale.Inverse(&scale)
	}
	start, rowStart := m.inverseSize(), fr.One()
	if m.rows == 1 {
		start, rowStart = rowStart, start
	}
	var owned []*scratch
	defer func() { releaseAll(owned) }()
	scaling, err := m.rowScale(rowStart, scale, &owned)
	if err != nil {
		return err
	}
	err = m.eachTile(ctx, func(c *columnTiles, first int) {
		m.load(c.tiles[0], a, first)
		for k := range tileColumns {
			m.between(c.factors[0], m.omegaInv, first+k, start, &scale)
			column := m.column(c.tiles[0], k)
			dif(column, m.inverse)
			multiply(column, c.factors[0])
		}
		m.store(a, c.tiles[0], first)
	})
	if err != nil {
		return err
	}
	return m.eachRow(ctx, func(row int) {
		dif(m.row(a, row), m.inverse)
		if coset || m.rows == 1 {
			multiply(m.row(a, row), scaling)
		}
	})
}

// evaluate replaces coefficients in bit-reversed order by values in natural
// order, on the coset or not.
func (m *matrix) evaluate(ctx context.Context, a []fr.Element, coset bool) error {
	scale := fr.One()
	if coset {
		scale = cosetFactor()
	}
	var owned []*scratch
	defer func() { releaseAll(owned) }()
	scaling, err := m.rowScale(fr.One(), scale, &owned)
	if err != nil {
		return err
	}
	err = m.eachRow(ctx, func(row int) {
		if coset {
			multiply(m.row(a, row), scaling)
		}
		dit(m.row(a, row), m.forward)
	})
	if err != nil {
		return err
	}
	return m.eachTile(ctx, func(c *columnTiles, first int) {
		m.load(c.tiles[0], a, first)
		for k := range tileColumns {
			m.between(c.factors[0], m.omega, first+k, fr.One(), &scale)
			column := m.column(c.tiles[0], k)
			multiply(column, c.factors[0])
			dit(column, m.forward)
		}
		m.store(a, c.tiles[0], first)
	})
}

// inverseSize returns 1/n.
func (m *matrix) inverseSize() (s fr.Element) {
	s.SetUint64(uint64(m.rows) * uint64(m.columns))
	return *s.Inverse(&s)
}
