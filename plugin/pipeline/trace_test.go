package pipeline

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// record runs a load through the goroutine driver, under synctest's clock, and
// records it as a benchmark does.
func record(t *testing.T, limits Limits, jobs, partitions, concurrency int, need Need) *Trace {
	t.Helper()
	p := newPipeline(t, limits)
	defer p.Close()
	trace := &Trace{Circuit: "porep-2k", Limits: limits, Concurrency: concurrency, Jobs: make([]TraceJob, jobs)}
	start := time.Now()
	turns := make(chan struct{}, concurrency)
	done := make(chan struct{}, jobs)
	for i := range trace.Jobs {
		turns <- struct{}{}
		go func() {
			recordJob(t, p, &trace.Jobs[i], i, partitions, need, start)
			<-turns
			done <- struct{}{}
		}()
		synctest.Wait()
	}
	for range jobs {
		<-done
	}
	return trace
}

func recordJob(t *testing.T, p *Pipeline, job *TraceJob, number, partitions int, need Need, start time.Time) {
	job.Start = time.Since(start)
	time.Sleep(time.Duration(300+number) * time.Millisecond) // reading the input
	job.Ready = time.Since(start)
	var tickets []*Ticket
	for k := range partitions {
		task := &timedTask{synthesis: time.Duration(4000+300*k+17*number) * time.Millisecond, device: time.Duration(900+90*number) * time.Millisecond}
		ticket, err := p.Submit(context.Background(), Job{Task: task, Need: need})
		if err != nil {
			t.Error(err)
			return
		}
		job.Partitions = append(job.Partitions, TracePartition{Partition: k, Need: need, Submitted: time.Since(start), Outcome: Proved})
		tickets = append(tickets, ticket)
	}
	for k, ticket := range tickets {
		<-ticket.Done()
		job.Partitions[k].Times = ticket.Times()
	}
	time.Sleep(70 * time.Millisecond) // verifying
	job.End = time.Since(start)
}

// timedTask takes its time and nothing else.
type timedTask struct{ synthesis, device time.Duration }

func (f *timedTask) Synthesize(context.Context, *Reservation) error {
	time.Sleep(f.synthesis)
	return nil
}

func (f *timedTask) Compute(context.Context, *Reservation) error {
	time.Sleep(f.device)
	return nil
}

func (f *timedTask) Finish(context.Context) error {
	time.Sleep(37 * time.Millisecond)
	return nil
}

func (f *timedTask) Close() {}

// TestReplayPredictsTheRun holds the two drivers of the machine against each
// other: what goroutines did is what the virtual clock says, over a trace that went
// through a file.
func TestReplayPredictsTheRun(t *testing.T) {
	need := Need{Synthesis: 20, Device: 30, Finish: 5}
	for _, limits := range []Limits{
		{Permits: 1}, {Permits: 4}, {Permits: 3, DeviceWorkers: 2}, {Permits: 4, Policy: ChannelPermits{}},
		{Permits: 4, Policy: BytesOnly{}, Budget: 200}, {Permits: 4, Channel: 2, Budget: 100},
	} {
		synctest.Test(t, func(t *testing.T) {
			trace := rewrite(t, record(t, limits, 9, 3, 4, need))
			seen := trace.Seen()
			got, err := Simulate(trace.Limits, trace.Load())
			if err != nil {
				t.Fatal(err)
			}
			if got.Peaks.Alive != seen.Peaks.Alive || got.Peaks.Sets != seen.Peaks.Sets {
				t.Errorf("%+v: peaks %+v, seen %+v", limits, got.Peaks, seen.Peaks)
			}
			off := got.PerJob().Seconds()/seen.PerJob().Seconds() - 1
			if off < -0.01 || off > 0.01 {
				t.Errorf("%+v: %s a job, seen %s", limits, got.PerJob(), seen.PerJob())
			}
		})
	}
}

