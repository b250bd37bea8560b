package pipeline

// Counts is a machine's state in numbers.
type Counts struct {
	Waiting, Synthesis, Synthesized, Queued, OnDevice, Computed, Finishing, Discarding int

	Alive, AlivePeak                 int // all but the waiting
	Permits, Channel, Workers, Slots int // places in use

	Budget, Reserved, ReservedPeak, Held int64 // bytes; Held is the holds' part of Reserved
	HoldsWaiting                         int

	Proved, Failed, Cancelled uint64 // since the start
	Credits                   int    // partitions that may be submitted now to start soon
	Draining                  bool
}

type totals struct {
	alive, alivePeak int
	reservedPeak     int64
	ended            [states]uint64
}

// Counts returns the state of now.
func (m *Machine) Counts() Counts {
	var by [states]int
	for _, p := range m.partitions {
		by[p.state]++
	}
	return Counts{
		Waiting: by[Waiting], Synthesis: by[Synthesis], Synthesized: by[Synthesized], Queued: by[Queued],
		OnDevice: by[OnDevice], Computed: by[Computed], Finishing: by[Finishing], Discarding: by[Discarding],
		Alive: m.totals.alive, AlivePeak: m.totals.alivePeak,
		Permits: m.permits, Channel: m.channel, Workers: m.workers, Slots: m.slots,
		Budget: m.limits.Budget, Reserved: m.reserved, ReservedPeak: m.totals.reservedPeak, Held: m.holds.bytes,
		HoldsWaiting: len(m.holds.waiting),
		Proved:       m.totals.ended[Proved], Failed: m.totals.ended[Failed], Cancelled: m.totals.ended[Cancelled],
		Credits: m.credits(), Draining: m.draining,
	}
}

// credits is how many more partitions would find a permit.
func (m *Machine) credits() int {
	if m.draining {
		return 0
	}
	return max(0, m.limits.Permits-m.permits-len(m.waiting))
}
