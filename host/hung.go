package host

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"
)

// stillness tells how long an engine's device has computed without finishing
// anything. A device finishes an operation every few seconds, so one that stands
// still for minutes hangs; so does an engine that reports no more.
type stillness struct {
	mu       sync.Mutex
	progress uint64
	since    time.Time // zero: the device was idle when last heard of
}

// take takes a report.
func (s *stillness) take(r *EngineReport) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !r.Busy:
		s.since = time.Time{}
	case s.since.IsZero() || r.Progress != s.progress:
		s.progress, s.since = r.Progress, r.At
	}
}

// lasts is how long the device has stood still by now.
func (s *stillness) lasts(now time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.since.IsZero() {
		return 0
	}
	return now.Sub(s.since)
}

// watchHung gives the engine up when its device stands still for too long.
func (i *incarnation) watchHung(ctx context.Context, h *Host) {
	most := cmp.Or(h.options.HungAfter, hungAfter)
	ticker := time.NewTicker(max(most/hungLooks, time.Millisecond))
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-i.exited():
			return
		case <-ctx.Done():
			return
		}
		if lasts := i.still.lasts(time.Now()); lasts > most {
			i.giveUpHung(ctx, h, lasts)
			return
		}
	}
}

func (i *incarnation) giveUpHung(ctx context.Context, h *Host, lasts time.Duration) {
	why := &EngineError{
		Class: ExitHung, Path: i.path, PID: i.pid, Status: -1, Stderr: i.stderr.String(),
		Reason: fmt.Sprintf("hangs: its device has finished nothing for %s", lasts.Round(time.Millisecond)),
	}
	select {
	case h.slot.condemn <- condemned{i, why}:
	case <-ctx.Done(): // it is being ended already
	}
}
