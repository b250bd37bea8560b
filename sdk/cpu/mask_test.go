package cpu

import (
	"fmt"
	"math/bits"
	"testing"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
)

// testMask returns a mask over n bases, of which pick selects.
func testMask(n int, pick func(i int) bool) []uint64 {
	mask := make([]uint64, pieces(n, 64))
	for i := range n {
		if pick(i) {
			mask[i/64] |= 1 << (i % 64)
		}
	}
	return mask
}

var picks = map[string]func(i int) bool{
	"none":  func(int) bool { return false },
	"all":   func(int) bool { return true },
	"third": func(i int) bool { return i%3 == 0 },
	"word":  func(i int) bool { return bits.OnesCount(uint(i))%2 == 1 },
	"first": func(i int) bool { return i == 0 },
}

func TestMaskSum(t *testing.T) {
	for _, n := range []int{0, 1, 31, 63, 64, 65, 1023, 1024, 1025, 20000} {
		p1, p2 := testG1(n), testG2(min(n, 3000))
		for name, pick := range picks {
			t.Run(fmt.Sprintf("%d/%s", n, name), func(t *testing.T) {
				var want1 bls12381.G1Jac
				var want2 bls12381.G2Jac
				for i := range n {
					if !pick(i) {
						continue
					}
					want1.AddMixed(&p1[i])
					if i < len(p2) {
						want2.AddMixed(&p2[i])
					}
				}
				var w1 bls12381.G1Affine
				var w2 bls12381.G2Affine
				w1.FromJacobian(&want1)
				w2.FromJacobian(&want2)
				for _, threads := range []int{1, 3} {
					d := openTest(t, threads)
					for _, b := range bothEncodings(p1) {
						got, err := d.MaskSumG1(ctxTest, b, testMask(n, pick))
						if err != nil || asG1(got) != w1 {
							t.Errorf("G1 sum of %v bases by %d threads: differs (error %v)", b.Encoding, threads, err)
						}
					}
					for _, b := range bothEncodings(p2) {
						got, err := d.MaskSumG2(ctxTest, b, testMask(len(p2), pick))
						if err != nil || asG2(got) != w2 {
							t.Errorf("G2 sum of %v bases by %d threads: differs (error %v)", b.Encoding, threads, err)
						}
					}
				}
			})
		}
	}
}

func BenchmarkMaskSum(b *testing.B) {
	n := 1 << 20
	mask := testMask(n, func(i int) bool { return bits.OnesCount(uint(i))%2 == 1 })
	b.Run("G1", func(b *testing.B) { benchmarkMask(b, n, func() error { return nil }) })
	_ = mask
}

func benchmarkMask(b *testing.B, n int, f func() error) {}
