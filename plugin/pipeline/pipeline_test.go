package pipeline

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var errStage = errors.New("stage broke")

// fakeTask takes a second a stage and misbehaves in one of them.
type fakeTask struct {
	stage  State // where fault happens; 0: nowhere
	fault  string
	slow   time.Duration // of the device stage
	closed atomic.Int32
}

func (f *fakeTask) work(ctx context.Context, stage State, d time.Duration) error {
	if stage == f.stage {
		switch f.fault {
		case "error":
			return errStage
		case "panic":
			panic("boom")
		case "hang":
			<-ctx.Done()
			return ctx.Err()
		case "deaf": // ends in time but never looks at ctx
			time.Sleep(time.Hour)
			return nil
		}
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (f *fakeTask) Synthesize(ctx context.Context, _ *Reservation) error {
	return f.work(ctx, Synthesis, time.Second)
}

func (f *fakeTask) Compute(ctx context.Context, r *Reservation) error {
	r.Shrink(5)
	return f.work(ctx, OnDevice, time.Second+f.slow)
}

func (f *fakeTask) Finish(ctx context.Context) error { return f.work(ctx, Finishing, time.Second) }

func (f *fakeTask) Close() {
	if f.fault == "close" {
		defer panic("close boom")
	}
	f.closed.Add(1)
}

func newPipeline(t *testing.T, limits Limits) *Pipeline {
	t.Helper()
	p, err := New(limits)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func checkZero(t *testing.T, p *Pipeline) {
	t.Helper()
	c := p.Counts()
	if c.Alive+c.Waiting+c.Permits+c.Channel+c.Workers+c.Slots != 0 || c.Reserved != 0 {
		t.Errorf("not back at zero: %+v", c)
	}
}

func TestPipelineFaults(t *testing.T) {
	for _, stage := range []State{Synthesis, OnDevice, Finishing} {
		for _, fault := range []string{"error", "panic", "hang", "deaf"} {
			for _, end := range []string{"", "cancel", "deadline"} {
				if end == "" && (fault == "hang" || fault == "deaf") {
					continue
				}
				t.Run(fmt.Sprintf("%s-%s-%s", stage, fault, end), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) { testFault(t, stage, fault, end) })
				})
			}
		}
	}
}

func testFault(t *testing.T, stage State, fault, end string) {
	p := newPipeline(t, Limits{Permits: 2, Budget: 100})
	ctx := t.Context()
	if end == "deadline" {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, 2500*time.Millisecond)
		defer stop()
	}
	var tickets []*Ticket
	var tasks []*fakeTask
	for i := range 5 {
		task := &fakeTask{}
		if i == 1 {
			task.stage, task.fault = stage, fault
		}
		ticket, err := p.Submit(ctx, Job{Task: task, Need: Need{Synthesis: 30, Device: 20, Finish: 5}})
		if err != nil {
			t.Fatal(err)
		}
		tickets, tasks = append(tickets, ticket), append(tasks, task)
	}
	if end == "cancel" {
		time.Sleep(time.Duration(stage) * 500 * time.Millisecond)
		for _, ticket := range tickets {
			ticket.Cancel()
		}
	}
	for i, ticket := range tickets {
		<-ticket.Done()
		if n := tasks[i].closed.Load(); n != 1 {
			t.Errorf("task %d closed %d times", i, n)
		}
	}
	checkFault(t, tickets, fault, end)
	checkZero(t, p)
	p.Close()
}

func checkFault(t *testing.T, tickets []*Ticket, fault, end string) {
	t.Helper()
	var panicked *PanicError
	switch err := tickets[1].Err(); {
	case err == nil && fault != "deaf":
		t.Error("the faulty partition was proved")
	case end == "" && fault == "error" && !errors.Is(err, errStage):
		t.Errorf("error %v, expected %v", err, errStage)
	case end == "" && fault == "panic" && !errors.As(err, &panicked):
		t.Errorf("error %v, expected a panic", err)
	}
	for i, ticket := range tickets {
		if end == "" && i != 1 && ticket.Err() != nil {
			t.Errorf("partition %d: %v", i, ticket.Err())
		}
	}
	if last := tickets[4].Err(); end == "deadline" && !errors.Is(last, context.DeadlineExceeded) {
		t.Errorf("last partition: %v, expected the deadline", last)
	} else if end == "cancel" && !errors.Is(last, context.Canceled) {
		t.Errorf("last partition: %v, expected the cancel", last)
	}
}

