package daemon

import (
	"context"
	"errors"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/sealwright/sealwright/host"
	"github.com/sealwright/sealwright/host/cuzkpb"
)

// minerServer is cuzk.v1 on a queue.
type minerServer struct {
	cuzkpb.UnimplementedProvingEngineServer
	d *daemon
}

// Prove implements cuzkpb.ProvingEngineServer. A request that is refused gets a
// status; what becomes of one that was taken is in the answer.
func (s *minerServer) Prove(ctx context.Context, m *cuzkpb.ProveRequest) (*cuzkpb.ProveResponse, error) {
	req, err := RequestOf(m.GetSubmit())
	if err != nil {
		return nil, statusOf(err)
	}
	job, err := s.d.queue.Prove(ctx, *req)
	switch {
	case err != nil:
		return nil, statusOf(err)
	case job.State == host.JobFailed && refused(job.Err), errors.Is(job.Err, host.ErrDraining):
		return nil, statusOf(job.Err)
	}
	return &cuzkpb.ProveResponse{Result: answerOf(job)}, nil
}

// SubmitProof implements cuzkpb.ProvingEngineServer.
func (s *minerServer) SubmitProof(_ context.Context, m *cuzkpb.SubmitProofRequest) (*cuzkpb.SubmitProofResponse, error) {
	req, err := RequestOf(m)
	if err != nil {
		return nil, statusOf(err)
	}
	job, position, err := s.d.queue.Submit(*req)
	if err != nil {
		return nil, statusOf(err)
	}
	return &cuzkpb.SubmitProofResponse{
		JobId: job.ID, QueuePosition: uint32(position), AssignedGpu: s.d.host.Snapshot().Engine.Device,
	}, nil
}

// AwaitProof implements cuzkpb.ProvingEngineServer.
func (s *minerServer) AwaitProof(ctx context.Context, m *cuzkpb.AwaitProofRequest) (*cuzkpb.AwaitProofResponse, error) {
	wait := ctx
	if ms := m.GetTimeoutMs(); ms > 0 {
		limit, stop := context.WithTimeout(ctx, milliseconds(ms))
		defer stop()
		wait = limit
	}
	job, err := s.d.queue.Await(wait, m.GetJobId())
	switch {
	case err == nil:
		return answerOf(job), nil
	case wait.Err() != nil && ctx.Err() == nil:
		return &cuzkpb.AwaitProofResponse{JobId: job.ID, Status: cuzkpb.AwaitProofResponse_TIMEOUT, ErrorMessage: err.Error()}, nil
	}
	return nil, statusOf(err)
}

// maxWait is the longest wait that a timeout can say.
const maxWait = 10 * 365 * 24 * time.Hour

func milliseconds(ms uint64) time.Duration {
	return time.Duration(min(ms, uint64(maxWait.Milliseconds()))) * time.Millisecond
}

// CancelProof implements cuzkpb.ProvingEngineServer. A job that waits is given up
// as one that runs is, but was not running.
func (s *minerServer) CancelProof(_ context.Context, m *cuzkpb.CancelProofRequest) (*cuzkpb.CancelProofResponse, error) {
	was, err := s.d.queue.Cancel(m.GetJobId())
	if err != nil {
		return nil, statusOf(err)
	}
	return &cuzkpb.CancelProofResponse{WasRunning: was == host.JobRunning}, nil
}

// PreloadSRS implements cuzkpb.ProvingEngineServer.
func (s *minerServer) PreloadSRS(ctx context.Context, m *cuzkpb.PreloadSrsRequest) (*cuzkpb.PreloadSrsResponse, error) {
	loaded := s.d.hasKey(m.GetCircuitId())
	start := time.Now()
	if err := s.d.host.LoadKey(ctx, m.GetCircuitId()); err != nil {
		return nil, statusOf(err)
	}
	return &cuzkpb.PreloadSrsResponse{AlreadyLoaded: loaded, LoadTimeMs: uint64(time.Since(start).Milliseconds())}, nil
}

// EvictSRS implements cuzkpb.ProvingEngineServer: it refuses, since an engine
// keeps its keys mapped and the kernel drops their pages when memory is short.
func (s *minerServer) EvictSRS(context.Context, *cuzkpb.EvictSrsRequest) (*cuzkpb.EvictSrsResponse, error) {
	return nil, status.Error(codes.Unimplemented,
		"evict key: unsupported: keys are mapped from their files, and the kernel drops their pages where memory is short")
}

// answerOf is the end of a job as the wire has it.
func answerOf(job host.Job) *cuzkpb.AwaitProofResponse {
	a := &cuzkpb.AwaitProofResponse{
		JobId: job.ID, QueueWaitMs: uint64(job.QueueWait(job.Ended).Milliseconds()), TotalMs: uint64(job.Ended.Sub(job.Submitted).Milliseconds()),
	}
	switch job.State {
	case host.JobProved:
		a.Status, a.Proof = cuzkpb.AwaitProofResponse_COMPLETED, job.Result.Proof
		a.SrsLoadMs = uint64(job.Result.Times.Key.Milliseconds())
		var synthesis, device time.Duration
		for _, p := range job.Result.Partitions {
			synthesis += p.Synthesis
			device += p.Device
		}
		a.SynthesisMs, a.GpuComputeMs = uint64(synthesis.Milliseconds()), uint64(device.Milliseconds())
	case host.JobCancelled:
		a.Status, a.ErrorMessage = cuzkpb.AwaitProofResponse_CANCELLED, job.Err.Error()
	case host.JobFailed:
		a.Status, a.ErrorMessage = cuzkpb.AwaitProofResponse_FAILED, job.Err.Error()
	}
	return a
}
