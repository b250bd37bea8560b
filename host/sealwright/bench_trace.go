package main

import (
	"math"
	"time"

	"github.com/sealwright/sealwright/host"
	"github.com/sealwright/sealwright/plugin/pipeline"
)

// trace returns the run as a timeline.
func (run *benchRun) trace(b *bench) *pipeline.Trace {
	t := &pipeline.Trace{Circuit: b.inputs.circuit, Limits: run.limits(), Concurrency: b.concurrency}
	for i := range run.jobs {
		t.Jobs = append(t.Jobs, run.traceJob(&run.jobs[i], b.need))
	}
	for i := range run.samples {
		t.Counters = append(t.Counters, run.samples[i].counters()...)
	}
	return t
}

// limits are the engine's, as it answered.
func (run *benchRun) limits() pipeline.Limits {
	e := run.engine
	policy, err := pipeline.PolicyByName(e.Policy)
	if err != nil {
		policy = pipeline.HoldUntilAccepted{} // a policy of another make: the channel says what it does
	}
	l := pipeline.Limits{
		Permits: e.Permits, Channel: e.Channel, DeviceWorkers: e.DeviceWorkers, FinishSlots: e.FinishSlots,
		Policy: policy,
	}
	if run.budget > 0 { // what partitions have of it
		l.Budget = run.budget - run.before.Memory.Reserved
	}
	if l.Channel == math.MaxUint32 {
		l.Channel = pipeline.Unbounded
	}
	return l
}

func (run *benchRun) traceJob(j *benchJob, need pipeline.Need) pipeline.TraceJob {
	t := j.result.Times
	job := pipeline.TraceJob{Start: j.start, Ready: j.start + t.Check + t.Engine + t.Key + t.Input, End: j.end}
	for k, p := range j.result.Partitions {
		job.Partitions = append(job.Partitions, run.tracePartition(k, p, job, need))
	}
	return job
}

// tracePartition places a partition. Its wait begins when the job's input is with
// the engine: whether it then waits in the host or in the engine is one to it.
func (run *benchRun) tracePartition(k int, r host.PartitionResult, job pipeline.TraceJob, need pipeline.Need) pipeline.TracePartition {
	synthesis := run.since(r.Submitted) + r.Wait
	if r.Submitted.IsZero() { // the engine does not tell: as late as can be
		synthesis = job.End - r.Synthesis - r.Queue - r.Device - r.HandOver - r.Finish
	}
	return pipeline.TracePartition{
		Partition: k, Priority: pipeline.Normal, Need: reserved(r.Reserved, need), Submitted: min(job.Ready, synthesis), Outcome: pipeline.Proved,
		Times: pipeline.Times{
			Wait: max(0, synthesis-job.Ready), Synthesis: r.Synthesis, Queue: r.Queue, Device: r.Device,
			HandOver: r.HandOver, Finish: r.Finish,
		},
	}
}

// reserved is what a partition had reserved, as far as the engine tells.
func reserved(b host.StageBytes, computed pipeline.Need) pipeline.Need {
	if b == (host.StageBytes{}) {
		return computed
	}
	return pipeline.Need{Synthesis: b.Synthesis, Device: b.Device, Finish: b.Finish}
}

func (run *benchRun) since(t time.Time) time.Duration { return t.Sub(run.began.Round(0)) }

// counters are a sample's curves.
func (s *benchSample) counters() []pipeline.TraceCounter {
	p, m := s.report.Pipeline, s.report.Memory
	buffers := make(map[string]int64)
	for _, b := range s.report.Buffers {
		if b.HighWater > 0 {
			buffers[b.Kind] = b.Bytes
		}
	}
	at := func(name string, values map[string]int64) pipeline.TraceCounter {
		return pipeline.TraceCounter{At: s.at, Name: name, Values: values}
	}
	return []pipeline.TraceCounter{
		at("memory", map[string]int64{"engine": s.engine.owned(), "host": s.self.owned()}),
		at("budget", map[string]int64{"reserved": m.Reserved, "used": m.Used}),
		at("buffers", buffers),
		at("partitions", map[string]int64{"alive": int64(p.Alive), "waiting": int64(p.Waiting), "device": int64(p.Device)}),
	}
}
