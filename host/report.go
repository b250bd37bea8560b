package host

import (
	"time"

	"github.com/sealwright/sealwright/sdk/enginepb"
)

// EngineInfo is an engine as it answered to its configuration.
type EngineInfo struct {
	PID     int
	Backend string // "cpu", "cuda"
	Version string
	Device  string // its name

	Permits, DeviceWorkers, FinishSlots int
	Channel                             int // math.MaxUint32: without bound
	Policy                              string
}

// EngineReport is an engine's state, as it tells at each change of its pipeline
// and once a second.
type EngineReport struct {
	Engine EngineInfo
	At     time.Time // it arrived

	Credits  int    // partitions that may be assigned now
	Progress uint64 // finished device operations since the start
	Pipeline PipelineReport
	Buffers  []BufferReport // large buffers by kind, in a fixed order
	Memory   MemoryReport   // of the host, as far as the engine owns it
	Device   MemoryReport   // of the device
	Keys     []KeyReport

	Busy     bool // the device computes
	Draining bool
	Lost     string // why the device is lost; empty: it is not
}

// PipelineReport counts the partitions in an engine.
type PipelineReport struct {
	Waiting, Synthesis, Synthesized, Queued, Device, Finish int
	Alive, AlivePeak                                        int    // all but the waiting
	Proved, Failed, Cancelled                               uint64 // since the start
}

// BufferReport counts the living large buffers of one kind.
type BufferReport struct {
	Kind                    string
	Count, Bytes, HighWater int64 // HighWater is of Bytes
}

// MemoryReport is a budget and what is taken of it, in bytes.
type MemoryReport struct {
	Budget                 int64 // 0: no limit
	Reserved, ReservedPeak int64 // promised to partitions, inputs and keys
	Used, UsedPeak         int64 // alive
}

// KeyReport is a proving key that an engine has loaded, in bytes.
type KeyReport struct {
	CircuitID      string
	File, Resident int64 // mapped from the file; kept beside it
	Partition      int64 // what one partition reserves
	LoadTime       time.Duration
}

// Engine returns the last report of the engine that runs, false where none has
// reported yet.
func (h *Host) Engine() (EngineReport, bool) {
	if r := h.report.Load(); r != nil {
		return *r, true
	}
	return EngineReport{}, false
}

// reported takes a report of the running engine.
func (h *Host) reported(i *incarnation, m *enginepb.WatchResponse) {
	r := engineReport(i.info, m)
	i.still.take(&r)
	h.report.Store(&r)
	if h.options.Report != nil {
		h.options.Report(r)
	}
}

func engineReport(info EngineInfo, m *enginepb.WatchResponse) EngineReport {
	p := m.GetPipeline()
	r := EngineReport{
		Engine: info, At: time.Now(), Credits: int(m.GetCredits()), Progress: m.GetProgress(),
		Pipeline: PipelineReport{
			Waiting: int(p.GetWaiting()), Synthesis: int(p.GetSynthesis()), Synthesized: int(p.GetSynthesized()),
			Queued: int(p.GetQueued()), Device: int(p.GetDevice()), Finish: int(p.GetFinish()),
			Alive: int(p.GetAlive()), AlivePeak: int(p.GetAlivePeak()),
			Proved: p.GetProved(), Failed: p.GetFailed(), Cancelled: p.GetCancelled(),
		},
		Memory: memoryReport(m.GetHostMemory()), Device: memoryReport(m.GetDeviceMemory()),
		Busy: m.GetDeviceBusy(), Draining: m.GetDraining(), Lost: m.GetDeviceLost(),
	}
	for _, b := range m.GetBuffers() {
		r.Buffers = append(r.Buffers, BufferReport{b.GetKind(), b.GetCount(), b.GetBytes(), b.GetHighWater()})
	}
	for _, k := range m.GetSrs() {
		r.Keys = append(r.Keys, KeyReport{
			CircuitID: k.GetCircuitId(), File: k.GetFileBytes(), Resident: k.GetResidentBytes(),
			Partition: k.GetPartitionBytes(), LoadTime: time.Duration(k.GetLoadNs()),
		})
	}
	return r
}

func memoryReport(b *enginepb.BytesState) MemoryReport {
	return MemoryReport{b.GetBudget(), b.GetReserved(), b.GetReservedPeak(), b.GetUsed(), b.GetUsedPeak()}
}
