package cpu

import (
	"context"
	"fmt"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

var ctxTest = context.Background()

func TestMSMAgainstGnark(t *testing.T) {
	for _, n := range []int{0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 1000, 4095, 4096, 4097, 20000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			points, scalars := testG1(n), testScalars(n, 1)
			var want bls12381.G1Affine
			if _, err := want.MultiExp(points, scalars, ecc.MultiExpConfig{}); err != nil {
				t.Fatal(err)
			}
			for _, threads := range []int{1, 2, 7} {
				d := openTest(t, threads)
				for _, bases := range []struct {
					name string
				}{{"file"}, {"mont"}} {
					b := montgomery(points)
					if bases.name == "file" {
						b = fileOrder(points)
					}
					got, err := d.MSMG1(ctxTest, b, frs(scalars))
					if err != nil {
						t.Fatal(err)
					}
					if asG1(got) != want {
						t.Errorf("threads %d, %s: sum differs", threads, bases.name)
					}
				}
			}
		})
	}
}

func BenchmarkMSMG1(b *testing.B) {
	for _, k := range []int{16, 18, 20, 22} {
		n := 1 << k
		points, scalars := testG1(n), testScalars(n, 1)
		d := openTest(b, 0)
		bases := montgomery(points)
		b.Run(fmt.Sprintf("2^%d", k), func(b *testing.B) {
			for b.Loop() {
				if _, err := d.MSMG1(ctxTest, bases, frs(scalars)); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("gnark/2^%d", k), func(b *testing.B) {
			var p bls12381.G1Affine
			for b.Loop() {
				p.MultiExp(points, scalars, ecc.MultiExpConfig{})
			}
		})
	}
}

var _ fr.Element
