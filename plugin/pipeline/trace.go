package pipeline

import (
	"cmp"
	"slices"
	"time"
)

// Trace is what a run of proofs did, as Chrome trace events keep it
// (WriteTrace, ReadTrace): a run is recorded once, looked at in a browser and
// replayed in simulation. Times are since the start of the run.
type Trace struct {
	Circuit     string
	Limits      Limits
	Concurrency int // jobs at a time
	Jobs        []TraceJob
	Counters    []TraceCounter
}

// TraceJob is one job: its input is read from Start to Ready, when its
// partitions may be submitted; End is when the caller has the proof.
type TraceJob struct {
	Start, Ready, End time.Duration
	Partitions        []TracePartition
}

// TracePartition is one partition of a job on its way through the pipeline.
type TracePartition struct {
	Partition int
	Priority  Priority
	Need      Need
	Submitted time.Duration // the start of Times.Wait; the stages follow each other
	Times     Times
	Outcome   State // Proved, Failed or Cancelled
}

// TraceCounter is a set of numbers at a moment, drawn as a curve by the name:
// bytes of buffers, resident memory.
type TraceCounter struct {
	At     time.Duration
	Name   string
	Values map[string]int64
}

// Started is when synthesis began, Ended when the last stage did.
func (p *TracePartition) Started() time.Duration { return p.Submitted + p.Times.Wait }

// Ended is when the partition left the pipeline.
func (p *TracePartition) Ended() time.Duration {
	t := p.Times
	return p.Started() + t.Synthesis + t.Queue + t.Device + t.HandOver + t.Finish
}

// Seen returns what the recorded run itself did, to hold a simulation against.
func (t *Trace) Seen() *Outcome {
	o := &Outcome{Jobs: len(t.Jobs)}
	first, last := time.Duration(-1), time.Duration(0)
	var alive, sets, piled []step
	for i := range t.Jobs {
		job := &t.Jobs[i]
		if first < 0 || job.Start < first {
			first = job.Start
		}
		last = max(last, job.End)
		o.Latencies = append(o.Latencies, job.End-job.Start)
		for k := range job.Partitions {
			p := &job.Partitions[k]
			o.Partitions++
			o.Busy += p.Times.Device
			o.Times.add(p.Times)
			if p.Times.Synthesis == 0 {
				continue // it never began
			}
			synthesized := p.Started() + p.Times.Synthesis
			alive = append(alive, step{p.Started(), 1}, step{p.Ended(), -1})
			sets = append(sets, step{p.Started(), 1}, step{p.Ended() - p.Times.Finish, -1})
			piled = append(piled, step{synthesized, 1}, step{synthesized + p.Times.Queue, -1})
		}
	}
	o.Makespan = last - max(first, 0)
	o.Peaks = Peaks{Alive: highest(alive), Sets: highest(sets), Piled: highest(piled)}
	return o
}

func (t *Times) add(other Times) {
	t.Wait += other.Wait
	t.Synthesis += other.Synthesis
	t.Queue += other.Queue
	t.Device += other.Device
	t.HandOver += other.HandOver
	t.Finish += other.Finish
}

// step is a change of a count at a time.
type step struct {
	at time.Duration
	by int
}

// highest is the high water of a count. At the same time those that leave go
// before those that come, as one makes room for the other.
func highest(steps []step) int {
	slices.SortFunc(steps, func(a, b step) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.by, b.by)) })
	count, high := 0, 0
	for _, s := range steps {
		count += s.by
		high = max(high, count)
	}
	return high
}

// Load returns the trace's own durations as a load: how long partitions waited is
// left out, since that is what a simulation finds.
func (t *Trace) Load() Load {
	jobs := slices.Clone(t.Jobs)
	slices.SortStableFunc(jobs, func(a, b TraceJob) int { return cmp.Compare(a.Start, b.Start) })
	load := Load{Concurrency: t.Concurrency}
	for i := range jobs {
		job := &jobs[i]
		partitions := slices.Clone(job.Partitions)
		slices.SortStableFunc(partitions, func(a, b TracePartition) int { return cmp.Compare(a.Submitted, b.Submitted) })
		replayed := LoadJob{Before: job.Ready - job.Start}
		ended := job.Ready
		for k := range partitions {
			replayed.Partitions = append(replayed.Partitions, partitions[k].work())
			ended = max(ended, partitions[k].Ended())
		}
		replayed.After = max(0, job.End-ended)
		load.Jobs = append(load.Jobs, replayed)
	}
	return load
}

// work returns the partition as a simulation takes it. One that did not end well
// fails in the last stage that it was in.
func (p *TracePartition) work() Work {
	w := Work{
		Priority: p.Priority, Need: p.Need,
		Synthesis: p.Times.Synthesis, Device: p.Times.Device, Finish: p.Times.Finish,
	}
	switch {
	case p.Outcome == Proved:
	case p.Times.Finish > 0:
		w.Fails = Finishing
	case p.Times.Device > 0:
		w.Fails = OnDevice
	default:
		w.Fails = Synthesis
	}
	return w
}
