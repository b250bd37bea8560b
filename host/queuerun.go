package host

import (
	"context"
	"slices"
	"time"
)

// overtakes is how many that came later may go before an earlier one until that
// moves up by one priority: none starves. Engines order partitions by the same rule.
const overtakes = 16

// urgency is a waiting job's rank among those that wait.
func (j *job) urgency() int { return int(j.Priority) + j.passed/overtakes }

// next returns the index of the job to start next: the most urgent, and of those
// the first that came.
func (q *Queue) next() int {
	best := -1
	for i, j := range q.waiting {
		if best < 0 || j.urgency() > q.waiting[best].urgency() {
			best = i
		}
	}
	return best
}

// position counts the jobs that go before a waiting one.
func (q *Queue) position(j *job) int {
	if j.State != JobQueued {
		return 0
	}
	before, own := 0, slices.Index(q.waiting, j)
	for i, other := range q.waiting {
		if other.urgency() > j.urgency() || other.urgency() == j.urgency() && i < own {
			before++
		}
	}
	return before
}

// startMore starts jobs while there is room for the most urgent one.
func (q *Queue) startMore() {
	for len(q.waiting) > 0 {
		i := q.next()
		j := q.waiting[i]
		if q.runningFrom(j.urgency()) >= q.options.MaxRunning {
			return
		}
		for _, earlier := range q.waiting[:i] {
			earlier.passed++
		}
		q.waiting = slices.Delete(q.waiting, i, i+1)
		q.start(j)
	}
}

// runningFrom counts the running jobs of an urgency and above.
func (q *Queue) runningFrom(least int) int {
	n := 0
	for j := range q.live {
		if j.State == JobRunning && j.urgency() >= least {
			n++
		}
	}
	return n
}

// start runs a job in a goroutine of its own.
func (q *Queue) start(j *job) {
	ctx, cancel := context.WithCancelCause(context.Background())
	j.State, j.Started, j.cancel = JobRunning, time.Now(), cancel
	q.options.Logger.Info("job starts", "job", j.ID, "kind", j.Kind.String(), "priority", j.Priority.String(),
		"waited", j.Started.Sub(j.Submitted).Round(time.Millisecond))
	req := j.req
	told := req.Progress
	req.Progress = func(p Progress) {
		q.progress(j, p)
		if told != nil {
			told(p)
		}
	}
	q.work.Go(func() {
		defer cancel(nil)
		result, err := q.prover.Prove(ctx, req)
		if err != nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		q.mu.Lock()
		defer q.mu.Unlock()
		q.end(j, result, err)
		q.startMore()
	})
}

func (q *Queue) progress(j *job, p Progress) {
	q.mu.Lock()
	defer q.mu.Unlock()
	j.Step, j.Done = p.Step, p.Done
	if p.Partitions > 0 {
		j.Partitions, j.Circuit = p.Partitions, p.Circuit
	}
}

// end records a job's end, lets its input go and tells those who wait.
func (q *Queue) end(j *job, result *Result, err error) {
	j.State, j.Ended, j.Err = JobProved, time.Now(), err
	switch {
	case err == nil:
		j.Result = result
		q.counts.Proved++
	case failureState(err) == JobCancelled:
		j.State = JobCancelled
		q.counts.Cancelled++
	default:
		j.State = JobFailed
		q.counts.Failed++
	}
	j.claim()
	j.req = Request{}
	q.shut(j)
	delete(q.live, j)
	q.remember(j)
	told := []any{"job", j.ID, "state", j.State.String(), "took", j.Ended.Sub(j.Submitted).Round(time.Millisecond)}
	if err == nil {
		q.options.Logger.Info("job ends", told...)
	} else {
		q.options.Logger.Warn("job ends", append(told, "error", err)...)
	}
	q.options.Ended(j.Job)
	close(j.done)
	q.closeIfIdle()
}

// remember keeps an ended job among the last ones.
func (q *Queue) remember(j *job) {
	q.ended = append(q.ended, j)
	if len(q.ended) <= q.options.Keep {
		return
	}
	forgotten := q.ended[0]
	q.ended = slices.Delete(q.ended, 0, 1)
	for _, name := range forgotten.names {
		if q.names[name] == forgotten {
			delete(q.names, name)
		}
	}
}

// Jobs lists the jobs: those that run, in the order in which they started, those
// that wait, in the order in which they came, and the last that ended, the last
// first.
func (q *Queue) Jobs() []Job {
	q.mu.Lock()
	defer q.mu.Unlock()
	var list []Job
	for j := range q.live {
		if j.State == JobRunning {
			list = append(list, j.Job)
		}
	}
	slices.SortFunc(list, func(a, b Job) int { return a.Started.Compare(b.Started) })
	for _, j := range q.waiting {
		list = append(list, j.Job)
	}
	for _, j := range slices.Backward(q.ended) {
		list = append(list, j.Job)
	}
	return list
}

// Counts returns how many jobs there are and were.
func (q *Queue) Counts() QueueCounts {
	q.mu.Lock()
	defer q.mu.Unlock()
	c := q.counts
	c.Queued, c.Running = len(q.waiting), len(q.live)-len(q.waiting)
	return c
}

// Options returns the queue's options, defaults filled in.
func (q *Queue) Options() QueueOptions { return q.options }

// Draining tells whether the queue takes no more jobs.
func (q *Queue) Draining() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.draining
}
