package pipeline

import (
	"fmt"
	"time"
)

// Load is what a simulated pipeline is given: jobs in order, so many at a time,
// as a host hands them out.
type Load struct {
	Jobs        []LoadJob
	Concurrency int // jobs at a time; 0: all at once
}

// LoadJob is one job: its partitions are submitted together when its input has
// been read, and the next job begins when it is done.
type LoadJob struct {
	Before     time.Duration // from the job's start to its partitions' submission
	Partitions []Work
	After      time.Duration // from the end of the last partition to the job's
}

// Outcome is what a simulation saw.
type Outcome struct {
	Makespan   time.Duration // from the start of the first job to the end of the last
	Jobs       int
	Partitions int
	Ended      Counts // of the end: all places and bytes are back at zero
	Peaks      Peaks
	Busy       time.Duration // of all device workers together
	Times      Times         // summed over the partitions
	Latencies  []time.Duration
}

// PerJob is the time that a job takes of the whole: makespan over jobs.
func (o *Outcome) PerJob() time.Duration { return o.Makespan / time.Duration(max(1, o.Jobs)) }

// DeviceBusy is the share of the time in which a device worker computed.
func (o *Outcome) DeviceBusy(workers int) float64 {
	return o.Busy.Seconds() / max(o.Makespan.Seconds()*float64(workers), 1e-9)
}

// Loss is the share of another outcome's throughput that is lost, where both made
// the same load.
func (o *Outcome) Loss(of *Outcome) float64 {
	if o.Makespan <= 0 {
		return 0
	}
	return 1 - of.Makespan.Seconds()/o.Makespan.Seconds()
}

// Simulate runs a load through a virtual pipeline to its end. A partition that
// can never fit is a *BudgetError.
func Simulate(limits Limits, load Load) (*Outcome, error) {
	v, err := NewVirtual(limits)
	if err != nil {
		return nil, err
	}
	s := &simulation{v: v, load: load, outcome: new(Outcome)}
	concurrency := load.Concurrency
	if concurrency <= 0 {
		concurrency = len(load.Jobs)
	}
	for range min(concurrency, len(load.Jobs)) {
		s.startNext()
	}
	for s.err == nil && v.Step() {
	}
	o := s.outcome
	o.Makespan, o.Ended, o.Peaks, o.Busy = v.Now(), v.Counts(), v.Peaks(), v.busy
	if s.err == nil && o.Jobs != len(load.Jobs) {
		return nil, fmt.Errorf("simulate pipeline: %d of %d jobs ended, nothing moves any more", o.Jobs, len(load.Jobs))
	}
	return o, s.err
}

// simulation is a load on its way through a virtual pipeline.
type simulation struct {
	v       *Virtual
	load    Load
	next    int
	outcome *Outcome
	err     error
}

func (s *simulation) startNext() {
	if s.next == len(s.load.Jobs) {
		return
	}
	job := &s.load.Jobs[s.next]
	s.next++
	start := s.v.Now()
	s.v.After(job.Before, func() { s.submit(job, start) })
}

func (s *simulation) submit(job *LoadJob, start time.Duration) {
	left := len(job.Partitions)
	ended := func() {
		s.v.After(job.After, func() {
			s.outcome.Jobs++
			s.outcome.Latencies = append(s.outcome.Latencies, s.v.Now()-start)
			s.startNext()
		})
	}
	for _, w := range job.Partitions {
		var entered [states]time.Duration
		w.Entered = func(_ ID, to State) {
			entered[to] = s.v.Now()
			if to.Ended() {
				s.count(&entered, to)
				if left--; left == 0 {
					ended()
				}
			}
		}
		if _, err := s.v.Submit(w); err != nil {
			s.err = fmt.Errorf("simulate pipeline: %w", err)
			return
		}
	}
	if len(job.Partitions) == 0 {
		ended()
	}
}

func (s *simulation) count(entered *[states]time.Duration, outcome State) {
	s.outcome.Partitions++
	if outcome != Proved {
		return
	}
	t := &s.outcome.Times
	t.Wait += entered[Synthesis] - entered[Waiting]
	t.Synthesis += entered[Synthesized] - entered[Synthesis]
	t.Queue += entered[OnDevice] - entered[Synthesized]
	t.Device += entered[Computed] - entered[OnDevice]
	t.HandOver += entered[Finishing] - entered[Computed]
	t.Finish += entered[Proved] - entered[Finishing]
}
