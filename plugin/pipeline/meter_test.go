package pipeline

import (
	"testing"

	"github.com/sealwright/sealwright/sdk"
)

func TestMeter(t *testing.T) {
	tracker := NewTracker(100, nil)
	m := NewMeter(tracker)
	get := func(n int64) *sdk.Buffer {
		t.Helper()
		b, err := m.Get(sdk.BufferSynth, n)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	a, b := get(30), get(40)
	if _, err := m.Get(sdk.BufferSynth, 31); err == nil {
		t.Error("more than the budget")
	}
	if now, peak := m.Use(); now != 70 || peak != 70 {
		t.Errorf("%d in use, %d at most, expected 70", now, peak)
	}
	m.Release(b)
	c := get(10)
	m.Release(nil)
	if now, peak := m.Use(); now != 40 || peak != 70 {
		t.Errorf("%d in use, %d at most, expected 40 and 70", now, peak)
	}
	m.Release(a)
	m.Release(c)
	if now, _ := m.Use(); now != 0 || tracker.Counts().Used != 0 {
		t.Errorf("%d in use, the tracker has %d", now, tracker.Counts().Used)
	}
}

func TestEstimate(t *testing.T) {
	computed := Need{Synthesis: 100, Device: 800}
	for name, c := range map[string]struct {
		took []Need
		want Need
	}{
		"nothing measured": {nil, computed},
		"too few":          {[]Need{{50, 400, 0}, {50, 400, 0}}, computed},
		"enough":           {[]Need{{48, 400, 0}, {32, 320, 0}, {40, 80, 0}}, Need{Synthesis: 54, Device: 450}},
		"never above":      {[]Need{{96, 792, 0}, {96, 792, 0}, {96, 792, 0}}, computed},
		"too low, at once": {[]Need{{50, 880, 16}}, Need{Synthesis: 100, Device: 990, Finish: 18}},
	} {
		t.Run(name, func(t *testing.T) {
			e := NewEstimate(computed)
			last := computed
			for _, took := range c.took {
				before, now := e.Took(took)
				if before != last || now != e.Need() {
					t.Errorf("from %+v to %+v, expected it from %+v", before, now, last)
				}
				last = now
			}
			if got := e.Need(); got != c.want {
				t.Errorf("need %+v, expected %+v", got, c.want)
			}
		})
	}
}
