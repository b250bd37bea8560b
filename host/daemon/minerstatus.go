package daemon

import (
	"context"
	"strings"
	"time"

	"github.com/prometheus/common/expfmt"

	"github.com/sealwright/sealwright/host"
	"github.com/sealwright/sealwright/host/cuzkpb"
)

// GetStatus implements cuzkpb.ProvingEngineServer. It never waits for an engine.
func (s *minerServer) GetStatus(context.Context, *cuzkpb.GetStatusRequest) (*cuzkpb.GetStatusResponse, error) {
	counts, jobs, snapshot := s.d.queue.Counts(), s.d.queue.Jobs(), s.d.host.Snapshot()
	m := &cuzkpb.GetStatusResponse{
		Queues: queuesOf(jobs), TotalProofsCompleted: counts.Proved, TotalProofsFailed: counts.Failed,
		UptimeSeconds: uint64(time.Since(s.d.started).Seconds()),
	}
	if snapshot.Engine.PID != 0 {
		m.Gpus = []*cuzkpb.GPUStatus{deviceOf(snapshot, jobs)}
	}
	if r := snapshot.Report; r != nil {
		m.PinnedMemoryBytes, m.PinnedMemoryLimitBytes = uint64(r.Memory.Used), uint64(r.Memory.Budget)
		for _, k := range r.Keys {
			m.LoadedSrs = append(m.LoadedSrs, &cuzkpb.SRSStatus{
				CircuitId: k.CircuitID, Tier: cuzkpb.SRSStatus_HOT, SizeBytes: uint64(k.File), RefCount: usersOf(k.CircuitID, jobs),
			})
		}
	}
	return m, nil
}

// queuesOf counts jobs by kind, each kind that is proved.
func queuesOf(jobs []host.Job) []*cuzkpb.QueueStatus {
	var queues []*cuzkpb.QueueStatus
	for _, kind := range []host.Kind{host.PoRep, host.WindowPoSt} {
		q := &cuzkpb.QueueStatus{ProofKind: kindName(kind)}
		for _, j := range jobs {
			switch {
			case j.Kind != kind:
			case j.State == host.JobQueued:
				q.Pending++
			case j.State == host.JobRunning:
				q.InProgress++
			}
		}
		queues = append(queues, q)
	}
	return queues
}

// deviceOf tells of the engine's device, and of the job that it works for as far
// as that is told.
func deviceOf(s host.Snapshot, jobs []host.Job) *cuzkpb.GPUStatus {
	g := &cuzkpb.GPUStatus{Name: s.Engine.Device}
	if r := s.Report; r != nil {
		g.VramTotalBytes = uint64(r.Device.Budget)
		g.VramFreeBytes = uint64(max(0, r.Device.Budget-r.Device.Used))
	}
	for _, j := range jobs {
		if j.State == host.JobRunning && (j.Step == host.StepDevice || g.CurrentJobId == "") {
			g.CurrentJobId, g.CurrentProofKind = j.ID, kindName(j.Kind)
		}
	}
	return g
}

// usersOf counts the running jobs that use a circuit's key.
func usersOf(circuit string, jobs []host.Job) (n uint32) {
	for _, j := range jobs {
		if j.State == host.JobRunning && j.Circuit == circuit {
			n++
		}
	}
	return n
}

// GetMetrics implements cuzkpb.ProvingEngineServer.
func (s *minerServer) GetMetrics(context.Context, *cuzkpb.GetMetricsRequest) (*cuzkpb.GetMetricsResponse, error) {
	families, err := s.d.metrics.registry.Gather()
	if err != nil {
		return nil, statusOf(err)
	}
	var text strings.Builder
	for _, family := range families {
		if _, err := expfmt.MetricFamilyToText(&text, family); err != nil {
			return nil, statusOf(err)
		}
	}
	return &cuzkpb.GetMetricsResponse{PrometheusText: text.String()}, nil
}
