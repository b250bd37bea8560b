package host

import (
	"context"
	"encoding/hex"
	"fmt"
	"sync"
	"time"
)

// prover is what a queue hands jobs to: a Host.
type prover interface {
	Prove(ctx context.Context, req Request) (*Result, error)
}

// Queue takes requests of many callers, runs the most urgent first, first come
// first served within, and lets equal requests share a job. It keeps its jobs in
// memory: they end with the process. Its methods may be called by many goroutines.
type Queue struct {
	prover  prover
	options QueueOptions

	mu       sync.Mutex
	live     map[*job]struct{}   // that wait or run
	open     map[requestKey]*job // of those, the ones that requests may join
	names    map[string]*job     // by id and by what callers call them
	waiting  []*job              // in order of arrival
	ended    []*job              // in the order of their ends
	counts   QueueCounts
	draining bool
	idle     chan struct{} // closed once draining and empty

	work sync.WaitGroup // of running jobs
}

// QueueCounts counts a queue's jobs; all but the first two since its start.
type QueueCounts struct {
	Queued, Running                    int
	Proved, Failed, Cancelled, Refused uint64
}

// NewQueue returns a queue before a host. Drain ends it; the host is the
// caller's to close.
func NewQueue(h *Host, options QueueOptions) (*Queue, error) {
	if err := options.Validate(); err != nil {
		return nil, err
	}
	return newQueue(h, options), nil
}

func newQueue(p prover, options QueueOptions) *Queue {
	return &Queue{
		prover: p, options: options.withDefaults(), idle: make(chan struct{}),
		live: make(map[*job]struct{}), open: make(map[requestKey]*job), names: make(map[string]*job),
	}
}

// job is a job's record. All of it but its request belongs to the queue's lock.
type job struct {
	Job
	key    requestKey
	req    Request // its input is let go when the job ends
	names  []string
	passed int                     // jobs that came later and were started before it
	kept   bool                    // it was submitted: it goes on without callers
	orphan *time.Timer             // runs since the last caller left; nil: somebody waits
	cancel context.CancelCauseFunc // of a running job
	done   chan struct{}           // closed at its end
}

// Submit enters a request, or joins it to a job with the same input, and returns
// the job as it stands and how many jobs go before it. The job goes on whether or
// not somebody waits for it. The request's bytes belong to the queue until the
// job's end. Errors wrap ErrQueueFull or ErrDraining.
func (q *Queue) Submit(req Request) (Job, int, error) {
	key := keyOfRequest(&req)
	q.mu.Lock()
	defer q.mu.Unlock()
	j, err := q.enter(req, key)
	if err != nil {
		return Job{}, 0, err
	}
	j.kept = true
	j.claim()
	return j.Job, q.position(j), nil
}

// Prove enters a request as Submit does and waits for the job's end. When ctx
// ends first, the job goes on for OrphanGrace, and is then cancelled unless
// somebody has come for it. The error is the queue's or ctx's; what becomes of the
// job is in the Job.
func (q *Queue) Prove(ctx context.Context, req Request) (Job, error) {
	key := keyOfRequest(&req)
	q.mu.Lock()
	j, err := q.enter(req, key)
	q.mu.Unlock()
	if err != nil {
		return Job{}, err
	}
	return q.wait(ctx, j)
}

// Await waits for the end of a job, known by its id or by a request's. Errors
// wrap ErrNoJob or are ctx's.
func (q *Queue) Await(ctx context.Context, id string) (Job, error) {
	q.mu.Lock()
	j, ok := q.names[id]
	q.mu.Unlock()
	if !ok {
		return Job{}, fmt.Errorf("await job %q: %w", id, ErrNoJob)
	}
	return q.wait(ctx, j)
}

// enter finds the job of a request or makes one.
func (q *Queue) enter(req Request, key requestKey) (*job, error) {
	if j, ok := q.open[key]; ok {
		q.join(j, &req)
		return j, nil
	}
	var err error
	switch {
	case q.draining:
		err = ErrDraining
	case len(q.live) >= q.options.MaxJobs:
		err = fmt.Errorf("%w: %d jobs wait or run, at most %d may", ErrQueueFull, len(q.live), q.options.MaxJobs)
	}
	if err != nil {
		q.counts.Refused++
		return nil, fmt.Errorf("take request %q: %w", req.ID, err)
	}
	j := &job{key: key, req: req, done: make(chan struct{})}
	j.Job = Job{
		Digest: hex.EncodeToString(key[:]), Kind: req.Kind, Priority: req.Priority.orNormal(), State: JobQueued, Submitted: time.Now(),
	}
	j.ID = q.freeID(req.ID, j.Digest)
	j.req.ID, j.req.Priority = j.ID, j.Priority
	q.name(j, j.ID)
	q.live[j], q.open[key] = struct{}{}, j
	q.waiting = append(q.waiting, j)
	q.startMore()
	return j, nil
}

// join adds a request to a job with the same input. The more urgent of both
// holds, as far as the job still waits.
func (q *Queue) join(j *job, req *Request) {
	if j.State == JobQueued && req.Priority > j.Priority {
		j.Priority, j.req.Priority = req.Priority, req.Priority
		q.startMore()
	}
	if known, taken := q.names[req.ID]; req.ID != "" && (!taken || known.State.Ended()) {
		q.name(j, req.ID)
	}
	q.options.Logger.Info("request joins a job", "job", j.ID, "request", req.ID)
}

// freeID returns the id of a new job: its request's, unless a job that waits or
// runs has that, with other input.
func (q *Queue) freeID(wanted, digest string) string {
	const short = 16
	if wanted == "" {
		return digest[:short]
	}
	if known, taken := q.names[wanted]; taken && !known.State.Ended() {
		return wanted + "-" + digest[:short]
	}
	return wanted
}

// name makes a job known by a name, which an ended job may have had.
func (q *Queue) name(j *job, name string) {
	q.names[name] = j
	j.names = append(j.names, name)
}
