package cpu

import (
	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
)

// batchSize is how many affine additions share one inversion. An inversion
// costs some 90 multiplications, so the share is below 2 % of an addition; more
// would push the points of a batch out of the second-level cache.
const batchSize = 1 << 10

// op is one addition of a batch: dst[op.dst] += ±src[op.src].
type op struct {
	dst uint32
	src uint32 // index, and the flags below
}

const (
	opNeg    = 1 << 31 // subtract
	opDouble = 1 << 30 // set by add itself: the two points are equal
	opIndex  = opDouble - 1
)

// adder does batches of affine additions. It is used by one goroutine at a
// time.
type adder[P any] interface {
	// add executes ops, at most batchSize of them and no two with one dst; the
	// result is exact for infinity, equal and opposite points too. src and dst may
	// be one slice as long as no op's dst is another's src. It reorders ops.
	//
	// Affine addition with Montgomery's trick (Handbook of Elliptic and Hyperelliptic
	// Curve Cryptography, 11.3.1 and 13.2.1).
	add(dst, src []P, ops []op)
}

type g1Adder struct {
	dens, prefix [batchSize]fp.Element
	touched      uint64
}

// touch reads a word of each cache line of the points that ops name. The
// processor has many of these short loads under way at once, where the
// arithmetic that follows would wait for them one by one.
func (a *g1Adder) touch(dst, src []bls12381.G1Affine, ops []op) {
	var t uint64
	for _, o := range ops {
		p, q := &dst[o.dst], &src[o.src&opIndex]
		t |= p.X[0] | p.Y[fp.Limbs-1] | q.X[0] | q.Y[fp.Limbs-1]
	}
	a.touched = t
}

func (a *g1Adder) add(dst, src []bls12381.G1Affine, ops []op) {
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
	var slope, x, y fp.Element
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

// denominators settles the additions that need no slope and returns the
// others, the slope of ops[k] having denominator a.dens[k].
func (a *g1Adder) denominators(dst, src []bls12381.G1Affine, ops []op) []op {
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
			// Equal points if their y agree after the sign; else opposite ones.
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
