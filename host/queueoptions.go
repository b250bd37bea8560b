package host

import (
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// QueueOptions bound a queue. The zero value is good.
type QueueOptions struct {
	// MaxJobs is how many jobs may wait and run together; what comes beyond is
	// refused. 0: 64.
	MaxJobs int
	// MaxRunning is how many jobs of one priority or above are with the engine at
	// once: their inputs are in its memory. A more urgent job does not wait for
	// less urgent ones, so at most four times as many run. 0: 4.
	MaxRunning int
	// Keep is how many ended jobs are remembered, the last ones. 0: 256.
	Keep int
	// OrphanGrace is how long a job that Prove was called for goes on when its last
	// caller has left, who may come back for it. 0: 2 minutes.
	OrphanGrace time.Duration

	// Ended, where set, is told each job that ends, one at a time. It must return
	// soon and not call the queue.
	Ended func(Job)
	// Logger takes what happens to jobs; nil: slog.Default.
	Logger *slog.Logger
}

// Validate names the field that is wrong.
func (o QueueOptions) Validate() error {
	for _, c := range []struct {
		field string
		value int
	}{{"MaxJobs", o.MaxJobs}, {"MaxRunning", o.MaxRunning}, {"Keep", o.Keep}} {
		if c.value < 0 {
			return fmt.Errorf("check queue options: %s is %d, expected at least 0", c.field, c.value)
		}
	}
	if o.OrphanGrace < 0 {
		return fmt.Errorf("check queue options: OrphanGrace is %s, expected at least 0", o.OrphanGrace)
	}
	return nil
}

func (o QueueOptions) withDefaults() QueueOptions {
	if o.MaxJobs == 0 {
		o.MaxJobs = 64
	}
	if o.MaxRunning == 0 {
		o.MaxRunning = 4
	}
	if o.Keep == 0 {
		o.Keep = 256
	}
	if o.OrphanGrace == 0 {
		o.OrphanGrace = 2 * time.Minute
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.Ended == nil {
		o.Ended = func(Job) {}
	}
	return o
}

// Why a queue refuses a request, or a job ended without a proof; wrapped around
// the detail.
var (
	ErrQueueFull    = errors.New("queue is full")
	ErrDraining     = errors.New("queue is draining")
	ErrNoJob        = errors.New("no such job")
	ErrJobCancelled = errors.New("job was cancelled")
)