func rewrite(t *testing.T, trace *Trace) *Trace {
	t.Helper()
	var file bytes.Buffer
	if err := WriteTrace(&file, trace); err != nil {
		t.Fatal(err)
	}
	again, err := ReadTrace(&file)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

func TestTraceRoundTrip(t *testing.T) {
	trace := &Trace{
		Circuit: "wpost-2k", Concurrency: 2,
		Limits: Limits{Permits: 3, Channel: 7, DeviceWorkers: 2, FinishSlots: 1, Budget: 1 << 40, Policy: BytesOnly{}},
		Jobs: []TraceJob{
			{Start: 1, Ready: 1001, End: 987654321987, Partitions: []TracePartition{
				{Partition: 1, Priority: Critical, Need: Need{1, 2, 3}, Submitted: 1001, Outcome: Proved, Times: Times{4, 5, 6, 7, 8, 9}},
				{Partition: 4, Priority: Low, Submitted: 1003, Outcome: Failed, Times: Times{Synthesis: 5}},
			}},
			{Start: 7, Ready: 7, End: 9},
		},
		Counters: []TraceCounter{{At: 12345, Name: "buffers", Values: map[string]int64{"aux": 1 << 40, "provers": 0}}},
	}
	if again := rewrite(t, trace); !reflect.DeepEqual(again, trace) {
		t.Errorf("read %+v, wrote %+v", again, trace)
	}
}

func TestReadTraceRefuses(t *testing.T) {
	const header = `"otherData":{"format":"sealwright-trace","version":1,"policy":"","permits":1,"count":1}`
	const input = `{"name":"input","cat":"job","ph":"X","ts":0,"dur":1,"args":{"job":0}}`
	const job = `{"name":"job","cat":"job","ph":"X","ts":0,"dur":1,"args":{"job":0}}`
	const partition = `{"name":"wait","cat":"partition","ph":"X","ts":0,"args":{"job":0,"partition":0,"outcome":"proved","need":{}}}`
	if _, err := ReadTrace(strings.NewReader(`{"traceEvents":[` + job + "," + input + "," + partition + `,{"ph":"i","name":"other"}],` + header + `}`)); err != nil {
		t.Errorf("the least trace: %v", err)
	}
	for _, c := range []struct{ text, want string }{
		{``, "EOF"},
		{`<html>`, "invalid character"},
		{`[]`, "cannot unmarshal array"},
		{`{"traceEvents":[]}`, "otherData.format"},
		{`{"traceEvents":[],` + header + `}`, "0 jobs"},
		{`{"traceEvents":[` + job + `],` + header + `}`, "lacks its span"},
		{`{"traceEvents":[` + job + "," + job + `],` + header + `}`, "twice"},
		{`{"traceEvents":[` + strings.ReplaceAll(job, `"ts":0`, `"ts":-1`) + `],` + header + `}`, "microseconds"},
		{`{"traceEvents":[` + strings.ReplaceAll(job, `"job":0`, `"job":-1`) + `],` + header + `}`, "args.job"},
		{`{"traceEvents":[` + strings.ReplaceAll(partition, `"proved"`, `"waiting"`) + `],` + header + `}`, "args.outcome"},
		{`{"traceEvents":[` + strings.ReplaceAll(partition, `{}`, `{"device":-1}`) + `],` + header + `}`, "args.need"},
		{`{"traceEvents":[` + job + "," + input + "," + strings.ReplaceAll(partition, `"wait"`, `"device"`) + `],` + header + `}`, "wait"},
		{`{"traceEvents":[` + job + `],` + strings.ReplaceAll(header, `"permits":1`, `"permits":0`) + `}`, "permits"},
		{`{"traceEvents":[` + job + `],` + strings.ReplaceAll(header, `"policy":""`, `"policy":"x"`) + `}`, "policy"},
	} {
		if _, err := ReadTrace(strings.NewReader(c.text)); !errors.Is(err, ErrTrace) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, expected %q", c.text, err, c.want)
		}
	}
}

func FuzzReadTrace(f *testing.F) {
	var file bytes.Buffer
	trace := &Trace{Limits: Limits{Permits: 1}, Jobs: []TraceJob{{Ready: 1, End: 9, Partitions: []TracePartition{{Outcome: Proved, Times: Times{Synthesis: 3}}}}}}
	if err := WriteTrace(&file, trace); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		trace, err := ReadTrace(bytes.NewReader(data))
		if err != nil {
			return
		}
		trace.Seen()
		if _, err := Simulate(trace.Limits, trace.Load()); err != nil && !errors.As(err, new(*BudgetError)) {
			t.Errorf("replay: %v", err)
		}
	})
}
