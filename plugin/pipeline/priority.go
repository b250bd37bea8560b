package pipeline

import (
	"fmt"
	"slices"
)

// Priority orders partitions that wait for the same thing. The zero value is
// Normal.
type Priority int8

// The priorities, most urgent last.
const (
	Low Priority = iota - 1
	Normal
	High
	Critical
)

// String returns the priority's name in lower case.
func (p Priority) String() string {
	switch p {
	case Low:
		return "low"
	case Normal:
		return "normal"
	case High:
		return "high"
	case Critical:
		return "critical"
	}
	return fmt.Sprintf("Priority(%d)", int8(p))
}

// overtakes is how many later partitions may pass an earlier one before it
// moves up by one priority. It is what keeps low priorities from starving.
const overtakes = 16

// queue holds partitions that wait for the same thing, in order of submission.
type queue []*partition

func (q *queue) add(p *partition) {
	i := len(*q)
	for i > 0 && (*q)[i-1].id > p.id {
		i--
	}
	*q = slices.Insert(*q, i, p)
}

// first returns the index of the most urgent partition: by priority, where
// having been passed counts, then by submission. It is -1 for an empty queue.
func (q queue) first() int {
	best := -1
	for i, p := range q {
		if best < 0 || p.urgency() > q[best].urgency() {
			best = i
		}
	}
	return best
}

// take removes the partition at index i; those before it have been passed.
func (q *queue) take(i int) *partition {
	p := (*q)[i]
	for _, passed := range (*q)[:i] {
		passed.passed++
	}
	q.cut(i)
	return p
}

// remove takes p out wherever it stands; nobody is passed.
func (q *queue) remove(p *partition) {
	for i, other := range *q {
		if other == p {
			q.cut(i)
			return
		}
	}
}

func (q *queue) cut(i int) { *q = slices.Delete(*q, i, i+1) }
