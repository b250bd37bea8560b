package cpu

import (
	"fmt"
	"slices"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr/fft"
	"github.com/consensys/gnark-crypto/utils"

	"github.com/sealwright/sealwright/sdk"
)

var transforms = []sdk.Transform{{}, {Inverse: true}, {Coset: true}, {Inverse: true, Coset: true}}

// gnarkNTT is the oracle.
func gnarkNTT(a []fr.Element, t sdk.Transform) {
	domain := fft.NewDomain(uint64(len(a)))
	var options []fft.Option
	if t.Coset {
		options = append(options, fft.OnCoset())
	}
	if t.Inverse {
		domain.FFTInverse(a, fft.DIF, options...)
		utils.BitReverse(a)
		return
	}
	domain.FFT(a, fft.DIF, options...)
	utils.BitReverse(a)
}

func TestNTTAgainstGnark(t *testing.T) {
	for log := range 17 {
		for _, transform := range transforms {
			for _, threads := range []int{1, 3} {
				t.Run(fmt.Sprintf("2^%d/%+v/%d threads", log, transform, threads), func(t *testing.T) {
					d := openTest(t, threads)
					got := testScalars(1<<log, uint64(log))
					want := slices.Clone(got)
					gnarkNTT(want, transform)
					if err := d.NTT(t.Context(), frs(got), transform); err != nil {
						t.Fatal(err)
					}
					for i := range got {
						if got[i] != want[i] {
							t.Fatalf("element %d is %v, want %v", i, &got[i], &want[i])
						}
					}
				})
			}
		}
	}
}

// TestNTTByDefinition sums up small transforms.
func TestNTTByDefinition(t *testing.T) {
	for log := range 5 {
		n := 1 << log
		for _, transform := range transforms {
			got := testScalars(n, uint64(log))
			coefficients := slices.Clone(got)
			if err := openTest(t, 1).NTT(t.Context(), frs(got), transform); err != nil {
				t.Fatal(err)
			}
			values := got
			if transform.Inverse {
				coefficients, values = got, coefficients
			}
			x, root := fr.One(), rootOfUnity(n)
			if transform.Coset {
				x = cosetFactor()
			}
			for i := range n {
				if want := evaluate(coefficients, &x); values[i] != want {
					t.Errorf("%d points, %+v: value %d is %v, want %v", n, transform, i, &values[i], &want)
				}
				x.Mul(&x, &root)
			}
		}
	}
}

// evaluate returns the value of a polynomial, lowest coefficient first.
func evaluate(poly []fr.Element, x *fr.Element) (y fr.Element) {
	for k := len(poly) - 1; k >= 0; k-- {
		y.Mul(&y, x).Add(&y, &poly[k])
	}
	return y
}

func TestQuotientIdentity(t *testing.T) {
	for _, log := range []int{0, 1, 2, 3, 5, 8, 11, 12, 13, 16} {
		t.Run(fmt.Sprintf("2^%d", log), func(t *testing.T) {
			n := 1 << log
			d := openTest(t, 2)
			a, b := testScalars(n, 3), testScalars(n, 4)
			c := slices.Clone(a)
			multiply(c, b)
			pa, pb := slices.Clone(a), slices.Clone(b)
			for _, p := range [][]fr.Element{pa, pb, c} {
				gnarkNTT(p, sdk.Transform{Inverse: true})
			}
			if err := d.Quotient(t.Context(), frs(a), frs(b)); err != nil {
				t.Fatal(err)
			}
			if !a[n-1].IsZero() {
				t.Errorf("the last coefficient is %v, want 0", &a[n-1])
			}
			x := testScalars(1, 9)[0]
			va, vb, vc, vh := evaluate(pa, &x), evaluate(pb, &x), evaluate(c, &x), evaluate(a, &x)
			one, z := fr.One(), power(x, uint64(n))
			z.Sub(&z, &one)
			vh.Mul(&vh, &z)
			va.Mul(&va, &vb).Sub(&va, &vc)
			if va != vh {
				t.Error("a·b - c differs from h·Z at a random point")
			}
		})
	}
}

func BenchmarkNTT(b *testing.B) {
	for _, log := range []int{18, 20, 22} {
		a := testScalars(1<<log, 1)
		butterflies := log << (log - 1)
		for _, transform := range transforms {
			b.Run(fmt.Sprintf("2^%d/%+v", log, transform), func(b *testing.B) {
				d := openTest(b, 0)
				benchmarkCPU(b, butterflies, "butterfly", func() error { return d.NTT(b.Context(), frs(a), transform) })
			})
		}
		b.Run(fmt.Sprintf("2^%d/gnark", log), func(b *testing.B) {
			domain := fft.NewDomain(uint64(len(a)))
			benchmarkCPU(b, butterflies, "butterfly", func() error {
				domain.FFTInverse(a, fft.DIF)
				return nil
			})
		})
	}
}

func BenchmarkQuotient(b *testing.B) {
	for _, log := range []int{18, 20, 22} {
		x, y := testScalars(1<<log, 1), testScalars(1<<log, 2)
		b.Run(fmt.Sprintf("2^%d", log), func(b *testing.B) {
			d := openTest(b, 0)
			benchmarkCPU(b, 1<<log, "element", func() error { return d.Quotient(b.Context(), frs(x), frs(y)) })
		})
	}
}
