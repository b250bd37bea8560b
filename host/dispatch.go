package host

import (
	"slices"
	"sync"

	"github.com/sealwright/sealwright/sdk/enginepb"
)

// dispatcher hands out partitions to one engine: the most urgent job first, then
// the one that came first, never more than the engine has credits for. A job that
// others overtake moves up, so that none starves.
type dispatcher struct {
	mu      sync.Mutex
	credits int
	queue   []*assignments // in order of arrival
}

// assignments are one job's partitions on one engine. What is not the channel
// belongs to the dispatcher's lock.
type assignments struct {
	next     chan int // partitions to assign now; has room for all of them
	priority enginepb.Priority
	waiting  []int // not handed out yet
	unacked  int   // handed out, not acknowledged yet
	passed   int   // partitions of later jobs handed out before one of these
}

// urgency is the job's rank among those with partitions to hand out.
func (a *assignments) urgency() int { return int(a.priority) + a.passed/overtakes }

func newAssignments(priority enginepb.Priority, partitions []int) *assignments {
	return &assignments{
		next: make(chan int, len(partitions)), priority: priority, waiting: slices.Clone(partitions),
	}
}

// add enters a job whose input the engine has.
func (d *dispatcher) add(a *assignments) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.queue = append(d.queue, a)
	d.hand()
}

// remove takes a job out, however it ended.
func (d *dispatcher) remove(a *assignments) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.queue = slices.DeleteFunc(d.queue, func(other *assignments) bool { return other == a })
	d.hand()
}

// acknowledge notes that the engine has one of the job's partitions: it has
// used a credit.
func (d *dispatcher) acknowledge(a *assignments) {
	d.mu.Lock()
	defer d.mu.Unlock()
	a.unacked--
	d.credits--
	d.hand()
}

// report takes the engine's own count of credits.
func (d *dispatcher) report(credits int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.credits = credits
	d.hand()
}

// hand hands out partitions while there are credits.
func (d *dispatcher) hand() {
	free := d.credits
	for _, a := range d.queue {
		free -= a.unacked
	}
	for ; free > 0; free-- {
		i := d.mostUrgent()
		if i < 0 {
			return
		}
		a := d.queue[i]
		for _, earlier := range d.queue[:i] {
			earlier.passed++ // one without partitions left has no use for it
		}
		a.unacked++
		a.next <- a.waiting[0]
		a.waiting = a.waiting[1:]
	}
}

// mostUrgent returns the index of the job whose partition goes next; -1: none has
// one.
func (d *dispatcher) mostUrgent() int {
	best := -1
	for i, a := range d.queue {
		if len(a.waiting) > 0 && (best < 0 || a.urgency() > d.queue[best].urgency()) {
			best = i
		}
	}
	return best
}
