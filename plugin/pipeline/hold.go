package pipeline

// HoldID names a hold in a Machine.
type HoldID uint64

// hold is memory that no partition owns: a job's input while the job lives, or
// what a loaded key keeps resident.
type hold struct {
	id    HoldID
	bytes int64
	need  int64 // the largest partition that must still fit beside all holds
}

// holds are granted first come first served.
type holds struct {
	granted map[HoldID]hold
	bytes   int64 // granted
	waiting []hold
	last    HoldID
}

// Hold asks for bytes outside of any partition, for partitions of the given
// need. Granted tells that they are there now; if not, a later event grants
// them (see Granted). A hold waits rather than leave too little for the largest
// partition that counts on running, so holds alone can never stop the
// pipeline; one that can never fit is refused with a *BudgetError.
func (m *Machine) Hold(bytes, need int64) (id HoldID, granted bool, err error) {
	if m.draining {
		return 0, false, ErrDraining
	}
	if !m.fits(bytes+need, m.limits.Budget) {
		return 0, false, &BudgetError{Need: bytes + need, Budget: m.limits.Budget, Held: m.holds.bytes}
	}
	m.holds.last++
	id = m.holds.last
	m.holds.waiting = append(m.holds.waiting, hold{id: id, bytes: bytes, need: need})
	for m.grant() {
	}
	return id, m.Granted(id), nil
}

// Granted tells whether a hold has its bytes.
func (m *Machine) Granted(id HoldID) bool {
	_, ok := m.holds.granted[id]
	return ok
}

// Unhold gives a hold's bytes back, or takes one that waits out of the queue.
func (m *Machine) Unhold(id HoldID) []Action {
	if h, ok := m.holds.granted[id]; ok {
		delete(m.holds.granted, id)
		m.holds.bytes -= h.bytes
		m.reserved -= h.bytes
		return m.settle()
	}
	for i, h := range m.holds.waiting {
		if h.id == id {
			m.holds.waiting = append(m.holds.waiting[:i], m.holds.waiting[i+1:]...)
			break
		}
	}
	return m.settle()
}

// grant gives the first waiting hold its bytes, where there are enough.
func (m *Machine) grant() bool {
	if !m.grantable() || !m.fits(m.holds.waiting[0].bytes, m.limits.Budget-m.reserved) {
		return false
	}
	h := m.holds.waiting[0]
	m.holds.waiting = m.holds.waiting[1:]
	m.holds.granted[h.id] = h
	m.holds.bytes += h.bytes
	m.reserve(h.bytes)
	return true
}

// grantable tells whether the first waiting hold would leave enough for the
// largest partition once all partitions of now have ended.
func (m *Machine) grantable() bool {
	if len(m.holds.waiting) == 0 {
		return false
	}
	h := m.holds.waiting[0]
	need := h.need
	for _, other := range m.holds.granted {
		need = max(need, other.need)
	}
	for _, p := range m.waiting {
		need = max(need, p.need.Whole())
	}
	return m.fits(m.holds.bytes+h.bytes+need, m.limits.Budget)
}

// blocks tells whether new partitions must wait so that the first waiting hold
// gets its bytes. One that waits for other holds to leave blocks nobody.
func (h *holds) blocks(m *Machine) bool { return m.grantable() }
