package host

import (
	"syscall"
	"testing"
	"time"
)

func TestSnapshot(t *testing.T) {
	h := fakeHost(t, "")
	if s := h.Snapshot(); s.State != SlotIdle || s.Starts != 0 || s.Engine.PID != 0 || s.Report != nil || s.EnginePath == "" {
		t.Errorf("before any engine: %+v", s)
	}
	if err := h.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := snapshotWhere(t, h, func(s Snapshot) bool { return s.Report != nil })
	if s.State != SlotReady || s.Starts != 1 || s.Engine.PID == 0 || s.Engine.Backend != "fake" || s.Report.Credits != 1 {
		t.Errorf("of an engine that lives: %+v", s)
	}
	if err := syscall.Kill(s.Engine.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	s = snapshotWhere(t, h, func(s Snapshot) bool { return s.State == SlotDead })
	if s.Engine.PID != 0 || s.Report != nil || s.LastDeath == nil || s.Deaths[ExitSignal] != 1 || s.Starts != 1 {
		t.Errorf("of an engine that died: %+v", s)
	}
}

func TestSnapshotOfAnEngineThatDoesNotStart(t *testing.T) {
	h := fakeHost(t, "version")
	if err := h.Start(t.Context()); err == nil {
		t.Fatal("it started")
	}
	if s := h.Snapshot(); s.State != SlotDead || s.Starts != 0 || s.Deaths[ExitVersion] != 1 || s.LastDeath == nil {
		t.Errorf("snapshot %+v", s)
	}
}

// snapshotWhere waits for a snapshot that pleases.
func snapshotWhere(t *testing.T, h *Host, pleases func(Snapshot) bool) Snapshot {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		if s := h.Snapshot(); pleases(s) || time.Now().After(deadline) {
			return s
		}
	}
}
