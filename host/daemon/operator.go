package daemon

import (
	"context"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/sealwright/sealwright/host"
	"github.com/sealwright/sealwright/host/adminpb"
)

// operatorServer is sealwright.admin.v1.
type operatorServer struct {
	adminpb.UnimplementedAdminServer
	d *daemon
}

// Status implements adminpb.AdminServer. It never waits for an engine.
func (s *operatorServer) Status(context.Context, *adminpb.StatusRequest) (*adminpb.StatusResponse, error) {
	c, o := s.d.queue.Counts(), s.d.options
	return &adminpb.StatusResponse{
		Version: o.Version, Pid: int64(os.Getpid()), UptimeMs: time.Since(s.d.started).Milliseconds(), Draining: s.d.queue.Draining(),
		Engine: engineOf(s.d.host.Snapshot(), time.Now()),
		Queue: &adminpb.Queue{
			Queued: uint32(c.Queued), Running: uint32(c.Running), Proved: c.Proved, Failed: c.Failed, Cancelled: c.Cancelled, Refused: c.Refused,
		},
		Limits: &adminpb.Limits{
			MaxJobs: uint32(s.d.queue.Options().MaxJobs), MaxRunning: uint32(s.d.queue.Options().MaxRunning),
			HostBytes: o.Host.HostBytes, HostBytesReason: o.HostBytesReason,
		},
	}, nil
}

// Jobs implements adminpb.AdminServer.
func (s *operatorServer) Jobs(context.Context, *adminpb.JobsRequest) (*adminpb.JobsResponse, error) {
	m := new(adminpb.JobsResponse)
	for _, j := range s.d.queue.Jobs() {
		m.Jobs = append(m.Jobs, jobOf(j))
	}
	return m, nil
}

// Cancel implements adminpb.AdminServer.
func (s *operatorServer) Cancel(_ context.Context, m *adminpb.CancelRequest) (*adminpb.CancelResponse, error) {
	was, err := s.d.queue.Cancel(m.GetJobId())
	if err != nil {
		return nil, statusOf(err)
	}
	return &adminpb.CancelResponse{WasRunning: was == host.JobRunning, State: was.String()}, nil
}

func jobOf(j host.Job) *adminpb.Job {
	m := &adminpb.Job{
		Id: j.ID, Kind: j.Kind.String(), CircuitId: j.Circuit, Priority: j.Priority.String(), State: j.State.String(), Step: string(j.Step),
		Partitions: uint32(j.Partitions), PartitionsDone: uint32(j.Done), Callers: uint32(j.Callers),
		Submitted: unixMillis(j.Submitted), Started: unixMillis(j.Started), Ended: unixMillis(j.Ended), Digest: j.Digest,
	}
	if j.Err != nil {
		m.Error = j.Err.Error()
	}
	return m
}

func unixMillis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func engineOf(s host.Snapshot, now time.Time) *adminpb.Engine {
	e := s.Engine
	m := &adminpb.Engine{
		Path: s.EnginePath, State: s.State.String(), Pid: int64(e.PID), Backend: e.Backend, Version: e.Version, Device: e.Device,
		Policy: e.Policy, Permits: uint32(e.Permits), Channel: uint32(e.Channel), DeviceWorkers: uint32(e.DeviceWorkers),
		FinishSlots: uint32(e.FinishSlots), Starts: s.Starts,
	}
	for _, class := range slices.Sorted(maps.Keys(s.Deaths)) {
		m.Deaths = append(m.Deaths, &adminpb.Deaths{Class: class.String(), Count: s.Deaths[class]})
	}
	if s.LastDeath != nil {
		m.LastDeath = s.LastDeath.Error()
	}
	if s.Report != nil {
		m.Report, m.ReportAgeMs = reportOf(s.Report), now.Sub(s.Report.At).Milliseconds()
	}
	return m
}

func reportOf(r *host.EngineReport) *adminpb.Report {
	p := r.Pipeline
	m := &adminpb.Report{
		Credits: uint32(r.Credits), Operations: r.Progress, DeviceBusy: r.Busy,
		Waiting: uint32(p.Waiting), Synthesis: uint32(p.Synthesis), Synthesized: uint32(p.Synthesized), Queued: uint32(p.Queued),
		Device: uint32(p.Device), Finish: uint32(p.Finish), Alive: uint32(p.Alive), AlivePeak: uint32(p.AlivePeak),
		Proved: p.Proved, Failed: p.Failed, Cancelled: p.Cancelled,
		HostMemory: memoryOf(r.Memory), DeviceMemory: memoryOf(r.Device),
	}
	for _, b := range r.Buffers {
		m.Buffers = append(m.Buffers, &adminpb.Buffers{Kind: b.Kind, Count: b.Count, Bytes: b.Bytes, HighWater: b.HighWater})
	}
	for _, k := range r.Keys {
		m.Keys = append(m.Keys, &adminpb.Key{
			CircuitId: k.CircuitID, FileBytes: k.File, ResidentBytes: k.Resident, PartitionBytes: k.Partition,
		})
	}
	return m
}

func memoryOf(r host.MemoryReport) *adminpb.Memory {
	return &adminpb.Memory{Budget: r.Budget, Reserved: r.Reserved, ReservedPeak: r.ReservedPeak, Used: r.Used, UsedPeak: r.UsedPeak}
}
