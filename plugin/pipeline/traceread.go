package pipeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// ErrTrace says that a file is no trace that can be replayed.
var ErrTrace = errors.New("not a trace")

// ReadTrace reads what WriteTrace wrote. Events of others are passed over; what
// is missing or cannot be is an ErrTrace that names it.
func ReadTrace(r io.Reader) (*Trace, error) {
	var file traceFile
	if err := json.NewDecoder(r).Decode(&file); err != nil {
		return nil, fmt.Errorf("read trace: %w: %w", ErrTrace, err)
	}
	h := file.OtherData
	if h.Format != traceFormat || h.Version != traceVersion {
		return nil, fmt.Errorf("read trace: %w: otherData.format is %q version %d, expected %q version %d",
			ErrTrace, h.Format, h.Version, traceFormat, traceVersion)
	}
	t := &Trace{Circuit: h.Circuit, Concurrency: h.Concurrency}
	var err error
	if t.Limits, err = h.limits(); err != nil {
		return nil, fmt.Errorf("read trace: %w: otherData: %w", ErrTrace, err)
	}
	reader := traceReader{jobs: make(map[int]*TraceJob), partitions: make(map[[2]int]*TracePartition), seen: make(map[spanKey]bool)}
	for i := range file.Events {
		if err := reader.read(&file.Events[i]); err != nil {
			return nil, fmt.Errorf("read trace: %w: event %d (%q): %w", ErrTrace, i, file.Events[i].Name, err)
		}
	}
	if t.Jobs, err = reader.assemble(h.Count); err != nil {
		return nil, fmt.Errorf("read trace: %w: %w", ErrTrace, err)
	}
	t.Counters = reader.counters
	return t, nil
}

func (h *traceHeader) limits() (Limits, error) {
	policy, err := PolicyByName(h.Policy)
	if err != nil {
		return Limits{}, err
	}
	if h.Concurrency < 0 {
		return Limits{}, fmt.Errorf("concurrency is %d, expected at least 0", h.Concurrency)
	}
	l := Limits{
		Permits: h.Permits, Channel: h.Channel, DeviceWorkers: h.DeviceWorkers, FinishSlots: h.FinishSlots,
		Budget: h.Budget, Policy: policy,
	}
	return l, l.Validate()
}

// spanKey names a span: each is there once at most.
type spanKey struct {
	name           string
	job, partition int
}

// traceReader puts a trace together from its events, in whatever order they are.
type traceReader struct {
	jobs       map[int]*TraceJob
	partitions map[[2]int]*TracePartition
	seen       map[spanKey]bool
	counters   []TraceCounter
}

func (r *traceReader) read(e *traceEvent) error {
	if !e.Time.valid() || !e.Duration.valid() {
		return fmt.Errorf("time %v and duration %v, expected microseconds", e.Time, e.Duration)
	}
	switch {
	case e.Phase == "C":
		return r.readCounter(e)
	case e.Phase != "X" || e.Category != categoryJob && e.Category != categoryPartition:
		return nil
	}
	var args spanArgs
	if err := json.Unmarshal(e.Args, &args); err != nil {
		return fmt.Errorf("args: %w", err)
	}
	if args.Job == nil || *args.Job < 0 {
		return errors.New("args.job is missing or negative")
	}
	key := spanKey{name: e.Name, job: *args.Job, partition: -1}
	if e.Category == categoryPartition {
		if args.Partition == nil || *args.Partition < 0 || args.Need == nil {
			return errors.New("args.partition or args.need is missing, or negative")
		}
		key.partition = *args.Partition
	}
	if r.seen[key] {
		return fmt.Errorf("job %d has it twice", key.job)
	}
	r.seen[key] = true
	if e.Category == categoryJob {
		return r.readJob(e, key.job)
	}
	return r.readPartition(e, key, &args)
}

func (r *traceReader) readCounter(e *traceEvent) error {
	var values map[string]int64
	if json.Unmarshal(e.Args, &values) == nil { // a counter that is not of whole numbers is another's
		r.counters = append(r.counters, TraceCounter{At: e.Time.duration(), Name: e.Name, Values: values})
	}
	return nil
}

func (r *traceReader) readJob(e *traceEvent, n int) error {
	job := r.jobs[n]
	if job == nil {
		job = new(TraceJob)
		r.jobs[n] = job
	}
	end := (e.Time + e.Duration).duration()
	switch e.Name {
	case spanJob:
		job.Start, job.End = e.Time.duration(), end
	case spanInput:
		job.Ready = end
	}
	return nil
}

func (r *traceReader) readPartition(e *traceEvent, key spanKey, args *spanArgs) error {
	at := [2]int{key.job, key.partition}
	p := r.partitions[at]
	if p == nil {
		outcome := slices.Index(stateNames[:], args.Outcome)
		if outcome < int(Proved) {
			return fmt.Errorf("args.outcome is %q, expected proved, failed or cancelled", args.Outcome)
		}
		p = &TracePartition{
			Partition: key.partition, Priority: min(max(args.Priority, Low), Critical), Outcome: State(outcome),
			Need: Need{args.Need.Synthesis, args.Need.Device, args.Need.Finish},
		}
		if n := p.Need; min(n.Synthesis, n.Device, n.Finish) < 0 {
			return fmt.Errorf("args.need is %+v, expected at least 0", n)
		}
		r.partitions[at] = p
	}
	for i, s := range p.Times.spans() {
		if s.name == e.Name {
			*s.duration = e.Duration.duration()
			if i == 0 {
				p.Submitted = e.Time.duration()
			}
		}
	}
	return nil
}

// assemble puts partitions into their jobs and checks that all is there.
func (r *traceReader) assemble(count int) ([]TraceJob, error) {
	if len(r.jobs) != count || count == 0 {
		return nil, fmt.Errorf("%d jobs, expected otherData.count, which is %d", len(r.jobs), count)
	}
	jobs := make([]TraceJob, count)
	for n := range jobs {
		job := r.jobs[n]
		if job == nil || !r.seen[spanKey{spanJob, n, -1}] || !r.seen[spanKey{spanInput, n, -1}] {
			return nil, fmt.Errorf("job %d lacks its span %q or %q", n, spanJob, spanInput)
		}
		jobs[n] = *job
	}
	order := func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }
	for _, at := range slices.SortedFunc(maps.Keys(r.partitions), order) {
		if at[0] >= count || !r.seen[spanKey{"wait", at[0], at[1]}] {
			return nil, fmt.Errorf("partition %d of job %d lacks its span \"wait\", or its job", at[1], at[0])
		}
		job := &jobs[at[0]]
		job.Partitions = append(job.Partitions, *r.partitions[at])
	}
	return jobs, nil
}
