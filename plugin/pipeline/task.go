package pipeline

import (
	"context"
	"time"
)

// Task is the work of one partition. The stages of a task run one after the
// other, never at once. A stage should return soon after ctx ends.
type Task interface {
	// Synthesize makes what the device works on. It holds a permit.
	Synthesize(ctx context.Context, r *Reservation) error
	// Compute is the device stage. It holds a device worker, so what need not hold
	// the device belongs into Finish.
	Compute(ctx context.Context, r *Reservation) error
	// Finish makes the result.
	Finish(ctx context.Context) error
	// Close frees all buffers of the task. It is called exactly once, after the
	// last stage, also where no stage ran.
	Close()
}

// Job is a task with what the pipeline must know of it.
type Job struct {
	Task     Task
	Priority Priority
	Need     Need
	// Entered, where set, is told each state as the partition enters it. It is
	// called under the pipeline's lock: it must return at once and not call back.
	Entered func(State)
}

// Reservation is a running partition's part of the budget.
type Reservation struct {
	p  *Pipeline
	id ID
}

// Shrink says that the partition needs at most that many bytes from now on,
// because it has freed the rest.
func (r *Reservation) Shrink(bytes int64) {
	r.p.event(func(m *Machine) []Action { return m.Shrink(r.id, bytes) })
}

// Ticket is a submitted partition.
type Ticket struct {
	p       *Pipeline
	id      ID
	job     Job
	submit  context.Context // the submitter's
	ctx     context.Context // of the stages
	stop    context.CancelFunc
	unwatch func() bool // stops waiting for the submitter's context
	done    chan struct{}
	err     error
	outcome State
	entered [states]time.Time
}

// Done is closed when the partition has ended and its task is closed.
func (t *Ticket) Done() <-chan struct{} { return t.done }

// Err says how the partition ended, once Done is closed: nil where it is proved,
// the first error of a stage (*PanicError for a panic), or context.Canceled or
// another cause of the context.
func (t *Ticket) Err() error { return t.err }

// Cancel gives the partition up; it has ended when Done is closed.
func (t *Ticket) Cancel() {
	t.p.event(func(m *Machine) []Action { return m.Cancel(t.id) })
}

// Times returns how long the partition was in each state, once Done is closed.
func (t *Ticket) Times() Times {
	between := func(from, to State) time.Duration {
		if t.entered[from].IsZero() || t.entered[to].IsZero() {
			return 0
		}
		return t.entered[to].Sub(t.entered[from])
	}
	return Times{
		Wait:      between(Waiting, Synthesis),
		Synthesis: between(Synthesis, Synthesized),
		Queue:     between(Synthesized, OnDevice),
		Device:    between(OnDevice, Computed),
		HandOver:  between(Computed, Finishing),
		Finish:    between(Finishing, t.outcome),
	}
}

// Submitted is when the pipeline took the partition.
func (t *Ticket) Submitted() time.Time { return t.entered[Waiting] }

// Times is how long a proved partition was where.
type Times struct{ Wait, Synthesis, Queue, Device, HandOver, Finish time.Duration }
