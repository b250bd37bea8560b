package host

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// heldProver holds each job until it is let go, by its id.
type heldProver struct {
	mu      sync.Mutex
	started []string
	held    map[string]chan error
}

func newHeldProver() *heldProver { return &heldProver{held: make(map[string]chan error)} }

func (p *heldProver) Prove(ctx context.Context, req Request) (*Result, error) {
	p.mu.Lock()
	p.started = append(p.started, req.ID)
	p.mu.Unlock()
	req.Progress(Progress{Step: StepDevice, Partitions: 2, Circuit: "wpost-2k", Done: 1})
	select {
	case err := <-p.gate(req.ID):
		return &Result{Proof: []byte(req.ID)}, err
	case <-ctx.Done():
		return nil, fmt.Errorf("prove: %w", ctx.Err())
	}
}

func (p *heldProver) gate(id string) chan error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held[id] == nil {
		p.held[id] = make(chan error, 1)
	}
	return p.held[id]
}

// release ends a job, and lets what follows from it happen.
func (p *heldProver) release(id string, err error) {
	p.gate(id) <- err
	synctest.Wait()
}

func (p *heldProver) order() string {
	synctest.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	return fmt.Sprint(p.started)
}

func heldQueue(o QueueOptions) (*Queue, *heldProver) {
	p := newHeldProver()
	o.Logger = slog.New(slog.DiscardHandler)
	return newQueue(p, o), p
}

// asking is a request with an id, of an input.
func asking(id, input string, priority Priority) Request {
	return Request{ID: id, Kind: PoRep, C1: []byte(input), Priority: priority}
}

func submit(t *testing.T, q *Queue, id string, priority Priority) {
	t.Helper()
	if _, _, err := q.Submit(asking(id, id, priority)); err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
}

func TestQueueStartsTheMostUrgentFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, p := heldQueue(QueueOptions{MaxRunning: 1})
		for _, id := range []string{"first", "second", "third"} {
			submit(t, q, id, PriorityNormal)
		}
		submit(t, q, "low", PriorityLow)
		submit(t, q, "high", PriorityHigh) // does not wait for the normal one that runs
		submit(t, q, "critical", PriorityCritical)
		submit(t, q, "urgent", PriorityCritical)
		if got := p.order(); got != "[first high critical]" {
			t.Errorf("started %s", got)
		}
		_, position, err := q.Submit(asking("high 2", "high 2", PriorityHigh))
		if err != nil || position != 1 {
			t.Errorf("position %d, %v, expected 1: behind the critical one", position, err)
		}
		for _, id := range []string{"first", "high", "critical", "urgent", "high 2", "second", "third", "low"} {
			p.release(id, nil)
		}
		if got := p.order(); got != "[first high critical urgent high 2 second third low]" {
			t.Errorf("started %s", got)
		}
		if c := q.Counts(); c != (QueueCounts{Proved: 8}) {
			t.Errorf("counts %+v", c)
		}
	})
}

func TestQueueStarvesNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, p := heldQueue(QueueOptions{MaxRunning: 1})
		submit(t, q, "0", PriorityHigh)
		submit(t, q, "low", PriorityLow)
		for i := 1; !slices.Contains(p.started, "low"); i++ {
			if i > 3*overtakes {
				t.Fatalf("%d jobs were started before the low one", i)
			}
			submit(t, q, fmt.Sprint(i), PriorityHigh)
			p.release(fmt.Sprint(i-1), nil)
		}
		endAll(q)
	})
}

// endAll cancels what is left.
func endAll(q *Queue) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_ = q.Drain(ctx)
}

func TestQueueJoinsEqualRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, p := heldQueue(QueueOptions{})
		ids := make(chan string, 3)
		for _, id := range []string{"a", "b", "c"} {
			go func() {
				job, err := q.Prove(context.Background(), asking(id, "same", PriorityNormal))
				if err != nil || job.State != JobProved || string(job.Result.Proof) != job.ID {
					t.Errorf("job %+v, %v", job, err)
				}
				ids <- job.ID
			}()
			synctest.Wait()
		}
		if jobs := q.Jobs(); len(jobs) != 1 || jobs[0].Callers != 3 || jobs[0].Circuit != "wpost-2k" || jobs[0].Done != 1 {
			t.Fatalf("jobs %+v", jobs)
		}
		p.release("a", nil)
		for range 3 {
			if id := <-ids; id != "a" {
				t.Errorf("job %q, expected a", id)
			}
		}
		if got := p.order(); got != "[a]" {
			t.Errorf("started %s", got)
		}
		for _, name := range []string{"a", "b", "c"} {
			if job, err := q.Await(context.Background(), name); err != nil || job.ID != "a" {
				t.Errorf("await %s: %+v, %v", name, job, err)
			}
		}
	})
}

func TestQueueSameIDOtherInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, p := heldQueue(QueueOptions{})
		one, _, err := q.Submit(asking("porep-1000-1", "seed 1", PriorityNormal))
		if err != nil {
			t.Fatal(err)
		}
		two, _, err := q.Submit(asking("porep-1000-1", "seed 2", PriorityNormal))
		if err != nil || one.ID == two.ID {
			t.Fatalf("jobs %q and %q, %v", one.ID, two.ID, err)
		}
		p.release(one.ID, nil)
		p.release(two.ID, nil)
		for _, want := range []string{one.ID, two.ID} {
			if job, err := q.Await(context.Background(), want); err != nil || string(job.Result.Proof) != want {
				t.Errorf("job %+v, %v, expected %q's proof", job, err, want)
			}
		}
		three, _, err := q.Submit(asking("porep-1000-1", "seed 3", PriorityNormal)) // the id is free again
		if err != nil || three.ID != "porep-1000-1" || three.Digest == one.Digest {
			t.Errorf("job %+v, %v", three, err)
		}
		endAll(q)
	})
}

func TestQueueRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, p := heldQueue(QueueOptions{MaxJobs: 2, MaxRunning: 1})
		submit(t, q, "a", PriorityNormal)
		submit(t, q, "b", PriorityNormal)
		if _, _, err := q.Submit(asking("c", "c", PriorityCritical)); !errors.Is(err, ErrQueueFull) {
			t.Errorf("a third job: %v", err)
		}
		if _, _, err := q.Submit(asking("again", "a", PriorityNormal)); err != nil {
			t.Errorf("a request that joins: %v", err)
		}
		if _, err := q.Await(context.Background(), "c"); !errors.Is(err, ErrNoJob) {
			t.Errorf("await a refused one: %v", err)
		}
		drained := make(chan error, 1)
		go func() { drained <- q.Drain(context.Background()) }()
		synctest.Wait()
		if _, err := q.Prove(context.Background(), asking("d", "d", PriorityNormal)); !errors.Is(err, ErrDraining) {
			t.Errorf("a job while draining: %v", err)
		}
		p.release("a", nil)
		p.release("b", errors.New("no"))
		if err := <-drained; err != nil {
			t.Error(err)
		}
		if c := q.Counts(); c != (QueueCounts{Proved: 1, Failed: 1, Refused: 2}) {
			t.Errorf("counts %+v", c)
		}
	})
}

func TestQueueCancels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, p := heldQueue(QueueOptions{MaxRunning: 1})
		submit(t, q, "running", PriorityNormal)
		submit(t, q, "queued", PriorityNormal)
		synctest.Wait()
		for _, c := range []struct {
			id  string
			was JobState
			err error
		}{
			{"queued", JobQueued, nil}, {"queued", JobCancelled, nil}, {"running", JobRunning, nil}, {"none", 0, ErrNoJob},
		} {
			if was, err := q.Cancel(c.id); was != c.was || !errors.Is(err, c.err) {
				t.Errorf("cancel %s: was %s, %v, expected %s, %v", c.id, was, err, c.was, c.err)
			}
		}
		again, _, err := q.Submit(asking("again", "running", PriorityNormal)) // does not join what is given up
		if err != nil || again.ID != "again" {
			t.Errorf("the same request again: %+v, %v", again, err)
		}
		job, err := q.Await(context.Background(), "running")
		if err != nil || job.State != JobCancelled || !errors.Is(job.Err, ErrJobCancelled) {
			t.Errorf("job %+v, %v", job, err)
		}
		p.release("again", nil)
		if c := q.Counts(); c != (QueueCounts{Proved: 1, Cancelled: 2}) {
			t.Errorf("counts %+v", c)
		}
	})
}

