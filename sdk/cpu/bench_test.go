package cpu

import (
	"syscall"
	"testing"
	"time"
)

// benchmarkCPU runs f and reports its processor time, over all threads, besides
// the wall clock: it tells more on a machine that does other work too.
// perOp is divided out of it: "cpu-ns/<unit>".
func benchmarkCPU(b *testing.B, perOp int, unit string, f func() error) {
	b.Helper()
	start := processorTime()
	for b.Loop() {
		if err := f(); err != nil {
			b.Fatal(err)
		}
	}
	used := processorTime() - start
	b.ReportMetric(float64(used.Nanoseconds())/float64(b.N)/float64(perOp), "cpu-ns/"+unit)
}

func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
