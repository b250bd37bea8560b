package host

import "maps"

// Snapshot is how the slot and its engine stand.
type Snapshot struct {
	EnginePath string
	State      SlotState
	LastDeath  *EngineError         // nil: none died yet
	Starts     uint64               // engines that came to take work
	Deaths     map[ExitClass]uint64 // engines that died, and those that did not come to life
	Engine     EngineInfo           // the one that takes work; zero: none does
	Report     *EngineReport        // its last; nil: none yet
}

// Snapshot tells how the host's slot and its engine stand. It never waits for the
// engine.
func (h *Host) Snapshot() Snapshot {
	s := h.slot
	s.mu.Lock()
	defer s.mu.Unlock()
	snapshot := Snapshot{
		EnginePath: h.options.EnginePath, State: s.state, LastDeath: s.lastDeath, Starts: s.starts, Deaths: maps.Clone(s.deaths),
	}
	if s.ready != nil {
		snapshot.Engine = s.ready.info
		if r := h.report.Load(); r != nil && r.Engine.PID == s.ready.pid {
			snapshot.Report = r
		}
	}
	return snapshot
}
