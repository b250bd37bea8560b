package cpu

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/sealwright/sealwright/sdk"
)

// Device is the processor as an sdk.Device; it also implements sdk.MaskSummer,
// sdk.Quotienter and sdk.FixedBaser. Make one with Open. All methods may be
// called by several goroutines at once.
type Device struct {
	buffers  sdk.Buffers
	progress *sdk.Progress
	budget   int64 // limit of scratch alive; 0 means none
	used     atomic.Int64
	threads  int
	slots    chan struct{} // one token a computing goroutine

	tables tables
}

var (
	_ sdk.Device     = (*Device)(nil)
	_ sdk.MaskSummer = (*Device)(nil)
	_ sdk.Quotienter = (*Device)(nil)
	_ sdk.FixedBaser = (*Device)(nil)
)

// Memory says how much of DeviceConfig.DeviceBytes is free. Without that limit
// both figures are zero: the budget is then that of Buffers alone.
func (d *Device) Memory() sdk.MemoryInfo {
	if d.budget == 0 {
		return sdk.MemoryInfo{}
	}
	return sdk.MemoryInfo{Total: d.budget, Free: d.budget - d.used.Load()}
}

// Close drops the cached tables. It never fails.
func (d *Device) Close() error {
	d.tables.drop()
	return nil
}

// step ends a piece of work: it counts progress and returns ctx's error.
func (d *Device) step(ctx context.Context) error {
	d.progress.Done()
	return ctx.Err()
}

// parallel runs task(worker, i) for i in [0, n) on at most d.threads workers,
// numbered from 0; worker k's calls never overlap, so k may index scratch.
// Each task counts as a piece of work. After an error, or when ctx ends, no new
// task begins; the first error is returned when all workers have stopped.
func (d *Device) parallel(ctx context.Context, n int, task func(worker, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var workers sync.WaitGroup
	for worker := range d.workers(n) {
		workers.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := d.inSlot(ctx, func() error { return task(worker, i) }); err != nil {
					cancel(err)
					return
				}
			}
		})
	}
	workers.Wait()
	return context.Cause(ctx)
}

// workers returns how many goroutines n tasks are worth.
func (d *Device) workers(n int) int { return min(d.threads, n) }

// inSlot runs one task while it holds one of the device's threads.
func (d *Device) inSlot(ctx context.Context, task func() error) error {
	select {
	case d.slots <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-d.slots }()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err := task(); err != nil {
		return err
	}
	d.progress.Done()
	return nil
}
