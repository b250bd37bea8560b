package pipeline

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"time"
)

// traceFormat names our own events in a file of Chrome trace events, which has
// room for those of others.
const (
	traceFormat  = "sealwright-trace"
	traceVersion = 1
)

// traceFile is a file of Chrome trace events in its object form ("Trace Event
// Format", Google, 2016). Our spans are complete events ("X"): "job" and "input" on
// thread 0 of a process that stands for the job, then of each partition "wait",
// "synthesis", "queued", "device", "hand-over" and "finish" on a thread of its own.
// Curves are counter events ("C"). What a run was told is in otherData.
type traceFile struct {
	Events    []traceEvent `json:"traceEvents"`
	Unit      string       `json:"displayTimeUnit,omitempty"`
	OtherData traceHeader  `json:"otherData"`
}

type traceHeader struct {
	Format        string `json:"format"`
	Version       int    `json:"version"`
	Circuit       string `json:"circuit,omitempty"`
	Policy        string `json:"policy"`
	Permits       int    `json:"permits"`
	Channel       int    `json:"channel,omitempty"` // 0: the policy's
	DeviceWorkers int    `json:"device_workers"`
	FinishSlots   int    `json:"finish_slots"`
	Budget        int64  `json:"budget"` // bytes; 0: no limit
	Count         int    `json:"count"`
	Concurrency   int    `json:"concurrency"`
}

type traceEvent struct {
	Name     string          `json:"name"`
	Category string          `json:"cat,omitempty"`
	Phase    string          `json:"ph"`
	Time     micros          `json:"ts"`
	Duration micros          `json:"dur,omitempty"`
	Process  int             `json:"pid"`
	Thread   int             `json:"tid"`
	Args     json.RawMessage `json:"args,omitempty"`
}

// micros is a time in microseconds, as the format has it.
type micros float64

func toMicros(d time.Duration) micros { return micros(float64(d.Nanoseconds()) / 1e3) }

func (m micros) duration() time.Duration { return time.Duration(math.Round(float64(m) * 1e3)) }

// valid tells whether m is a time within three years.
func (m micros) valid() bool { return m >= 0 && m < 1e14 }

const (
	categoryJob       = "job"
	categoryPartition = "partition"
	spanJob           = "job"
	spanInput         = "input"
)

// spanArgs are the arguments of our spans; a job's have the job alone.
type spanArgs struct {
	Job       *int      `json:"job"`
	Partition *int      `json:"partition,omitempty"`
	Priority  Priority  `json:"priority,omitempty"`
	Need      *needArgs `json:"need,omitempty"`
	Outcome   string    `json:"outcome,omitempty"`
}

// needArgs is a partition's need by stage, bytes.
type needArgs struct {
	Synthesis int64 `json:"synthesis"`
	Device    int64 `json:"device"`
	Finish    int64 `json:"finish"`
}

// spans are the parts of a partition's way in their order.
func (t *Times) spans() []span {
	return []span{
		{"wait", &t.Wait}, {"synthesis", &t.Synthesis}, {"queued", &t.Queue},
		{"device", &t.Device}, {"hand-over", &t.HandOver}, {"finish", &t.Finish},
	}
}

type span struct {
	name     string
	duration *time.Duration
}

// WriteTrace writes a trace as a file of Chrome trace events.
func WriteTrace(w io.Writer, t *Trace) error {
	limits := t.Limits.withDefaults()
	file := traceFile{Unit: "ms", OtherData: traceHeader{
		Format: traceFormat, Version: traceVersion, Circuit: t.Circuit, Policy: limits.Policy.Name(), Permits: limits.Permits,
		DeviceWorkers: limits.DeviceWorkers, FinishSlots: limits.FinishSlots, Budget: limits.Budget,
		Count: len(t.Jobs), Concurrency: t.Concurrency,
	}}
	if limits.Channel != limits.Policy.Channel(limits.Permits) {
		file.OtherData.Channel = limits.Channel
	}
	for i := range t.Jobs {
		file.addJob(i, &t.Jobs[i])
	}
	for _, c := range t.Counters {
		file.add(traceEvent{Name: c.Name, Phase: "C", Time: toMicros(c.At)}, c.Values)
	}
	if err := json.NewEncoder(w).Encode(&file); err != nil {
		return fmt.Errorf("write trace: %w", err)
	}
	return nil
}

func (f *traceFile) addJob(i int, job *TraceJob) {
	f.add(traceEvent{Name: "process_name", Phase: "M", Process: i + 1}, map[string]string{"name": fmt.Sprintf("job %d", i)})
	args := spanArgs{Job: &i}
	f.addSpan(categoryJob, spanJob, i+1, 0, job.Start, job.End-job.Start, args)
	f.addSpan(categoryJob, spanInput, i+1, 0, job.Start, job.Ready-job.Start, args)
	for k := range job.Partitions {
		p := &job.Partitions[k]
		args := spanArgs{
			Job: &i, Partition: &p.Partition, Priority: p.Priority, Outcome: p.Outcome.String(),
			Need: &needArgs{p.Need.Synthesis, p.Need.Device, p.Need.Finish},
		}
		at := p.Submitted
		for n, s := range p.Times.spans() {
			if n == 0 || *s.duration > 0 {
				f.addSpan(categoryPartition, s.name, i+1, p.Partition+1, at, *s.duration, args)
			}
			at += *s.duration
		}
	}
}

func (f *traceFile) addSpan(category, name string, process, thread int, at, d time.Duration, args spanArgs) {
	f.add(traceEvent{
		Name: name, Category: category, Phase: "X", Time: toMicros(at), Duration: toMicros(d), Process: process, Thread: thread,
	}, args)
}

// add appends an event. Its arguments are of our own types, which all encode.
func (f *traceFile) add(e traceEvent, args any) {
	e.Args, _ = json.Marshal(args)
	f.Events = append(f.Events, e)
}