func TestQueueGivesUpOrphans(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, p := heldQueue(QueueOptions{OrphanGrace: time.Minute})
		call := func(id string, patience time.Duration) error {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			_, err := q.Prove(ctx, asking(id, id, PriorityNormal))
			return err
		}
		if err := call("left", time.Second); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if err := call("left", 59*time.Second); !errors.Is(err, context.DeadlineExceeded) { // came back in time
			t.Error(err)
		}
		time.Sleep(59 * time.Second)
		if jobs := q.Jobs(); len(jobs) != 1 || jobs[0].State != JobRunning {
			t.Errorf("jobs %+v", jobs)
		}
		time.Sleep(2 * time.Second)
		if jobs := q.Jobs(); len(jobs) != 1 || jobs[0].State != JobCancelled {
			t.Errorf("jobs %+v", jobs)
		}
		submit(t, q, "kept", PriorityNormal) // submitted: nobody need wait
		if err := call("kept", time.Second); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		time.Sleep(time.Hour)
		p.release("kept", nil)
		if job, err := q.Await(context.Background(), "kept"); err != nil || job.State != JobProved {
			t.Errorf("job %+v, %v", job, err)
		}
	})
}

func TestQueueForgetsOldJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, p := heldQueue(QueueOptions{Keep: 2})
		for i := range 5 {
			submit(t, q, fmt.Sprint(i), PriorityNormal)
			p.release(fmt.Sprint(i), nil)
		}
		jobs := q.Jobs()
		if len(jobs) != 2 || jobs[0].ID != "4" || jobs[1].ID != "3" || len(q.names) != 2 || len(q.open) != 0 || len(q.live) != 0 {
			t.Errorf("jobs %+v, %d names, %d open", jobs, len(q.names), len(q.open))
		}
	})
}

func TestQueueDrainHasALimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, _ := heldQueue(QueueOptions{MaxRunning: 1})
		submit(t, q, "running", PriorityNormal)
		submit(t, q, "queued", PriorityNormal)
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := q.Drain(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("drain: %v", err)
		}
		for _, j := range q.Jobs() {
			if j.State != JobCancelled || !errors.Is(j.Err, ErrDraining) {
				t.Errorf("job %+v", j)
			}
		}
	})
}

func TestRequestKeysDiffer(t *testing.T) {
	zero, one := uint64(0), uint64(1)
	requests := []Request{
		{}, {Kind: PoRep}, {Kind: WindowPoSt}, {RegisteredProof: &zero}, {RegisteredProof: &one}, {SectorSize: 1}, {Sector: &zero},
		{Sector: &one}, {ProverID: new([32]byte)}, {PartitionIndex: 1}, {C1: []byte("x")}, {Randomness: []byte("x")},
		{VanillaProofs: [][]byte{{}}}, {VanillaProofs: [][]byte{{1}, {2}}}, {VanillaProofs: [][]byte{{1, 2}}},
	}
	seen := make(map[requestKey]int)
	for i := range requests {
		key := keyOfRequest(&requests[i])
		if other, taken := seen[key]; taken {
			t.Errorf("requests %d and %d have one key", other, i)
		}
		seen[key] = i
		same := requests[i]
		same.ID, same.Priority, same.Progress = "id", PriorityHigh, func(Progress) {}
		if keyOfRequest(&same) != key {
			t.Errorf("request %d: who asks changes the key", i)
		}
	}
}
