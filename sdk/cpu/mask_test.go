package cpu

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

// masks pick bases by index.
var masks = map[string]func(i int) bool{
	"none":   func(int) bool { return false },
	"all":    func(int) bool { return true },
	"third":  func(i int) bool { return i%3 == 0 },
	"parity": parity,
	"first":  func(i int) bool { return i == 0 },
}

func parity(i int) bool { return bits.OnesCount(uint(i))%2 == 1 }

// maskOf returns the mask over n bases, and the same as scalars.
func maskOf(n int, pick func(i int) bool) ([]uint64, []fr.Element) {
	mask, scalars := make([]uint64, pieces(n, 64)), make([]fr.Element, n)
	for i := range n {
		if pick(i) {
			mask[i/64] |= 1 << (i % 64)
			scalars[i].SetOne()
		}
	}
	return mask, scalars
}

func TestMaskSum(t *testing.T) {
	for _, n := range []int{0, 1, 31, 63, 64, 65, 1024, 1025, 2100} {
		for logName, logPattern := range logPatterns {
			logs := logPattern(n)
			p1, p2 := onG1(t, logs), onG2(t, logs)
			for maskName, pick := range masks {
				t.Run(fmt.Sprintf("%d/%s bases/%s", n, logName, maskName), func(t *testing.T) {
					mask, scalars := maskOf(n, pick)
					sum := inner(logs, scalars)
					want1, want2 := expG1(&sum), expG2(&sum)
					d := openTest(t, 3)
					for _, bases := range bothEncodings(p1) {
						if got, err := d.MaskSumG1(t.Context(), bases, mask); err != nil || asG1(got) != want1 {
							t.Errorf("G1, encoding %d: sum differs (error %v)", bases.Encoding, err)
						}
					}
					if got, err := d.MaskSumG2(t.Context(), fileOrder(p2), mask); err != nil || asG2(got) != want2 {
						t.Errorf("G2: sum differs (error %v)", err)
					}
				})
			}
		}
	}
}

func BenchmarkMaskSum(b *testing.B) {
	n := 1 << 18
	mask, _ := maskOf(n, parity)
	logs := testScalars(n, 77)
	b.Run("G1/file order", func(b *testing.B) {
		bases, d := fileOrder(onG1(b, logs)), openTest(b, 0)
		benchmarkCPU(b, n/2, "base", func() error {
			_, err := d.MaskSumG1(b.Context(), bases, mask)
			return err
		})
	})
	b.Run("G1/Montgomery", func(b *testing.B) {
		bases, d := montgomery(onG1(b, logs)), openTest(b, 0)
		benchmarkCPU(b, n/2, "base", func() error {
			_, err := d.MaskSumG1(b.Context(), bases, mask)
			return err
		})
	})
	b.Run("G2/file order", func(b *testing.B) {
		bases, d := fileOrder(onG2(b, logs)), openTest(b, 0)
		benchmarkCPU(b, n/2, "base", func() error {
			_, err := d.MaskSumG2(b.Context(), bases, mask)
			return err
		})
	})
}
