package cpu

import (
	"fmt"
	"testing"
	"time"

	"github.com/consensys/gnark-crypto/ecc"
	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"

	"github.com/sealwright/sealwright/sdk"
)

// BenchmarkMSM pairs each size with gnark-crypto's on the same points. The
// metric %floor says how much of the processor time would be needed for the
// additions alone, each at the rate of a batch that lies in the cache.
func BenchmarkMSM(b *testing.B) {
	for _, log := range []int{16, 18, 20, 22} {
		n := 1 << log
		scalars := testScalars(n, 1)
		run := func(b *testing.B, bases sdk.Bases) {
			d := openTest(b, 0)
			used := benchmarkCPU(b, n, "term", func() error {
				_, err := d.MSMG1(b.Context(), bases, frs(scalars))
				return err
			})
			plan := planMSM(n, d.threads)
			windows := newWindowing(plan.width)
			floor := float64(windows.windows()*(n+2*windows.half())) * additionG1(b)
			b.ReportMetric(100*floor/used, "%floor")
		}
		b.Run(fmt.Sprintf("G1/2^%d/Montgomery", log), func(b *testing.B) { run(b, montgomery(onG1(b, testScalars(n, 77)))) })
		b.Run(fmt.Sprintf("G1/2^%d/file order", log), func(b *testing.B) { run(b, fileOrder(onG1(b, testScalars(n, 77)))) })
		b.Run(fmt.Sprintf("G1/2^%d/gnark", log), func(b *testing.B) {
			points := onG1(b, testScalars(n, 77))
			benchmarkCPU(b, n, "term", func() error {
				_, err := new(bls12381.G1Affine).MultiExp(points, scalars, ecc.MultiExpConfig{})
				return err
			})
		})
	}
}

func BenchmarkMSMG2(b *testing.B) {
	n := 1 << 18
	scalars := testScalars(n, 1)
	b.Run("file order", func(b *testing.B) {
		bases, d := fileOrder(onG2(b, testScalars(n, 77))), openTest(b, 0)
		benchmarkCPU(b, n, "term", func() error {
			_, err := d.MSMG2(b.Context(), bases, frs(scalars))
			return err
		})
	})
	b.Run("gnark", func(b *testing.B) {
		points := onG2(b, testScalars(n, 77))
		benchmarkCPU(b, n, "term", func() error {
			_, err := new(bls12381.G2Affine).MultiExp(points, scalars, ecc.MultiExpConfig{})
			return err
		})
	})
}

// additionG1 returns the nanoseconds of one affine addition out of a batch: the
// best of many, so that what else the machine does counts little.
func additionG1(b *testing.B) float64 {
	sums, points := onG1(b, testScalars(batchSize, 1)), onG1(b, testScalars(batchSize, 2))
	var a g1Adder
	ops := make([]op, batchSize)
	best := time.Hour
	for range 300 {
		for k := range ops {
			ops[k] = op{dst: uint32(k), src: uint32(k)}
		}
		start := time.Now()
		a.add(sums, points, ops)
		best = min(best, time.Since(start))
	}
	return float64(best.Nanoseconds()) / batchSize
}