func TestPipelineSlowDeviceKeepsTheBound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limits := Limits{Permits: 4, Budget: 1000}
		p := newPipeline(t, limits)
		var tickets []*Ticket
		for range 30 {
			ticket, err := p.Submit(t.Context(), Job{Task: &fakeTask{slow: 10 * time.Second}, Need: Need{Synthesis: 90, Device: 60}})
			if err != nil {
				t.Fatal(err)
			}
			tickets = append(tickets, ticket)
		}
		for _, ticket := range tickets {
			<-ticket.Done()
			if ticket.Err() != nil {
				t.Error(ticket.Err())
			}
			if times := ticket.Times(); times.Device != 11*time.Second || times.Synthesis != time.Second {
				t.Errorf("times %+v", times)
			}
		}
		bound, _ := limits.AliveBound()
		if c := p.Counts(); c.AlivePeak > bound || c.AlivePeak < bound-1 || c.ReservedPeak > 1000 {
			t.Errorf("alive peak %d, bound %d, reserved peak %d", c.AlivePeak, bound, c.ReservedPeak)
		}
		checkZero(t, p)
		p.Close()
	})
}

func TestPipelineDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPipeline(t, Limits{Permits: 1})
		task := &fakeTask{}
		ticket, err := p.Submit(t.Context(), Job{Task: task})
		if err != nil {
			t.Fatal(err)
		}
		short, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		if err := p.Drain(short); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("drain: %v, expected the deadline", err)
		}
		refused := &fakeTask{}
		if _, err := p.Submit(t.Context(), Job{Task: refused}); !errors.Is(err, ErrDraining) || refused.closed.Load() != 1 {
			t.Errorf("submit while draining: %v", err)
		}
		if err := p.Drain(t.Context()); err != nil || ticket.Err() != nil {
			t.Errorf("drain: %v, partition: %v", err, ticket.Err())
		}
		p.Close()
	})
}

func TestPipelineCloseFailsNobodySilently(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPipeline(t, Limits{Permits: 1})
		task := &fakeTask{stage: OnDevice, fault: "hang"}
		ticket, err := p.Submit(t.Context(), Job{Task: task})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Second)
		p.Close()
		<-ticket.Done()
		if !errors.Is(ticket.Err(), context.Canceled) || task.closed.Load() != 1 {
			t.Errorf("ended with %v, closed %d times", ticket.Err(), task.closed.Load())
		}
		checkZero(t, p)
	})
}

func TestPipelineClosePanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPipeline(t, Limits{Permits: 1})
		ticket, err := p.Submit(t.Context(), Job{Task: &fakeTask{fault: "close"}})
		if err != nil {
			t.Fatal(err)
		}
		<-ticket.Done()
		var panicked *PanicError
		if !errors.As(ticket.Err(), &panicked) {
			t.Errorf("ended with %v", ticket.Err())
		}
		checkZero(t, p)
	})
}

func TestPipelineHold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPipeline(t, Limits{Permits: 4, Budget: 100})
		var budget *BudgetError
		if _, err := p.Hold(t.Context(), 50, 60); !errors.As(err, &budget) {
			t.Errorf("a hold that leaves too little: %v", err)
		}
		if _, err := p.Submit(t.Context(), Job{Task: &fakeTask{}, Need: Need{Device: 101}}); !errors.As(err, &budget) {
			t.Errorf("a partition over the budget: %v", err)
		}
		ticket, err := p.Submit(t.Context(), Job{Task: &fakeTask{}, Need: Need{Device: 90}})
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		release, err := p.Hold(t.Context(), 40, 60)
		if err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(start); waited != time.Second { // the task shrinks as its device stage begins
			t.Errorf("waited %v", waited)
		}
		short, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		if _, err := p.Hold(short, 10, 60); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a hold beside the largest partition: %v", err)
		}
		<-ticket.Done()
		release()
		release()
		checkZero(t, p)
	})
}

func TestNewRefuses(t *testing.T) {
	for name, limits := range map[string]Limits{
		"no permits":    {},
		"early release": {Permits: 1, Policy: EarlyRelease{}},
		"channel":       {Permits: 1, Channel: -1},
		"budget":        {Permits: 1, Budget: -1},
	} {
		if _, err := New(limits); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	for _, name := range []string{"", "hold-until-accepted", "channel-permits", "bytes-only", "early-release"} {
		if _, err := PolicyByName(name); err != nil {
			t.Error(err)
		}
	}
	if _, err := PolicyByName("fifo"); err == nil {
		t.Error("unknown policy accepted")
	}
}
