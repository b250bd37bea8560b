package host

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

func TestStillness(t *testing.T) {
	start := time.Now()
	at := func(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }
	var s stillness
	for _, c := range []struct {
		at       int
		busy     bool
		progress uint64
		lasts    int // a second later
	}{
		{0, false, 7, 0},
		{1, true, 7, 1},
		{5, true, 7, 5},
		{6, true, 8, 1}, // slow, but it moves
		{16, true, 9, 1},
		{17, false, 9, 0},
		{90, true, 9, 1}, // idle time does not count
	} {
		s.take(&EngineReport{Busy: c.busy, Progress: c.progress, At: at(c.at)})
		if lasts := s.lasts(at(c.at + 1)); lasts != time.Duration(c.lasts)*time.Second {
			t.Errorf("at %d: stands still for %s, expected %d s", c.at, lasts, c.lasts)
		}
	}
}

func TestHungEngineIsGivenUp(t *testing.T) {
	h := fakeHost(t, "stopped device", func(o *Options) { o.HungAfter = 300 * time.Millisecond })
	_, err := h.Prove(t.Context(), Request{})
	var death *EngineError
	if !errors.As(err, &death) || death.Class != ExitHung || !strings.Contains(err.Error(), "its device has finished nothing for") {
		t.Fatalf("error %v", err)
	}
	for state := SlotReady; state != SlotDead; state, death = h.State() {
		time.Sleep(time.Millisecond)
	}
	if death == nil || death.Class != ExitHung {
		t.Errorf("last death %v", death)
	}
	t.Setenv(defectVariable, "")
	if _, err := h.Prove(t.Context(), Request{}); err != nil {
		t.Errorf("prove after the death: %v", err)
	}
}

func TestSlowEngineIsNotGivenUp(t *testing.T) {
	h := fakeHost(t, "slow device", func(o *Options) { o.HungAfter = 500 * time.Millisecond })
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Second)
	defer stop()
	if _, err := h.Prove(ctx, Request{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, expected the deadline", err)
	}
	if state, death := h.State(); state != SlotReady || death != nil {
		t.Errorf("the slot is %s, last death %v", state, death)
	}
}
