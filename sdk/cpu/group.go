package cpu

import bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"

// group is what the algorithms of this package need of G1 or G2; P is its
// affine point. Only what runs once a batch or once a window goes through it.
type group[P any] interface {
	newAdder() adder[P]
	// decode reads one point in file order; see errors in decode.go.
	decode(p *P, file []byte) error
	neg(p *P)
	// sum returns Σ points[k].
	sum(points []P) P
	// weighted returns Σ (k+1)·points[k].
	weighted(points []P) P
	// horner returns Σ 2^(bits·k)·points[k].
	horner(points []P, bits int) P
	// shifts returns 2^(bits·k)·base for k in [0, n).
	shifts(base P, bits, n int) []P
}

type (
	g1 struct{}
	g2 struct{}
)

var (
	_ group[bls12381.G1Affine] = g1{}
	_ group[bls12381.G2Affine] = g2{}
)

func (g1) newAdder() adder[bls12381.G1Affine] { return new(g1Adder) }
func (g2) newAdder() adder[bls12381.G2Affine] { return new(g2Adder) }

func (g1) neg(p *bls12381.G1Affine) { p.Neg(p) }
func (g2) neg(p *bls12381.G2Affine) { p.Neg(p) }

func (g1) sum(points []bls12381.G1Affine) (p bls12381.G1Affine) {
	var s bls12381.G1Jac
	for k := range points {
		s.AddMixed(&points[k])
	}
	return *p.FromJacobian(&s)
}

func (g2) sum(points []bls12381.G2Affine) (p bls12381.G2Affine) {
	var s bls12381.G2Jac
	for k := range points {
		s.AddMixed(&points[k])
	}
	return *p.FromJacobian(&s)
}

func (g1) weighted(points []bls12381.G1Affine) (p bls12381.G1Affine) {
	var running, s bls12381.G1Jac
	for k := len(points) - 1; k >= 0; k-- {
		running.AddMixed(&points[k])
		s.AddAssign(&running)
	}
	return *p.FromJacobian(&s)
}

func (g2) weighted(points []bls12381.G2Affine) (p bls12381.G2Affine) {
	var running, s bls12381.G2Jac
	for k := len(points) - 1; k >= 0; k-- {
		running.AddMixed(&points[k])
		s.AddAssign(&running)
	}
	return *p.FromJacobian(&s)
}

func (g1) horner(points []bls12381.G1Affine, bits int) (p bls12381.G1Affine) {
	var s bls12381.G1Jac
	for k := len(points) - 1; k >= 0; k-- {
		for range bits {
			s.DoubleAssign()
		}
		s.AddMixed(&points[k])
	}
	return *p.FromJacobian(&s)
}

func (g2) horner(points []bls12381.G2Affine, bits int) (p bls12381.G2Affine) {
	var s bls12381.G2Jac
	for k := len(points) - 1; k >= 0; k-- {
		for range bits {
			s.DoubleAssign()
		}
		s.AddMixed(&points[k])
	}
	return *p.FromJacobian(&s)
}

func (g1) shifts(base bls12381.G1Affine, bits, n int) []bls12381.G1Affine {
	points := make([]bls12381.G1Affine, n)
	var s bls12381.G1Jac
	s.FromAffine(&base)
	for k := range points {
		points[k].FromJacobian(&s)
		for range bits {
			s.DoubleAssign()
		}
	}
	return points
}

func (g2) shifts(base bls12381.G2Affine, bits, n int) []bls12381.G2Affine {
	points := make([]bls12381.G2Affine, n)
	var s bls12381.G2Jac
	s.FromAffine(&base)
	for k := range points {
		points[k].FromJacobian(&s)
		for range bits {
			s.DoubleAssign()
		}
	}
	return points
}
