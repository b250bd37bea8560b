package pipeline

import (
	"errors"
	"flag"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// rapidChecks sets how many cases rapid.Check draws, and puts the old number
// back. Rapid takes a fifth of it under -short.
func rapidChecks(t *testing.T, checks int) {
	t.Helper()
	const name = "rapid.checks"
	old := flag.Lookup(name).Value.String()
	if old != "100" {
		return // the caller's choice
	}
	if err := flag.Set(name, fmt.Sprint(checks)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := flag.Set(name, old); err != nil {
			t.Error(err)
		}
	})
}

// TestPipelineKeepsItsPromises draws pipelines and loads, with failures, cancels
// and priorities, and holds every promise of the package after each event.
func TestPipelineKeepsItsPromises(t *testing.T) {
	checks := 10_000
	if testing.Short() {
		checks = 5 * 500
	}
	rapidChecks(t, checks)
	rapid.Check(t, func(t *rapid.T) {
		s := newShadow(t, drawLimits(t))
		s.script()
		for s.v.Step() {
			s.checkNow()
		}
		s.checkEnd()
	})
}

func drawLimits(t *rapid.T) Limits {
	return Limits{
		Permits:       rapid.IntRange(1, 6).Draw(t, "permits"),
		Channel:       rapid.IntRange(0, 3).Draw(t, "channel"),
		DeviceWorkers: rapid.IntRange(1, 3).Draw(t, "workers"),
		FinishSlots:   rapid.IntRange(0, 3).Draw(t, "slots"),
		Budget:        rapid.SampledFrom([]int64{0, 60, 100, 400}).Draw(t, "budget"),
		Policy:        rapid.SampledFrom([]Policy{HoldUntilAccepted{}, ChannelPermits{}, BytesOnly{}}).Draw(t, "policy"),
	}
}

// script schedules submissions, cancels, holds.
func (s *shadow) script() {
	most := rapid.SampledFrom([]int{8, 8, 24, 24, 24, 120}).Draw(s.t, "most") // the largest: enough to pass somebody for long
	for range rapid.IntRange(1, most).Draw(s.t, "submissions") {
		w := s.drawWork()
		cancel := rapid.IntRange(-60, 60).Draw(s.t, "cancel") // negative: never
		s.v.After(s.drawTime(40), func() { s.submit(w, cancel) })
	}
	for range rapid.IntRange(0, 3).Draw(s.t, "holds") {
		bytes, need := rapid.Int64Range(0, 40).Draw(s.t, "hold"), rapid.Int64Range(0, 40).Draw(s.t, "need")
		life := s.drawTime(80)
		s.v.After(s.drawTime(40), func() { s.hold(bytes, need, life) })
	}
}

func (s *shadow) drawTime(most int) time.Duration {
	return time.Duration(rapid.IntRange(0, most).Draw(s.t, "time")) * time.Second
}

func (s *shadow) drawWork() Work {
	bytes := rapid.Int64Range(0, 60)
	w := Work{
		Priority:  Priority(rapid.IntRange(int(Low), int(Critical)).Draw(s.t, "priority")),
		Need:      Need{bytes.Draw(s.t, "synthesis"), bytes.Draw(s.t, "device"), bytes.Draw(s.t, "finish")},
		Synthesis: s.drawTime(30), Device: s.drawTime(15), Finish: s.drawTime(20), Discard: s.drawTime(2),
		Deaf:    rapid.Bool().Draw(s.t, "deaf"),
		Entered: s.entered,
	}
	if luck := rapid.IntRange(0, 19).Draw(s.t, "luck"); luck < 3 {
		w.Fails = []State{Synthesis, OnDevice, Finishing}[luck]
	}
	return w
}

func (s *shadow) submit(w Work, cancel int) {
	s.submitting, s.outside = w, true
	id, err := s.v.Submit(w)
	if err != nil {
		s.checkRefusal(err, w.Need.Whole())
		return
	}
	if cancel >= 0 {
		s.v.After(time.Duration(cancel)*time.Second, func() {
			s.v.Event(func(m *Machine) []Action { return m.Cancel(id) })
		})
	}
}

func (s *shadow) hold(bytes, need int64, life time.Duration) {
	s.outside = true
	s.v.Event(func(m *Machine) []Action {
		id, _, err := m.Hold(bytes, need)
		if err != nil {
			s.checkRefusal(err, bytes+need)
			return nil
		}
		s.holds[id] = bytes
		s.v.After(life, func() {
			s.outside = true
			delete(s.holds, id)
			s.v.Event(func(m *Machine) []Action { return m.Unhold(id) })
		})
		return nil
	})
}

func (s *shadow) checkRefusal(err error, need int64) {
	var budget *BudgetError
	if !errors.As(err, &budget) || s.limits.Budget == 0 || need <= s.limits.Budget-budget.Held {
		s.t.Fatalf("refused %d bytes of %d: %v", need, s.limits.Budget, err)
	}
}
