package pipeline

import (
	"sync"

	"github.com/sealwright/sealwright/sdk"
)

// Meter is the sdk.Buffers of one partition. It hands on to the engine's, and
// knows how much of them the partition has and had. What came through a Meter goes
// back through it.
type Meter struct {
	of sdk.Buffers

	mu         sync.Mutex
	used, peak int64
}

// NewMeter returns a meter over an engine's buffers.
func NewMeter(of sdk.Buffers) *Meter { return &Meter{of: of} }

// Get implements sdk.Buffers.
func (m *Meter) Get(kind sdk.BufferKind, bytes int64) (*sdk.Buffer, error) {
	b, err := m.of.Get(kind, bytes)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used += bytes
	m.peak = max(m.peak, m.used)
	return b, nil
}

// Release implements sdk.Buffers.
func (m *Meter) Release(b *sdk.Buffer) {
	if b == nil {
		return
	}
	bytes := int64(len(b.Data))
	m.of.Release(b)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used -= bytes
}

// Use returns what is in use now, and the most that was.
func (m *Meter) Use() (now, peak int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.used, m.peak
}

// An Estimate is corrected downwards once so many partitions were measured, to
// their high water and an eighth more: what a partition takes varies a little
// with the values that it proves.
const (
	estimateAfter  = 3
	estimateMargin = 8 // one part in so many
)

// Estimate is what a partition of a circuit needs: computed from the circuit's
// sizes at first, then corrected by what partitions really took. Its methods may
// be called by many goroutines.
type Estimate struct {
	computed Need

	mu       sync.Mutex
	high     Need
	measured int
}

// NewEstimate returns an estimate that nothing was held against yet.
func NewEstimate(computed Need) *Estimate { return &Estimate{computed: computed} }

// Need is what the next partition reserves.
func (e *Estimate) Need() Need {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.need()
}

// Took corrects the estimate by a partition that was proved, and tells the need
// from before and from now on.
func (e *Estimate) Took(n Need) (before, now Need) {
	e.mu.Lock()
	defer e.mu.Unlock()
	before = e.need()
	e.measured++
	e.high = Need{
		Synthesis: max(e.high.Synthesis, n.Synthesis), Device: max(e.high.Device, n.Device), Finish: max(e.high.Finish, n.Finish),
	}
	return before, e.need()
}

func (e *Estimate) need() Need {
	correct := func(computed, high int64) int64 {
		switch corrected := high + high/estimateMargin; {
		case high > computed: // it was computed too low: at once
			return corrected
		case e.measured >= estimateAfter:
			return min(computed, corrected)
		}
		return computed
	}
	return Need{
		Synthesis: correct(e.computed.Synthesis, e.high.Synthesis), Device: correct(e.computed.Device, e.high.Device),
		Finish: correct(e.computed.Finish, e.high.Finish),
	}
}
