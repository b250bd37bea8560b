package plugin

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/sealwright/sealwright/plugin/pipeline"
)

// follow returns what a tracker tells of each change: the heap's limit follows
// the arena, and the log has a line at debug level.
func follow(log *slog.Logger, limit *heapLimit) func(pipeline.BufferCounts) {
	debug := log.Enabled(context.Background(), slog.LevelDebug)
	return func(c pipeline.BufferCounts) {
		limit.follow(c)
		if debug {
			log.Debug(c.String())
		}
	}
}

// logBuffers writes a BUFFERS line every now and then while partitions are alive,
// and one at the end, until the returned function is called.
func (e *engine) logBuffers() (stop func()) {
	done := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		ticker := time.NewTicker(buffersInterval)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				if c := e.pipeline.Counts(); c.Alive > 0 {
					e.logCounts(c)
				}
			case <-done:
				return
			}
		}
	})
	return func() {
		close(done)
		group.Wait()
		if c := e.pipeline.Counts(); c.AlivePeak > 0 {
			e.logCounts(c)
		}
	}
}

func (e *engine) logCounts(c pipeline.Counts) {
	e.log.Info(e.tracker.Counts().String(), "waiting", c.Waiting, "synthesis", c.Synthesis, "synthesized", c.Synthesized,
		"queued", c.Queued, "device", c.OnDevice, "finish", c.Finishing, "alive", c.Alive, "alive_peak", c.AlivePeak,
		"reserved", c.Reserved, "reserved_peak", c.ReservedPeak, "budget", c.Budget)
}
