package cpu

import (
	"testing"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
)

func BenchmarkFixedBase(b *testing.B) {
	n := 1 << 18
	s := testScalars(n, 5)
	_, _, g, g2 := bls12381.Generators()
	for _, threads := range []int{1, 2} {
		d := openTest(b, threads)
		out := make([]bls12381.G1Affine, n)
		out2 := make([]bls12381.G2Affine, n)
		b.Run("G1", func(b *testing.B) {
			for b.Loop() {
				fixedBase[bls12381.G1Affine, g1_](ctxTest, d, g, frs(s), out)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "us/point")
		})
		b.Run("G2", func(b *testing.B) {
			for b.Loop() {
				fixedBase[bls12381.G2Affine, g2_](ctxTest, d, g2, frs(s), out2)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "us/point")
		})
	}
}

type g1_ = g1
type g2_ = g2
