package pipeline

import (
	"container/heap"
	"time"
)

// Virtual drives a Machine with a clock of its own: a stage is a duration that
// was drawn beforehand, and a day of proving passes in milliseconds. It takes
// every policy, those that no engine serves too. Not safe for concurrent use.
type Virtual struct {
	machine *Machine
	now     time.Duration
	coming  schedule
	order   uint64
	running map[ID]*virtualRun
	in      [states]int
	alive   int
	peaks   Peaks
	busy    time.Duration
}

// Work is a partition to a virtual clock: how long its stages take.
type Work struct {
	Priority                  Priority
	Need                      Need
	Synthesis, Device, Finish time.Duration
	Discard                   time.Duration // freeing its buffers when it is given up
	Fails                     State         // the stage that ends with an error; 0: none
	Deaf                      bool          // its stages run on when they are interrupted
	// Entered, where set, is told each state as the partition enters it. It must not
	// call back; what should follow goes through After.
	Entered func(ID, State)
}

// Peaks are high waters over partitions.
type Peaks struct {
	Alive int   // all but those that wait for a permit
	Sets  int   // with a, b, c alive or in the making: alive, without the finish stage
	Piled int   // synthesized, and not on the device yet
	Bytes int64 // reserved
}

type virtualRun struct {
	work     Work
	state    State
	admitted bool
	stage    uint64 // of the stage that runs: tells a stage's end from that of one cut short
	since    time.Duration
}

// NewVirtual returns an empty pipeline at time 0.
func NewVirtual(limits Limits) (*Virtual, error) {
	machine, err := NewMachine(limits)
	if err != nil {
		return nil, err
	}
	return &Virtual{machine: machine, running: make(map[ID]*virtualRun)}, nil
}

// Now is the time since the start.
func (v *Virtual) Now() time.Duration { return v.now }

// Limits returns the limits with their defaults filled in.
func (v *Virtual) Limits() Limits { return v.machine.Limits() }

// Counts returns the machine's state of now.
func (v *Virtual) Counts() Counts { return v.machine.Counts() }

// Peaks returns the high waters since the start.
func (v *Virtual) Peaks() Peaks {
	v.peaks.Bytes = v.machine.totals.reservedPeak
	return v.peaks
}

// After has do run when that much time has passed; what is due at the same time
// runs in the order of the calls.
func (v *Virtual) After(d time.Duration, do func()) {
	v.order++
	heap.Push(&v.coming, due{at: v.now + d, order: v.order, do: do})
}

// Step runs what is due next and tells whether there was anything.
func (v *Virtual) Step() bool {
	if len(v.coming) == 0 {
		return false
	}
	next := heap.Pop(&v.coming).(due)
	v.now = next.at
	next.do()
	return true
}

// Submit takes a partition; see Machine.Submit.
func (v *Virtual) Submit(w Work) (ID, error) {
	id, actions, err := v.machine.Submit(w.Priority, w.Need)
	if err != nil {
		return 0, err
	}
	v.running[id] = &virtualRun{work: w}
	v.apply(actions)
	return id, nil
}

// Event puts an event of any kind into the machine.
func (v *Virtual) Event(e func(*Machine) []Action) { v.apply(e(v.machine)) }

func (v *Virtual) apply(actions []Action) {
	for _, a := range actions {
		r := v.running[a.ID]
		if a.Interrupt {
			if !r.work.Deaf {
				v.runStage(a.ID, r, 0, false)
			}
			continue
		}
		v.enter(a.ID, r, a.To)
		if a.To.running() {
			v.runStage(a.ID, r, r.work.duration(a.To), r.work.Fails != a.To)
		}
	}
}

// runStage has the stage that r is in end after d.
func (v *Virtual) runStage(id ID, r *virtualRun, d time.Duration, ok bool) {
	r.stage++
	stage := r.stage
	v.After(d, func() {
		if r.stage != stage {
			return // cut short before
		}
		r.stage++
		if r.state == OnDevice {
			v.busy += v.now - r.since
		}
		v.apply(v.machine.StageDone(id, ok))
	})
}

func (v *Virtual) enter(id ID, r *virtualRun, to State) {
	if r.state != 0 {
		v.in[r.state]--
	}
	v.in[to]++
	r.state, r.since = to, v.now
	if to == Synthesis {
		r.admitted = true
		v.alive++
	}
	if to.Ended() {
		if r.admitted {
			v.alive--
		}
		delete(v.running, id)
	}
	v.peaks.Alive = max(v.peaks.Alive, v.alive)
	v.peaks.Sets = max(v.peaks.Sets, v.alive-v.in[Finishing])
	v.peaks.Piled = max(v.peaks.Piled, v.in[Synthesized]+v.in[Queued])
	if r.work.Entered != nil {
		r.work.Entered(id, to)
	}
}

func (w *Work) duration(s State) time.Duration {
	switch s {
	case Synthesis:
		return w.Synthesis
	case OnDevice:
		return w.Device
	case Finishing:
		return w.Finish
	}
	return w.Discard
}
