package pipeline

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sealwright/sealwright/sdk"
)

// bufferTask is a fakeTask that takes buffers as a partition does: a witness and
// vectors in synthesis, the vectors given back on the device.
type bufferTask struct {
	fakeTask
	tracker          *Tracker
	late             bool // the fault comes when the stage has done its work
	progress         *sdk.Progress
	witness, vectors *sdk.Buffer
}

// Sizes of a bufferTask; its need covers both.
const (
	testWitness = 3 << 10
	testVectors = 20 << 10
)

var testNeed = Need{Synthesis: testWitness + testVectors, Device: testWitness + testVectors, Finish: testWitness}

func (b *bufferTask) Synthesize(ctx context.Context, _ *Reservation) error {
	return b.stageWork(ctx, Synthesis, func() (err error) {
		if b.witness, err = b.tracker.Get(sdk.BufferSynth, testWitness); err == nil {
			b.vectors, err = b.tracker.Get(sdk.BufferProvers, testVectors)
		}
		return err
	})
}

func (b *bufferTask) Compute(ctx context.Context, _ *Reservation) error {
	return b.stageWork(ctx, OnDevice, func() error {
		b.tracker.Release(b.vectors)
		b.vectors = nil
		b.progress.Done()
		return nil
	})
}

func (b *bufferTask) Finish(ctx context.Context) error {
	return b.stageWork(ctx, Finishing, func() error { return nil })
}

// stageWork does a stage's work and misbehaves before or after it.
func (b *bufferTask) stageWork(ctx context.Context, stage State, do func() error) error {
	if !b.late {
		if err := b.work(ctx, stage, time.Second+b.slow); err != nil {
			return err
		}
		return do()
	}
	if err := do(); err != nil {
		return err
	}
	return b.work(ctx, stage, time.Second+b.slow)
}

func (b *bufferTask) Close() {
	b.tracker.Release(b.witness)
	b.tracker.Release(b.vectors)
	b.fakeTask.Close()
}

// boundaryRun is a pipeline with tasks in it, one of them to go wrong.
type boundaryRun struct {
	p         *Pipeline
	tracker   *Tracker
	tickets   []*Ticket
	tasks     []*bufferTask
	submitted chan struct{} // closed when all are
}

const (
	boundaryTasks  = 6
	boundaryVictim = 2
)

func startBoundaryRun(ctx context.Context, t *testing.T, limits Limits, entered func(*boundaryRun, State), change func(*bufferTask)) *boundaryRun {
	t.Helper()
	r := &boundaryRun{p: newPipeline(t, limits), tracker: NewTracker(limits.Budget, nil), submitted: make(chan struct{})}
	for i := range boundaryTasks {
		task := &bufferTask{tracker: r.tracker, progress: new(sdk.Progress)}
		job := Job{Task: task, Need: testNeed}
		if i == boundaryVictim {
			change(task)
			job.Entered = func(s State) { entered(r, s) }
		}
		ticket, err := r.p.Submit(ctx, job)
		if err != nil {
			t.Fatal(err)
		}
		r.tickets, r.tasks = append(r.tickets, ticket), append(r.tasks, task)
	}
	close(r.submitted)
	return r
}

// end waits for all and checks that nothing is left.
func (r *boundaryRun) end(t *testing.T) {
	t.Helper()
	for i, ticket := range r.tickets {
		<-ticket.Done()
		if n := r.tasks[i].closed.Load(); n != 1 {
			t.Errorf("task %d closed %d times", i, n)
		}
	}
	checkZero(t, r.p)
	if c := r.tracker.Counts(); c.Used != 0 || c.Kinds[sdk.BufferSynth].Count+c.Kinds[sdk.BufferProvers].Count != 0 {
		t.Errorf("buffers are left: %s", c)
	}
	if c := r.p.Counts(); c.ReservedPeak > c.Budget || r.tracker.Counts().Peak > c.ReservedPeak {
		t.Errorf("reserved %d and used %d of a budget of %d", c.ReservedPeak, r.tracker.Counts().Peak, c.Budget)
	}
	r.p.Close()
}

// TestPipelineBoundaries ends a partition the moment that it enters each state:
// those of the stages, and those between them.
func TestPipelineBoundaries(t *testing.T) {
	limits := Limits{Permits: 2, Budget: 5 * testNeed.Whole()}
	at := make(map[State]time.Duration)
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		startBoundaryRun(t.Context(), t, limits, func(_ *boundaryRun, s State) { at[s] = time.Since(start) }, leave).end(t)
	})
	for state := Waiting; state <= Finishing; state++ {
		for _, how := range []string{"cancel", "context", "deadline", "shutdown"} {
			t.Run(fmt.Sprintf("%s-%s", state, how), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					ctx, stop := context.WithCancel(t.Context())
					if how == "deadline" {
						ctx, stop = context.WithTimeout(t.Context(), at[state])
					}
					defer stop()
					startBoundaryRun(ctx, t, limits, func(r *boundaryRun, s State) {
						if s == state {
							go r.stopBy(how, stop) // the pipeline's lock is held
						}
					}, leave).end(t)
				})
			})
		}
	}
}

