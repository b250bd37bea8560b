package pipeline

// settle moves partitions on until nothing more can, from the end of the
// pipeline to its start, and returns the actions since the last event.
func (m *Machine) settle() []Action {
	for m.handOn() || m.startDevice() || m.accept() || m.grant() || m.admit() {
	}
	actions := m.actions
	m.actions = nil
	return actions
}

// handOn gives a computed partition to a finish slot; its device worker is free
// only now.
func (m *Machine) handOn() bool {
	i := m.computed.first()
	if i < 0 || m.slots >= m.limits.FinishSlots {
		return false
	}
	p := m.computed.take(i)
	m.releaseWorker(p)
	p.slot = true
	m.slots++
	m.move(p, Finishing)
	return true
}

// startDevice gives the most urgent queued partition to a free worker.
func (m *Machine) startDevice() bool {
	i := m.queued.first()
	if i < 0 || m.workers >= m.limits.DeviceWorkers {
		return false
	}
	p := m.queued.take(i)
	m.releaseChannel(p)
	p.worker = true
	m.workers++
	m.move(p, OnDevice)
	return true
}

// accept lets a synthesized partition into the device channel and gives its
// permit back: the one place where a partition that goes on loses it.
func (m *Machine) accept() bool {
	i := m.synthesized.first()
	if i < 0 || m.channel >= m.limits.Channel {
		return false
	}
	p := m.synthesized.take(i)
	p.channel = true
	m.channel++
	m.releasePermit(p)
	m.move(p, Queued)
	m.queued.add(p)
	return true
}

// admit starts the most urgent waiting partition when there is a permit and
// room for its whole need. Nobody overtakes it for being smaller, so that large
// ones do not starve.
func (m *Machine) admit() bool {
	i := m.waiting.first()
	if i < 0 || m.permits >= m.limits.Permits || m.holds.blocks(m) {
		return false
	}
	whole := m.waiting[i].need.Whole()
	if !m.fits(whole, m.limits.Budget-m.reserved) {
		return false
	}
	p := m.waiting.take(i)
	p.admitted = true
	p.permit = true
	m.permits++
	p.reserved = whole
	m.reserve(whole)
	m.totals.alive++
	m.totals.alivePeak = max(m.totals.alivePeak, m.totals.alive)
	m.move(p, Synthesis)
	return true
}

func (m *Machine) reserve(bytes int64) {
	m.reserved += bytes
	m.totals.reservedPeak = max(m.totals.reservedPeak, m.reserved)
}
