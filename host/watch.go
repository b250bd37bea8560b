package host

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/sealwright/sealwright/sdk/enginepb"
)

// watch follows the engine's reports until the incarnation ends or ctx does.
func (i *incarnation) watch(ctx context.Context, h *Host) {
	ctx, cancel := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() {
		for ctx.Err() == nil {
			if err := i.followReports(ctx, h); err != nil && ctx.Err() == nil {
				i.log.Debug("watch engine", "error", err)
			}
			select {
			case <-i.exited():
				return
			case <-ctx.Done():
			case <-time.After(watchInterval):
			}
		}
	})
	done.Go(func() { i.watchHung(ctx, h) })
	i.stop = func() {
		cancel()
		done.Wait()
	}
}

func (i *incarnation) followReports(ctx context.Context, h *Host) error {
	every := cmp.Or(h.options.ReportEvery, watchInterval)
	stream, err := i.rpc.Watch(ctx, &enginepb.WatchRequest{IntervalMs: uint32(min(every, time.Minute).Milliseconds())})
	if err != nil {
		return err
	}
	for {
		report, err := stream.Recv()
		if err != nil {
			return err
		}
		i.dispatch.report(int(report.GetCredits()))
		h.reported(i, report)
	}
}
