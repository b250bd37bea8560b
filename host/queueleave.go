package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// wait waits for a job's end, as one of its callers.
func (q *Queue) wait(ctx context.Context, j *job) (Job, error) {
	q.mu.Lock()
	j.Callers++
	j.claim()
	q.mu.Unlock()
	var err error
	select {
	case <-j.done:
	case <-ctx.Done():
		err = fmt.Errorf("wait for job %q: %w", j.ID, context.Cause(ctx))
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	j.Callers--
	if j.Callers == 0 && !j.kept && !j.State.Ended() {
		j.orphan = time.AfterFunc(q.options.OrphanGrace, func() { q.abandon(j) })
	}
	return j.Job, err
}

// claim stops the clock of a job whose callers had left.
func (j *job) claim() {
	if j.orphan != nil {
		j.orphan.Stop()
		j.orphan = nil
	}
}

// abandon cancels a job that nobody came back for.
func (q *Queue) abandon(j *job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if j.Callers == 0 && !j.kept && !j.State.Ended() {
		q.giveUp(j, fmt.Errorf("%w: its callers left %s ago", ErrJobCancelled, q.options.OrphanGrace))
	}
}

// Cancel gives up a job and tells what state it was in. A running one ends at the
// next partition boundary. Errors wrap ErrNoJob.
func (q *Queue) Cancel(id string) (JobState, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	j, ok := q.names[id]
	if !ok {
		return 0, fmt.Errorf("cancel job %q: %w", id, ErrNoJob)
	}
	was := j.State
	q.giveUp(j, ErrJobCancelled)
	return was, nil
}

// giveUp ends a waiting job and has a running one end. A request that comes for
// the same input then is a new job.
func (q *Queue) giveUp(j *job, why error) {
	q.shut(j)
	switch j.State {
	case JobQueued:
		q.waiting = slices.DeleteFunc(q.waiting, func(other *job) bool { return other == j })
		q.end(j, nil, why)
	case JobRunning:
		j.cancel(why)
	}
}

// Drain refuses new jobs and waits for those that are there. When ctx ends first
// it cancels them, and returns ctx's error once they have ended.
func (q *Queue) Drain(ctx context.Context) error {
	q.mu.Lock()
	q.draining = true
	q.closeIfIdle()
	q.mu.Unlock()
	var err error
	select {
	case <-q.idle:
	case <-ctx.Done():
		err = fmt.Errorf("drain queue: %w", context.Cause(ctx))
		q.mu.Lock()
		for j := range q.live {
			q.giveUp(j, fmt.Errorf("%w: %w", ErrJobCancelled, ErrDraining))
		}
		q.mu.Unlock()
	}
	q.work.Wait()
	return err
}

// shut lets no more requests join a job.
func (q *Queue) shut(j *job) {
	if q.open[j.key] == j {
		delete(q.open, j.key)
	}
}

func (q *Queue) closeIfIdle() {
	if q.draining && len(q.live) == 0 {
		select {
		case <-q.idle:
		default:
			close(q.idle)
		}
	}
}

// failureState is the state of a job that ended with err.
func failureState(err error) JobState {
	if errors.Is(err, ErrJobCancelled) {
		return JobCancelled
	}
	return JobFailed
}
