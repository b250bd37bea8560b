package plugin

import (
	"runtime/debug"
	"sync/atomic"

	"github.com/sealwright/sealwright/plugin/pipeline"
)

// The heap limit is never set below heapFloor, which every budget has room for,
// and follows the arena in steps.
const (
	heapFloor = pipeline.ProcessBytes
	heapStep  = 64 << 20
)

// heapLimit keeps Go's soft memory limit at the budget less what lies off the
// heap, so that heap and arena together stay within the budget.
type heapLimit struct {
	budget int64
	steps  atomic.Int64 // of the arena, as last set
}

func newHeapLimit(budget int64) *heapLimit {
	h := &heapLimit{budget: budget}
	h.steps.Store(-1)
	h.follow(pipeline.BufferCounts{})
	return h
}

// follow sets the limit when the arena has moved by a step.
func (h *heapLimit) follow(c pipeline.BufferCounts) {
	if h.budget == 0 {
		return
	}
	steps := (c.Arena + heapStep - 1) / heapStep
	if h.steps.Swap(steps) != steps {
		debug.SetMemoryLimit(max(heapFloor, h.budget-steps*heapStep))
	}
}
