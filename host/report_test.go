package host

import (
	"sync/atomic"
	"testing"
	"time"
)

func TestReports(t *testing.T) {
	var told atomic.Int64
	h := fakeHost(t, "", func(o *Options) {
		o.Report = func(r EngineReport) {
			if r.Credits != 1 || r.Engine.PID == 0 || r.At.IsZero() {
				t.Errorf("report %+v", r)
			}
			told.Add(1)
		}
	})
	if _, ok := h.Engine(); ok {
		t.Error("a report without an engine")
	}
	if err := h.LoadKey(t.Context(), "wpost-2k"); err != nil {
		t.Fatal(err)
	}
	deadline := time.After(10 * time.Second)
	for told.Load() < 3 {
		select {
		case <-deadline:
			t.Fatalf("%d reports", told.Load())
		case <-time.After(time.Millisecond):
		}
	}
	if r, ok := h.Engine(); !ok || r.Engine.PID == 0 {
		t.Errorf("last report %+v, %t", r, ok)
	}
	if err := h.LoadKey(t.Context(), "porep-3k"); err == nil {
		t.Error("a key of an unknown circuit was loaded")
	}
}