func leave(*bufferTask) {}

// stopBy ends the victim, or all, in one of the ways that there are.
func (r *boundaryRun) stopBy(how string, stop context.CancelFunc) {
	<-r.submitted
	switch how {
	case "cancel":
		r.tickets[boundaryVictim].Cancel()
	case "context":
		stop()
	case "shutdown":
		r.p.CancelAll()
	}
}

// TestPipelineBoundaryFaults has a stage break before and after its work.
func TestPipelineBoundaryFaults(t *testing.T) {
	limits := Limits{Permits: 2, Budget: 5 * testNeed.Whole()}
	for _, stage := range []State{Synthesis, OnDevice, Finishing} {
		for _, fault := range []string{"error", "panic"} {
			for _, late := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s-%s-late=%t", stage, fault, late), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						r := startBoundaryRun(t.Context(), t, limits, func(*boundaryRun, State) {}, func(b *bufferTask) {
							b.stage, b.fault, b.late = stage, fault, late
						})
						r.end(t)
						for i, ticket := range r.tickets {
							if (ticket.Err() != nil) != (i == boundaryVictim) {
								t.Errorf("partition %d: %v", i, ticket.Err())
							}
						}
					})
				})
			}
		}
	}
}

// TestPipelineStoppedDevice holds that memory stands still when the device does: it
// stays where it is, within its bounds, until the partitions are given up.
func TestPipelineStoppedDevice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limits := Limits{Permits: 3, Budget: 20 * testNeed.Whole()}
		progress := new(sdk.Progress)
		p, tracker := newPipeline(t, limits), NewTracker(limits.Budget, nil)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		var tickets []*Ticket
		for i := range 30 {
			task := &bufferTask{tracker: tracker, progress: progress}
			if i == 5 {
				task.stage, task.fault = OnDevice, "hang"
			}
			ticket, err := p.Submit(ctx, Job{Task: task, Need: testNeed})
			if err != nil {
				t.Fatal(err)
			}
			tickets = append(tickets, ticket)
		}
		time.Sleep(time.Minute)
		used, counts, count := tracker.Counts(), p.Counts(), progress.Count()
		bound, _ := limits.AliveBound()
		if count != 5 || counts.OnDevice != 1 || counts.Alive > bound || used.Used > int64(bound)*testNeed.Whole() {
			t.Errorf("progress %d, %+v, %s", count, counts, used)
		}
		time.Sleep(24 * time.Hour)
		if tracker.Counts() != used || p.Counts() != counts || progress.Count() != count {
			t.Errorf("after a day: progress %d, %+v, %s", progress.Count(), p.Counts(), tracker.Counts())
		}
		stop()
		for _, ticket := range tickets {
			<-ticket.Done()
		}
		if err := tickets[29].Err(); !errors.Is(err, context.Canceled) {
			t.Errorf("last partition: %v", err)
		}
		checkZero(t, p)
		if left := tracker.Counts(); left.Used != 0 {
			t.Errorf("buffers are left: %s", left)
		}
		p.Close()
	})
}

// TestPipelineSlowDeviceIsFlat has a device ten times as slow as synthesis: the
// same memory, whether ten partitions come or a hundred.
func TestPipelineSlowDeviceIsFlat(t *testing.T) {
	peaks := make(map[int]int64)
	for _, partitions := range []int{10, 100} {
		synctest.Test(t, func(t *testing.T) {
			limits := Limits{Permits: 3, Budget: 20 * testNeed.Whole()}
			p, tracker := newPipeline(t, limits), NewTracker(limits.Budget, nil)
			var tickets []*Ticket
			for range partitions {
				task := &slowDeviceTask{bufferTask{tracker: tracker, progress: new(sdk.Progress)}}
				ticket, err := p.Submit(t.Context(), Job{Task: task, Need: testNeed})
				if err != nil {
					t.Fatal(err)
				}
				tickets = append(tickets, ticket)
			}
			for _, ticket := range tickets {
				<-ticket.Done()
				if err := ticket.Err(); err != nil {
					t.Error(err)
				}
			}
			bound, _ := limits.AliveBound()
			peaks[partitions] = tracker.Counts().Peak
			if peak := tracker.Counts().Peak; peak > int64(bound)*testNeed.Whole() {
				t.Errorf("%d partitions: %d bytes used, the bound is %d", partitions, peak, int64(bound)*testNeed.Whole())
			}
			checkZero(t, p)
			p.Close()
		})
	}
	if peaks[100] > peaks[10]+testWitness { // one may just finish as another begins
		t.Errorf("peaks by number of partitions: %v", peaks)
	}
}

// slowDeviceTask takes ten times as long on the device as elsewhere.
type slowDeviceTask struct{ bufferTask }

func (s *slowDeviceTask) Compute(ctx context.Context, r *Reservation) error {
	s.slow = 9 * time.Second
	defer func() { s.slow = 0 }()
	return s.bufferTask.Compute(ctx, r)
}
