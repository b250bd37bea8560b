package groth16

import (
	"math/big"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr/fft"
)

// TestLagrangeInterpolates holds that Σ v_i·L_i(x) is the value at x of the
// polynomial of degree below n with the values v_i on the domain.
func TestLagrangeInterpolates(t *testing.T) {
	for _, n := range []int{1, 2, 8, 4096} {
		x := FrFromLabel("x")
		values := make([]fr.Element, n)
		if err := lagrange(values, &x); err != nil {
			t.Fatal(err)
		}
		omega, err := fft.Generator(uint64(n))
		if err != nil {
			t.Fatal(err)
		}
		for _, degree := range []int{0, 1, n - 1} {
			if degree >= n {
				continue
			}
			var sum, want fr.Element
			for i := range values { // x^degree on the domain
				var v fr.Element
				v.Exp(omega, big.NewInt(int64(i*degree)))
				v.Mul(&v, &values[i])
				sum.Add(&sum, &v)
			}
			want.Exp(x, big.NewInt(int64(degree)))
			if sum != want {
				t.Errorf("domain of %d, degree %d: interpolation differs", n, degree)
			}
		}
	}
}

func TestLagrangeInsideDomain(t *testing.T) {
	omega, err := fft.Generator(8)
	if err != nil {
		t.Fatal(err)
	}
	if err := lagrange(make([]fr.Element, 8), &omega); err == nil {
		t.Error("no error for a point of the domain")
	}
}

func BenchmarkLagrange(b *testing.B) {
	out := make([]fr.Element, 1<<16)
	x := FrFromLabel("x")
	for b.Loop() {
		if err := lagrange(out, &x); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(out)), "ns/value")
}
