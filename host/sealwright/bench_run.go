package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/sealwright/sealwright/host"
)

// benchRun is what one run of all proofs did. Times are since its start.
type benchRun struct {
	engine  host.EngineInfo
	budget  int64 // bytes; 0: no limit
	began   time.Time
	took    time.Duration
	jobs    []benchJob
	before  host.EngineReport // when the key was loaded and nothing ran yet
	after   host.EngineReport // when all was done
	samples []benchSample
}

// benchJob is one proof.
type benchJob struct {
	start, end time.Duration
	result     *host.Result
}

// idleTimeout is how long an engine has to say that it is idle again.
const idleTimeout = 5 * time.Second

// run starts a host and an engine of its own and proves everything with them.
func (b *bench) run(ctx context.Context, options host.Options) (run *benchRun, err error) {
	run = &benchRun{budget: options.HostBytes, jobs: make([]benchJob, b.count)}
	t := b.app.tracker()
	defer func() {
		if err != nil {
			t.abandon()
		}
	}()
	h, err := host.New(ctx, options)
	if err != nil {
		return nil, environment(err)
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	t.begin("load the proving key")
	if err := h.LoadKey(ctx, b.inputs.circuit); err != nil {
		return nil, err
	}
	if run.before, err = awaitReport(ctx, h, func(r *host.EngineReport) bool { return len(r.Keys) > 0 }); err != nil {
		return nil, err
	}
	run.engine = run.before.Engine
	t.begin("prove")
	run.began = time.Now()
	sampler := startSampler(h, run)
	err = b.proveAll(ctx, h, run, t)
	run.took = time.Since(run.began)
	if err == nil {
		run.after, err = awaitReport(ctx, h, func(r *host.EngineReport) bool { return idleAgain(&run.before, r) })
	}
	run.samples = sampler.stop()
	if err != nil {
		return nil, err
	}
	t.end()
	return run, nil
}

// proveAll proves every input, so many at a time, in order.
func (b *bench) proveAll(ctx context.Context, h *host.Host, run *benchRun, t *tracker) error {
	var mu sync.Mutex
	done := 0
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(b.concurrency)
	for i := range run.jobs {
		group.Go(func() error {
			if err := context.Cause(ctx); err != nil {
				return err
			}
			req, err := b.inputs.next(i)
			if err != nil {
				return err
			}
			job := &run.jobs[i]
			job.start = time.Since(run.began)
			if job.result, err = h.Prove(ctx, *req); err != nil {
				return fmt.Errorf("proof %d of %d: %w", i+1, len(run.jobs), err)
			}
			job.end = time.Since(run.began)
			mu.Lock()
			defer mu.Unlock()
			done++
			t.at(int64(done), int64(len(run.jobs)))
			return nil
		})
	}
	return group.Wait()
}

// awaitReport waits for a report that is as wanted, and settles for the last one
// when there is none in time.
func awaitReport(ctx context.Context, h *host.Host, wanted func(*host.EngineReport) bool) (host.EngineReport, error) {
	ctx, stop := context.WithTimeout(ctx, idleTimeout)
	defer stop()
	ticker := time.NewTicker(sampleEvery)
	defer ticker.Stop()
	for {
		r, ok := h.Engine()
		if ok && wanted(&r) {
			return r, nil
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			if !ok {
				return r, errNoReport
			}
			return r, nil
		}
	}
}

// idleAgain tells whether an engine's counters are back where they were before.
func idleAgain(before, now *host.EngineReport) bool {
	same := slices.EqualFunc(before.Buffers, now.Buffers, func(x, y host.BufferReport) bool {
		return x.Kind == y.Kind && x.Count == y.Count && x.Bytes == y.Bytes
	})
	return same && now.Pipeline.Alive+now.Pipeline.Waiting == 0 && now.Memory.Reserved == before.Memory.Reserved &&
		now.Memory.Used == before.Memory.Used
}
