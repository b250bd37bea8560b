package pipeline

import (
	"slices"

	"pgregory.net/rapid"
)

// shadow follows a virtual pipeline from outside, by what each partition enters,
// and keeps accounts of its own to hold the machine's against.
type shadow struct {
	t      *rapid.T
	v      *Virtual
	limits Limits

	submitting Work // what Submit is being called with
	partitions map[ID]*shadowed
	holds      map[HoldID]int64

	blocking HoldID // the hold that waited for partitions to end when the event began; another may take its place within one
	admitted int    // by this event
	outside  bool   // it came from outside: a submission or a hold
}

// shadowed is what the shadow knows of one partition.
type shadowed struct {
	id       ID
	work     Work
	state    State
	admitted bool
	passed   int // how many later ones have left a queue before it
	ends     int
}

func newShadow(t *rapid.T, limits Limits) *shadow {
	v, err := NewVirtual(limits)
	if err != nil {
		t.Fatal(err)
	}
	return &shadow{
		t: t, v: v, limits: limits.withDefaults(),
		partitions: make(map[ID]*shadowed), holds: make(map[HoldID]int64),
	}
}

// steps are the states that each state may be followed by.
var steps = [states][]State{
	0:           {Waiting},
	Waiting:     {Synthesis, Discarding},
	Synthesis:   {Synthesized, Discarding, Failed, Cancelled},
	Synthesized: {Queued, Discarding},
	Queued:      {OnDevice, Discarding},
	OnDevice:    {Computed, Discarding, Failed, Cancelled},
	Computed:    {Finishing, Discarding},
	Finishing:   {Proved, Failed, Cancelled},
	Discarding:  {Cancelled},
}

// entered notes a step, and holds that the right one took it.
func (s *shadow) entered(id ID, to State) {
	p := s.partitions[id]
	if p == nil {
		p = &shadowed{id: id, work: s.submitting}
		s.partitions[id] = p
	}
	from := p.state
	if !slices.Contains(steps[from], to) {
		s.t.Fatalf("partition %d went from %s to %s", id, from, to)
	}
	switch to {
	case Synthesis, Queued, OnDevice, Finishing:
		s.checkTurn(p, from)
	}
	p.state = to
	if to == Synthesis {
		p.admitted = true
		s.admitted++
	}
	if to.Ended() {
		p.ends++
	}
	s.checkBounds()
}

// checkTurn holds that p, which leaves the queue of a state, is the most urgent in
// it: by priority, where 16 later ones that went before count as one priority more,
// then by submission. So order is kept, and since nobody can be more urgent than
// the highest priority nobody is passed more often than that takes.
func (s *shadow) checkTurn(p *shadowed, queue State) {
	for _, other := range s.partitions {
		if other == p || other.state != queue {
			continue
		}
		if other.urgency() > p.urgency() || other.urgency() == p.urgency() && other.id < p.id {
			s.t.Fatalf("partition %d (%s, passed %d) left %s before %d (%s, passed %d)",
				p.id, p.work.Priority, p.passed, queue, other.id, other.work.Priority, other.passed)
		}
		if other.id < p.id {
			other.passed++
		}
	}
	if most := overtakes * int(Critical-p.work.Priority); queue == Waiting && p.passed > most {
		s.t.Fatalf("partition %d (%s) starved: passed %d times, at most %d", p.id, p.work.Priority, p.passed, most)
	}
}

func (p *shadowed) urgency() int { return int(p.work.Priority) + p.passed/overtakes }

// checkBounds holds what is bounded at every moment.
func (s *shadow) checkBounds() {
	var in [states]int
	alive := 0
	for _, p := range s.partitions {
		in[p.state]++
		if p.admitted && !p.state.Ended() {
			alive++
		}
	}
	if bound, ok := s.limits.AliveBound(); ok && alive > bound {
		s.t.Fatalf("%d partitions alive, bound %d", alive, bound)
	}
	switch {
	case in[Synthesis]+in[Synthesized] > s.limits.Permits:
		s.t.Fatalf("%d hold permits, there are %d", in[Synthesis]+in[Synthesized], s.limits.Permits)
	case in[Queued] > s.limits.Channel:
		s.t.Fatalf("%d in the channel of %d", in[Queued], s.limits.Channel)
	case in[OnDevice]+in[Computed] > s.limits.DeviceWorkers:
		s.t.Fatalf("%d on %d device workers", in[OnDevice]+in[Computed], s.limits.DeviceWorkers)
	case in[Finishing] > s.limits.FinishSlots:
		s.t.Fatalf("%d in %d finish slots", in[Finishing], s.limits.FinishSlots)
	}
}

// checkNow holds, between two events, the machine's accounts against the shadow's
// and that nothing waits that could move.
func (s *shadow) checkNow() {
	c := s.v.Counts()
	var reserved int64
	for id, bytes := range s.holds {
		if s.v.machine.Granted(id) {
			reserved += bytes
		}
	}
	discarding := false
	for _, p := range s.partitions {
		discarding = discarding || p.state == Discarding
		reserved += p.reserved()
	}
	if s.limits.Budget > 0 && c.Reserved > s.limits.Budget {
		s.t.Fatalf("%d bytes reserved of %d", c.Reserved, s.limits.Budget)
	}
	if c.Reserved != reserved && !discarding {
		s.t.Fatalf("%d bytes reserved, expected %d", c.Reserved, reserved)
	}
	if c.Computed > 0 && c.Slots < s.limits.FinishSlots || c.Queued > 0 && c.Workers < s.limits.DeviceWorkers ||
		c.Synthesized > 0 && c.Channel < s.limits.Channel {
		s.t.Fatalf("a partition waits for what is free: %+v", c)
	}
	blocking := s.v.machine.blockingHold()
	if blocking != 0 && blocking == s.blocking && s.admitted > 0 && !s.outside {
		s.t.Fatalf("%d partitions went before hold %d, which waits for bytes", s.admitted, blocking)
	}
	s.blocking, s.admitted, s.outside = blocking, 0, false
}

// reserved is what a partition holds of the budget in the state that it is in.
func (p *shadowed) reserved() int64 {
	n := p.work.Need
	switch p.state {
	case Synthesis:
		return max(n.Synthesis, n.Device, n.Finish)
	case Synthesized, Queued, OnDevice:
		return max(n.Device, n.Finish)
	case Computed, Finishing:
		return n.Finish
	}
	return 0
}

// checkEnd holds that nothing is stuck, lost or left.
func (s *shadow) checkEnd() {
	for id, p := range s.partitions {
		if !p.state.Ended() || p.ends != 1 {
			s.t.Fatalf("partition %d is %s and ended %d times", id, p.state, p.ends)
		}
	}
	c := s.v.Counts()
	if !s.v.machine.Idle() || c.Alive+c.Permits+c.Channel+c.Workers+c.Slots+c.HoldsWaiting != 0 || c.Reserved != 0 || c.Held != 0 {
		s.t.Fatalf("not back at zero: %+v", c)
	}
	if ended := c.Proved + c.Failed + c.Cancelled; ended != uint64(len(s.partitions)) {
		s.t.Fatalf("%d of %d partitions ended", ended, len(s.partitions))
	}
}

// blockingHold is the first waiting hold where new partitions must wait for it.
func (m *Machine) blockingHold() HoldID {
	if !m.grantable() {
		return 0
	}
	return m.holds.waiting[0].id
}
