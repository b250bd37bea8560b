package cpu

import (
	"syscall"
	"testing"
	"time"
)

// benchmarkCPU runs f and reports its processor time, over all threads, besides
// the wall clock: it tells more on a machine that does other work too.
// It is given by the unit, of which f does perOp, and returned by call of f.
func benchmarkCPU(b *testing.B, perOp int, unit string, f func() error) (nanoseconds float64) {
	b.Helper()
	start := processorTime()
	for b.Loop() {
		if err := f(); err != nil {
			b.Fatal(err)
		}
	}
	nanoseconds = float64((processorTime() - start).Nanoseconds()) / float64(b.N)
	b.ReportMetric(nanoseconds/float64(perOp), "cpu-ns/"+unit)
	return nanoseconds
}

func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
