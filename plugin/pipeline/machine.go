package pipeline

import (
	"errors"
	"fmt"
)

// ErrDraining refuses a partition because the pipeline takes no more.
var ErrDraining = errors.New("pipeline is draining")

// BudgetError refuses what can never fit.
type BudgetError struct{ Need, Budget, Held int64 }

// Error says how much was asked and how much there is.
func (e *BudgetError) Error() string {
	return fmt.Sprintf("reserve memory: need %d bytes, the budget is %d with %d of it held", e.Need, e.Budget, e.Held)
}

// Machine is the pipeline's rules as a pure state machine. Each event returns
// the actions that follow from it, in order; it never blocks and knows no time.
// It is not safe for concurrent use.
type Machine struct {
	limits Limits

	partitions  map[ID]*partition
	waiting     queue
	synthesized queue
	queued      queue
	computed    queue
	lastID      ID
	draining    bool

	permits, channel, workers, slots int // places in use
	holds                            holds
	reserved                         int64 // by partitions and granted holds
	totals                           totals

	actions []Action
}

// NewMachine returns an empty machine.
func NewMachine(limits Limits) (*Machine, error) {
	if err := limits.Validate(); err != nil {
		return nil, err
	}
	return &Machine{
		limits: limits.withDefaults(), partitions: make(map[ID]*partition),
		holds: holds{granted: make(map[HoldID]hold)},
	}, nil
}

// Limits returns the limits with their defaults filled in.
func (m *Machine) Limits() Limits { return m.limits }

// Submit takes a partition. One that can never fit is refused at once with a
// *BudgetError.
func (m *Machine) Submit(priority Priority, need Need) (ID, []Action, error) {
	if m.draining {
		return 0, nil, ErrDraining
	}
	if !m.fits(need.Whole(), m.limits.Budget-m.holds.bytes) {
		return 0, nil, &BudgetError{Need: need.Whole(), Budget: m.limits.Budget, Held: m.holds.bytes}
	}
	m.lastID++
	p := &partition{id: m.lastID, priority: priority, need: need}
	m.partitions[p.id] = p
	m.move(p, Waiting)
	m.waiting.add(p)
	return p.id, m.settle(), nil
}

// StageDone says that the stage that partition id was in has ended. Where it
// failed, the driver has freed the partition's buffers already; so it has after
// the finish stage and after discarding.
func (m *Machine) StageDone(id ID, ok bool) []Action {
	p := m.partitions[id]
	switch {
	case p == nil || !p.state.running():
		return nil
	case p.state == Discarding:
		m.end(p, Cancelled)
	case !ok && p.cancelled:
		m.end(p, Cancelled)
	case !ok:
		m.end(p, Failed)
	case p.state == Finishing:
		m.end(p, Proved)
	case p.cancelled:
		m.move(p, Discarding)
	case p.state == Synthesis:
		m.shrink(p, p.need.afterSynthesis())
		m.move(p, Synthesized)
		m.synthesized.add(p)
		if m.limits.Policy.EarlyRelease() {
			m.releasePermit(p)
		}
	case p.state == OnDevice:
		m.shrink(p, p.need.Finish)
		m.move(p, Computed)
		m.computed.add(p)
	}
	return m.settle()
}

// Cancel gives up a partition. One that waits is discarded at once, one whose
// stage runs is interrupted and ends with the stage.
func (m *Machine) Cancel(id ID) []Action {
	p := m.partitions[id]
	if p == nil || p.cancelled {
		return nil
	}
	p.cancelled = true
	switch p.state {
	case Waiting:
		m.waiting.remove(p)
		m.move(p, Discarding)
	case Synthesized:
		m.synthesized.remove(p)
		m.move(p, Discarding)
	case Queued:
		m.queued.remove(p)
		m.move(p, Discarding)
	case Computed:
		m.computed.remove(p)
		m.move(p, Discarding)
	default:
		m.actions = append(m.actions, Action{ID: id, To: p.state, Interrupt: true})
	}
	return m.settle()
}

// Shrink says that a partition needs at most that many bytes from now on. It
// never grows a reservation.
func (m *Machine) Shrink(id ID, bytes int64) []Action {
	if p := m.partitions[id]; p != nil && p.state != Waiting {
		m.shrink(p, bytes)
	}
	return m.settle()
}

// Drain refuses everything that is submitted from now on.
func (m *Machine) Drain() { m.draining = true }

// Idle tells whether no partition is left.
func (m *Machine) Idle() bool { return len(m.partitions) == 0 }

func (m *Machine) move(p *partition, to State) {
	p.state = to
	m.actions = append(m.actions, Action{ID: p.id, To: to})
}

func (m *Machine) shrink(p *partition, bytes int64) {
	if bytes < p.reserved {
		m.reserved -= p.reserved - max(bytes, 0)
		p.reserved = max(bytes, 0)
	}
}

// end takes a partition out with all that it holds.
func (m *Machine) end(p *partition, outcome State) {
	if p.admitted {
		m.totals.alive--
	}
	m.shrink(p, 0)
	m.releasePermit(p)
	m.releaseChannel(p)
	m.releaseWorker(p)
	if p.slot {
		p.slot = false
		m.slots--
	}
	m.move(p, outcome)
	m.totals.ended[outcome]++
	delete(m.partitions, p.id)
}

func (m *Machine) releasePermit(p *partition) {
	if p.permit {
		p.permit = false
		m.permits--
	}
}

func (m *Machine) releaseChannel(p *partition) {
	if p.channel {
		p.channel = false
		m.channel--
	}
}

func (m *Machine) releaseWorker(p *partition) {
	if p.worker {
		p.worker = false
		m.workers--
	}
}

// fits tells whether need bytes fit into free ones, where there is a budget.
func (m *Machine) fits(need, free int64) bool { return m.limits.Budget == 0 || need <= free }
