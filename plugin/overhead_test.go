package plugin

import (
	"context"
	"log/slog"
	"testing"

	"github.com/sealwright/sealwright/plugin/pipeline"
	"github.com/sealwright/sealwright/sdk"
	"github.com/sealwright/sealwright/sdk/cpu"
)

// A partition's share of what an engine keeps count of, at least what one of 2
// KiB has: buffers that it takes, and reports while it runs.
const (
	overheadBuffers = 32
	overheadReports = 400 // one each 100 ms for 40 s
)

// countedTask does nothing in its stages but take buffers and give them back.
type countedTask struct{ buffers sdk.Buffers }

func (c countedTask) take(n int) error {
	for range n {
		b, err := c.buffers.Get(sdk.BufferAux, 64)
		if err != nil {
			return err
		}
		c.buffers.Release(b)
	}
	return nil
}

func (c countedTask) Synthesize(context.Context, *pipeline.Reservation) error {
	return c.take(overheadBuffers / 2)
}

func (c countedTask) Compute(_ context.Context, r *pipeline.Reservation) error {
	r.Shrink(10)
	return c.take(overheadBuffers / 2)
}

func (c countedTask) Finish(context.Context) error { return nil }

func (c countedTask) Close() {}

// BenchmarkOverhead is what pipeline, tracker and reports cost a partition: all
// but its work.
func BenchmarkOverhead(b *testing.B) {
	log := slog.New(slog.DiscardHandler)
	pipe, err := pipeline.New(pipeline.Limits{Permits: 2, Budget: 1 << 30})
	if err != nil {
		b.Fatal(err)
	}
	tracker := pipeline.NewTracker(1<<30, follow(log, newHeapLimit(0)))
	device, err := cpu.New().Open(b.Context(), sdk.DeviceConfig{Buffers: tracker, Progress: new(sdk.Progress)})
	if err != nil {
		b.Fatal(err)
	}
	e := &engine{log: log, pipeline: pipe, tracker: tracker, device: device, progress: new(sdk.Progress)}
	for b.Loop() {
		ticket, err := pipe.Submit(b.Context(), pipeline.Job{Task: countedTask{tracker}, Need: pipeline.Need{Synthesis: 100, Device: 50}})
		if err != nil {
			b.Fatal(err)
		}
		<-ticket.Done()
		if err := ticket.Err(); err != nil {
			b.Fatal(err)
		}
		for range overheadReports {
			e.report()
		}
	}
	pipe.Close()
	if err := device.Close(); err != nil {
		b.Fatal(err)
	}
}
