package pipeline

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Pipeline drives a Machine with goroutines: each stage runs in one of its own,
// and the machine decides when. Its methods may be called by many goroutines.
type Pipeline struct {
	mu      sync.Mutex
	machine *Machine
	tickets map[ID]*Ticket
	holds   map[HoldID]chan struct{} // those not granted yet
	changed chan struct{}            // closed and replaced at each event

	stages sync.WaitGroup
}

// New returns a pipeline without work.
func New(limits Limits) (*Pipeline, error) {
	if limits.Policy != nil && limits.Policy.EarlyRelease() {
		return nil, fmt.Errorf("make pipeline: policy %s is for simulation alone", limits.Policy.Name())
	}
	machine, err := NewMachine(limits)
	if err != nil {
		return nil, err
	}
	return &Pipeline{
		machine: machine, tickets: make(map[ID]*Ticket),
		holds: make(map[HoldID]chan struct{}), changed: make(chan struct{}),
	}, nil
}

// Limits returns the limits with their defaults filled in.
func (p *Pipeline) Limits() Limits { return p.machine.Limits() }

// Submit takes a partition. When ctx ends before the partition has, it is
// cancelled. Where Submit returns an error it has closed the task.
func (p *Pipeline) Submit(ctx context.Context, job Job) (*Ticket, error) {
	p.mu.Lock()
	id, actions, err := p.machine.Submit(job.Priority, job.Need)
	if err != nil {
		p.mu.Unlock()
		job.Task.Close()
		return nil, err
	}
	t := &Ticket{p: p, id: id, job: job, submit: ctx, done: make(chan struct{})}
	t.ctx, t.stop = context.WithCancel(ctx)
	t.unwatch = context.AfterFunc(ctx, t.Cancel)
	p.tickets[id] = t
	p.apply(actions)
	p.mu.Unlock()
	return t, nil
}

// Counts returns the state of now.
func (p *Pipeline) Counts() Counts {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.machine.Counts()
}

// Changed returns a channel that is closed at the next event.
func (p *Pipeline) Changed() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.changed
}

// Drain refuses new work and waits until nothing is left, or until ctx ends.
func (p *Pipeline) Drain(ctx context.Context) error {
	p.event(func(m *Machine) []Action { m.Drain(); return nil })
	return p.waitIdle(ctx)
}

// CancelAll refuses new work and gives up all that is there.
func (p *Pipeline) CancelAll() {
	p.event(func(m *Machine) []Action {
		m.Drain()
		var actions []Action
		for id := range p.tickets {
			actions = append(actions, m.Cancel(id)...)
		}
		return actions
	})
}

// Close refuses new work, cancels everything and waits for the stages that run.
func (p *Pipeline) Close() {
	p.CancelAll()
	_ = p.waitIdle(context.Background())
	p.stages.Wait()
}

func (p *Pipeline) waitIdle(ctx context.Context) error {
	for {
		p.mu.Lock()
		idle, changed := p.machine.Idle(), p.changed
		p.mu.Unlock()
		if idle {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("wait for the pipeline to be idle: %w", context.Cause(ctx))
		}
	}
}

// event puts one event into the machine and carries out what follows.
func (p *Pipeline) event(e func(*Machine) []Action) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.apply(e(p.machine))
}

// apply carries out actions. The caller holds the lock.
func (p *Pipeline) apply(actions []Action) {
	for _, a := range actions {
		t := p.tickets[a.ID]
		if a.Interrupt {
			t.stop()
			continue
		}
		t.entered[a.To] = time.Now()
		if t.job.Entered != nil {
			t.job.Entered(a.To)
		}
		switch {
		case a.To.Ended():
			p.end(t, a.To)
		case a.To.running():
			p.stages.Add(1)
			go p.run(t, a.To)
		}
	}
	for id, granted := range p.holds {
		if p.machine.Granted(id) {
			delete(p.holds, id)
			close(granted)
		}
	}
	close(p.changed)
	p.changed = make(chan struct{})
}

func (p *Pipeline) end(t *Ticket, outcome State) {
	if outcome == Cancelled {
		t.err = context.Canceled
		if cause := context.Cause(t.submit); cause != nil {
			t.err = cause
		}
	}
	t.outcome = outcome
	delete(p.tickets, t.id)
	t.unwatch()
	t.stop()
	close(t.done)
}
