package host

import (
	"fmt"
	"time"
)

// JobState is where a job stands.
type JobState uint8

// The states of a job. The last three are ends.
const (
	JobQueued    JobState = iota + 1 // waits for its turn
	JobRunning                       // is checked, or is with the engine
	JobProved                        // has a verified proof
	JobFailed                        // has ended with an error
	JobCancelled                     // was given up
)

var jobStateNames = [...]string{
	JobQueued: "queued", JobRunning: "running", JobProved: "proved", JobFailed: "failed", JobCancelled: "cancelled",
}

// String returns the state's name.
func (s JobState) String() string {
	if int(s) < len(jobStateNames) && jobStateNames[s] != "" {
		return jobStateNames[s]
	}
	return fmt.Sprintf("JobState(%d)", uint8(s))
}

// Ended tells whether the state is an end.
func (s JobState) Ended() bool { return s >= JobProved }

// Job is a snapshot of a job in a queue.
type Job struct {
	ID       string // unique among the jobs that are known
	Digest   string // SHA-256 of the whole input, hex
	Kind     Kind
	Circuit  string // empty until the input is checked
	Priority Priority
	State    JobState

	Step       Step // the last that was told
	Partitions int  // 0 until the input is checked
	Done       int  // partitions verified
	Callers    int  // that wait for it

	Submitted, Started, Ended time.Time // zero: not yet

	Result *Result // of JobProved
	Err    error   // of JobFailed and JobCancelled
}

// QueueWait is how long the job waited for its turn, or has waited until now.
func (j Job) QueueWait(now time.Time) time.Duration {
	switch {
	case !j.Started.IsZero():
		return j.Started.Sub(j.Submitted)
	case !j.Ended.IsZero():
		return j.Ended.Sub(j.Submitted)
	}
	return now.Sub(j.Submitted)
}
