package cpu

import (
	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
)

// g2Adder is g1Adder over the extension, line by line: with one generic text
// for both, each multiplication would be called through a table.
type g2Adder struct {
	dens, prefix [batchSize]bls12381.E2
	touched      uint64
}

// touch is g1Adder's over the extension.
func (a *g2Adder) touch(dst, src []bls12381.G2Affine, ops []op) {
	var t uint64
	for _, o := range ops {
		p, q := &dst[o.dst], &src[o.src&opIndex]
		t |= p.X.A0[0] | p.X.A1[2] | p.Y.A0[4] | p.Y.A1[fp.Limbs-1]
		t |= q.X.A0[0] | q.X.A1[2] | q.Y.A0[4] | q.Y.A1[fp.Limbs-1]
	}
	a.touched = t
}

// add is g1Adder's over the extension.
func (a *g2Adder) add(dst, src []bls12381.G2Affine, ops []op) {
	a.touch(dst, src, ops)
	ops = a.denominators(dst, src, ops)
	if len(ops) == 0 {
		return
	}
	inverse := a.dens[0]
	for k := 1; k < len(ops); k++ {
		a.prefix[k] = inverse
		inverse.Mul(&inverse, &a.dens[k])
	}
	inverse.Inverse(&inverse)
	var slope, x, y bls12381.E2
	for k := len(ops) - 1; k >= 0; k-- {
		o := ops[k]
		p, q := &dst[o.dst], &src[o.src&opIndex]
		switch {
		case o.src&opDouble != 0:
			x.Square(&p.X)
			slope.Double(&x)
			slope.Add(&slope, &x)
		case o.src&opNeg != 0:
			slope.Add(&q.Y, &p.Y)
			slope.Neg(&slope)
		default:
			slope.Sub(&q.Y, &p.Y)
		}
		slope.Mul(&slope, &inverse)
		if k > 0 {
			slope.Mul(&slope, &a.prefix[k])
			inverse.Mul(&inverse, &a.dens[k])
		}
		x.Square(&slope)
		x.Sub(&x, &p.X)
		x.Sub(&x, &q.X)
		y.Sub(&p.X, &x)
		y.Mul(&y, &slope)
		p.Y.Sub(&y, &p.Y)
		p.X = x
	}
}

// denominators is g1Adder's over the extension.
func (a *g2Adder) denominators(dst, src []bls12381.G2Affine, ops []op) []op {
	n := 0
	for _, o := range ops {
		p, q := &dst[o.dst], &src[o.src&opIndex]
		if q.IsInfinity() {
			continue
		}
		if p.IsInfinity() {
			*p = *q
			if o.src&opNeg != 0 {
				p.Y.Neg(&p.Y)
			}
			continue
		}
		den := &a.dens[n]
		den.Sub(&q.X, &p.X)
		if den.IsZero() {
			if p.Y.Equal(&q.Y) == (o.src&opNeg != 0) || p.Y.IsZero() {
				p.SetInfinity()
				continue
			}
			den.Double(&p.Y)
			o.src |= opDouble
		}
		ops[n] = o
		n++
	}
	return ops[:n]
}
