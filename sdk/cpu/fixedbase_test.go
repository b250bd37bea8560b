package cpu

import (
	"fmt"
	"testing"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"github.com/sealwright/sealwright/sdk"
)

func TestFixedBase(t *testing.T) {
	_, _, gen1, gen2 := bls12381.Generators()
	base1, base2 := castSlice[sdk.G1]([]bls12381.G1Affine{gen1})[0], castSlice[sdk.G2]([]bls12381.G2Affine{gen2})[0]
	for _, scalars := range [][]fr.Element{nil, testScalars(1, 1), testScalars(40, 2), edgeScalars(), testScalars(1500, 3)} {
		want1, want2 := make([]bls12381.G1Affine, len(scalars)), make([]bls12381.G2Affine, len(scalars))
		for i := range scalars {
			want1[i], want2[i] = expG1(&scalars[i]), expG2(&scalars[i])
		}
		for _, threads := range []int{1, 3} {
			t.Run(fmt.Sprintf("%d/%d threads", len(scalars), threads), func(t *testing.T) {
				d := openTest(t, threads)
				out1, out2 := make([]sdk.G1, len(scalars)), make([]sdk.G2, len(scalars))
				if err := d.FixedBaseG1(t.Context(), base1, frs(scalars), out1); err != nil {
					t.Fatal(err)
				}
				if err := d.FixedBaseG2(t.Context(), base2, frs(scalars), out2); err != nil {
					t.Fatal(err)
				}
				for i := range scalars {
					if asG1(out1[i]) != want1[i] {
						t.Fatalf("G1: product %d, by %v, differs", i, &scalars[i])
					}
					if asG2(out2[i]) != want2[i] {
						t.Fatalf("G2: product %d, by %v, differs", i, &scalars[i])
					}
				}
			})
		}
	}
}

func TestFixedBaseOfInfinity(t *testing.T) {
	scalars := frs(testScalars(3, 1))
	out := []sdk.G1{{X: sdk.Fp{1}}, {X: sdk.Fp{1}}, {X: sdk.Fp{1}}}
	if err := openTest(t, 1).FixedBaseG1(t.Context(), sdk.G1{}, scalars, out); err != nil {
		t.Fatal(err)
	}
	for i, p := range out {
		if p != (sdk.G1{}) {
			t.Errorf("product %d is not infinity", i)
		}
	}
}

// BenchmarkFixedBase reports nanoseconds a product on one thread and on two.
func BenchmarkFixedBase(b *testing.B) {
	n := 1 << 18
	scalars := frs(testScalars(n, 5))
	_, _, gen1, gen2 := bls12381.Generators()
	base1, base2 := castSlice[sdk.G1]([]bls12381.G1Affine{gen1})[0], castSlice[sdk.G2]([]bls12381.G2Affine{gen2})[0]
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("G1/%d threads", threads), func(b *testing.B) {
			d, out := openTest(b, threads), make([]sdk.G1, n)
			benchmarkCPU(b, n, "product", func() error { return d.FixedBaseG1(b.Context(), base1, scalars, out) })
		})
		b.Run(fmt.Sprintf("G2/%d threads", threads), func(b *testing.B) {
			d, out := openTest(b, threads), make([]sdk.G2, n)
			benchmarkCPU(b, n, "product", func() error { return d.FixedBaseG2(b.Context(), base2, scalars, out) })
		})
	}
	b.Run("G1/gnark", func(b *testing.B) {
		few := testScalars(n/16, 5)
		benchmarkCPU(b, len(few), "product", func() error {
			bls12381.BatchScalarMultiplicationG1(&gen1, few)
			return nil
		})
	})
}
