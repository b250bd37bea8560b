package cpu

import (
	"fmt"
	"math/big"
	"testing"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"github.com/sealwright/sealwright/sdk"
)

// edgeScalars returns 0, 1, r-1, the middle of the field, single bits and runs
// of ones.
func edgeScalars() []fr.Element {
	half := new(big.Int).Rsh(fr.Modulus(), 1)
	scalars := make([]fr.Element, 0, 600)
	add := func(x *big.Int) {
		var s fr.Element
		s.SetBigInt(x)
		var n fr.Element
		n.Neg(&s)
		scalars = append(scalars, s, n)
	}
	for d := int64(-2); d <= 2; d++ {
		add(big.NewInt(d))
		add(new(big.Int).Add(half, big.NewInt(d)))
	}
	for bit := range uint(scalarBits) {
		one := new(big.Int).Lsh(big.NewInt(1), bit)
		add(one)
		if bit%7 == 0 {
			add(new(big.Int).Sub(one, big.NewInt(1)))
		}
	}
	return scalars
}

func TestFixedBase(t *testing.T) {
	_, _, gen1, gen2 := bls12381.Generators()
	for _, scalars := range [][]fr.Element{nil, testScalars(1, 1), testScalars(40, 2), edgeScalars(), testScalars(5000, 3)} {
		t.Run(fmt.Sprint(len(scalars)), func(t *testing.T) {
			want1 := make([]bls12381.G1Affine, len(scalars))
			want2 := make([]bls12381.G2Affine, len(scalars))
			for i := range scalars {
				k := scalars[i].BigInt(new(big.Int))
				want1[i].ScalarMultiplication(&gen1, k)
				want2[i].ScalarMultiplication(&gen2, k)
			}
			for _, threads := range []int{1, 3} {
				d := openTest(t, threads)
				out1, out2 := make([]sdk.G1, len(scalars)), make([]sdk.G2, len(scalars))
				if err := d.FixedBaseG1(ctxTest, castSlice[sdk.G1]([]bls12381.G1Affine{gen1})[0], frs(scalars), out1); err != nil {
					t.Fatal(err)
				}
				if err := d.FixedBaseG2(ctxTest, castSlice[sdk.G2]([]bls12381.G2Affine{gen2})[0], frs(scalars), out2); err != nil {
					t.Fatal(err)
				}
				for i := range scalars {
					if asG1(out1[i]) != want1[i] {
						t.Fatalf("G1 product %d by %v differs", i, &scalars[i])
					}
					if asG2(out2[i]) != want2[i] {
						t.Fatalf("G2 product %d by %v differs", i, &scalars[i])
					}
				}
			}
		})
	}
}
