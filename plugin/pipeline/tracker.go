package pipeline

import (
	"fmt"
	"strings"
	"sync"

	"github.com/sealwright/sealwright/sdk"
)

// Tracker is the sdk.Buffers of an engine: off-heap memory with an owner, a
// budget and counters. What is reserved in a Machine is a promise; what a
// Tracker counts is alive. Its methods may be called by many goroutines.
type Tracker struct {
	budget  int64
	changed func(BufferCounts)

	mu     sync.Mutex
	alive  map[*sdk.Buffer]block
	counts BufferCounts
}

// BufferCounts are the living buffers by kind, and together.
type BufferCounts struct {
	Kinds      [sdk.BufferKinds]sdk.BufferStats
	Used, Peak int64 // bytes of all kinds
	Arena      int64 // bytes of Used that lie off the heap
}

// NewTracker returns a tracker that hands out at most budget bytes (0: no
// limit). Changed, where set, is told the counters after each birth and death;
// it must return at once and not call back.
func NewTracker(budget int64, changed func(BufferCounts)) *Tracker {
	return &Tracker{budget: budget, changed: changed, alive: make(map[*sdk.Buffer]block)}
}

// Get implements sdk.Buffers.
func (t *Tracker) Get(kind sdk.BufferKind, bytes int64) (*sdk.Buffer, error) {
	if kind == 0 || kind >= sdk.BufferKinds || bytes < 0 {
		return nil, fmt.Errorf("get buffer: %w: kind %d, %d bytes", sdk.ErrInvalidInput, kind, bytes)
	}
	if err := t.take(kind, bytes); err != nil {
		return nil, err
	}
	memory, err := newBlock(bytes)
	if err != nil {
		t.give(kind, bytes, 0)
		return nil, fmt.Errorf("get %s buffer of %d bytes: %w: %w", kind, bytes, sdk.ErrOutOfMemory, err)
	}
	b := &sdk.Buffer{Kind: kind, Data: memory.data}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.alive[b] = memory
	t.counts.Arena += memory.offHeap()
	t.tell()
	return b, nil
}

// Release implements sdk.Buffers.
func (t *Tracker) Release(b *sdk.Buffer) {
	if b == nil {
		return
	}
	t.mu.Lock()
	memory, ok := t.alive[b]
	delete(t.alive, b)
	t.mu.Unlock()
	if !ok {
		panic("pipeline: buffer released twice or to the wrong owner")
	}
	bytes := int64(len(memory.data))
	b.Data = nil
	memory.free()
	t.give(b.Kind, bytes, memory.offHeap())
}

// Counts returns the counters of now.
func (t *Tracker) Counts() BufferCounts {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.counts
}

// take counts a buffer before its memory is there, so that the budget is never
// passed.
func (t *Tracker) take(kind sdk.BufferKind, bytes int64) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.budget > 0 && bytes > t.budget-t.counts.Used {
		return fmt.Errorf("get %s buffer of %d bytes: %w: %d of the budget of %d bytes are in use",
			kind, bytes, sdk.ErrOutOfMemory, t.counts.Used, t.budget)
	}
	s := &t.counts.Kinds[kind]
	s.Count++
	s.Bytes += bytes
	s.HighWater = max(s.HighWater, s.Bytes)
	t.counts.Used += bytes
	t.counts.Peak = max(t.counts.Peak, t.counts.Used)
	return nil
}

// give uncounts a buffer after its memory is gone.
func (t *Tracker) give(kind sdk.BufferKind, bytes, offHeap int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := &t.counts.Kinds[kind]
	s.Count--
	s.Bytes -= bytes
	t.counts.Used -= bytes
	t.counts.Arena -= offHeap
	t.tell()
}

func (t *Tracker) tell() {
	if t.changed != nil {
		t.changed(t.counts)
	}
}

// String returns the counters as logs print them:
// BUFFERS[provers=2/25769803776 aux=1/4294967296 used=... peak=...], kinds that
// never lived left out.
func (c BufferCounts) String() string {
	var s strings.Builder
	s.WriteString("BUFFERS[")
	for kind := sdk.BufferKind(1); kind < sdk.BufferKinds; kind++ {
		if k := c.Kinds[kind]; k.HighWater > 0 {
			fmt.Fprintf(&s, "%s=%d/%d ", kind, k.Count, k.Bytes)
		}
	}
	fmt.Fprintf(&s, "used=%d peak=%d]", c.Used, c.Peak)
	return s.String()
}
