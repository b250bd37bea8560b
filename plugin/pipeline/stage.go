package pipeline

import (
	"context"
	"fmt"
	"runtime/debug"
)

// PanicError is a panic of a stage, caught at the pipeline's edge.
type PanicError struct {
	Stage State
	Value any
	Stack []byte
}

// Error names the stage and the panic's value; the stack is for logs.
func (e *PanicError) Error() string { return fmt.Sprintf("run %s: panic: %v", e.Stage, e.Value) }

// run runs what a state runs and tells the machine. Where the partition ends
// with it the task is closed first, so that its memory is free before its
// reservation is.
func (p *Pipeline) run(t *Ticket, state State) {
	defer p.stages.Done()
	err := p.call(t, state)
	if err != nil || state == Finishing || state == Discarding {
		if closeErr := closeTask(t.job.Task); err == nil {
			err = closeErr
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if t.err == nil {
		t.err = err
	}
	var actions []Action
	if t.ctx.Err() != nil { // the end of the context may get here before its Cancel does
		actions = p.machine.Cancel(t.id)
	}
	p.apply(append(actions, p.machine.StageDone(t.id, err == nil)...))
}

func (p *Pipeline) call(t *Ticket, state State) (err error) {
	defer recoverAs(state, &err)
	r := &Reservation{p: p, id: t.id}
	switch state {
	case Synthesis:
		return t.job.Task.Synthesize(t.ctx, r)
	case OnDevice:
		return t.job.Task.Compute(t.ctx, r)
	case Finishing:
		return t.job.Task.Finish(t.ctx)
	}
	return nil
}

func closeTask(task Task) (err error) {
	defer recoverAs(Discarding, &err)
	task.Close()
	return nil
}

func recoverAs(state State, err *error) {
	if v := recover(); v != nil {
		*err = &PanicError{Stage: state, Value: v, Stack: debug.Stack()}
	}
}

// Hold takes bytes of the budget that belong to no partition, waiting for them
// if need be; need is the largest partition that counts on running beside them.
// The returned function gives them back and may be called more than once.
func (p *Pipeline) Hold(ctx context.Context, bytes, need int64) (release func(), err error) {
	p.mu.Lock()
	id, granted, err := p.machine.Hold(bytes, need)
	if err != nil {
		p.mu.Unlock()
		return nil, err
	}
	wait := make(chan struct{})
	if granted {
		close(wait)
	} else {
		p.holds[id] = wait
	}
	p.mu.Unlock()

	release = func() {
		p.event(func(m *Machine) []Action {
			delete(p.holds, id)
			return m.Unhold(id)
		})
	}
	select {
	case <-wait:
		return release, nil
	case <-ctx.Done():
		release()
		return nil, fmt.Errorf("wait for %d bytes of memory: %w", bytes, context.Cause(ctx))
	}
}
