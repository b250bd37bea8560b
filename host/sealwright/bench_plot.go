package main

import (
	"fmt"
	"math"
	"strconv"

	"github.com/sealwright/sealwright/host"
)

// plot draws a run's samples: memory of the processes, large buffers by kind,
// partitions.
func (run *benchRun) plot(b *bench) *plot {
	curve := func(name string, value func(*benchSample) float64) series {
		s := series{name: name}
		for i := range run.samples {
			s.points = append(s.points, point{run.samples[i].at.Seconds(), value(&run.samples[i])})
		}
		return s
	}
	memory := panel{title: "memory, bytes", unit: bytesAxis, series: []series{
		curve("engine, anonymous and shared", func(s *benchSample) float64 { return float64(s.engine.owned()) }),
		curve("reserved", func(s *benchSample) float64 { return float64(s.report.Memory.Reserved) }),
		curve("large buffers", func(s *benchSample) float64 { return float64(s.report.Memory.Used) }),
		curve("host, anonymous and shared", func(s *benchSample) float64 { return float64(s.self.owned()) }),
	}}
	if run.budget > 0 {
		memory.limit = &limit{"budget " + byteSize(run.budget), float64(run.budget)}
	}
	buffers := panel{title: "large buffers by kind, bytes", unit: bytesAxis}
	for i, kind := range run.after.Buffers {
		if kind.HighWater > 0 {
			buffers.series = append(buffers.series, curve(kind.Kind, func(s *benchSample) float64 {
				return float64(bufferBytes(s.report.Buffers, i))
			}))
		}
	}
	partitions := panel{title: "partitions", unit: countAxis, series: []series{
		curve("alive", func(s *benchSample) float64 { return float64(s.report.Pipeline.Alive) }),
		curve("in synthesis or held by the channel", func(s *benchSample) float64 {
			return float64(s.report.Pipeline.Synthesis + s.report.Pipeline.Synthesized)
		}),
		curve("on the device", func(s *benchSample) float64 { return float64(s.report.Pipeline.Device) }),
	}}
	if bound, ok := run.limits().AliveBound(); ok {
		partitions.limit = &limit{fmt.Sprintf("bound %d", bound), float64(bound)}
	}
	return &plot{
		title: fmt.Sprintf("%s: %d proofs, %d at a time, %d permit(s), %s", b.inputs.circuit, b.count, b.concurrency,
			run.engine.Permits, run.engine.Policy),
		panels: []panel{memory, buffers, partitions},
	}
}

func bufferBytes(buffers []host.BufferReport, i int) int64 {
	if i < len(buffers) {
		return buffers[i].Bytes
	}
	return 0
}

// bytesAxis ticks at powers of two.
var bytesAxis = axis{
	step: func(most float64) float64 { return math.Exp2(math.Ceil(math.Log2(max(most, 4) / 4))) },
	text: func(v float64) string { return trimZero(byteSize(int64(v))) },
}

// countAxis ticks at whole numbers.
var countAxis = axis{
	step: func(most float64) float64 { return max(1, niceStep(most, 4)) },
	text: func(v float64) string { return strconv.FormatFloat(v, 'f', 0, 64) },
}
