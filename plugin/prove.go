package plugin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/sealwright/sealwright/plugin/pipeline"
	"github.com/sealwright/sealwright/porep"
	"github.com/sealwright/sealwright/sdk"
	"github.com/sealwright/sealwright/sdk/enginepb"
	"google.golang.org/grpc"
)

type proveStream = grpc.BidiStreamingServer[enginepb.ProveRequest, enginepb.ProveResponse]

// Prove implements enginepb.EngineServer.
func (s *server) Prove(stream proveStream) error {
	e, err := s.configured()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(stream.Context())
	defer cancel(nil)
	j := &job{server: s, engine: e, cancel: cancel, assigned: make(map[uint32]*pipeline.Ticket)}
	j.out = newOutbox(stream.Send, cancel)
	err = j.run(ctx, stream.Recv)
	j.out.close()
	if err != nil && codeOf(err) != codeOf(context.Canceled) {
		s.log.Warn("job refused", "job", j.name, "error", oneLine(err))
	}
	return statusOf(err)
}

// job is one Prove stream. It is driven by the stream's own goroutine; the ends
// of partitions are reported by one goroutine each.
type job struct {
	server *server
	engine *engine
	name   string
	key    *circuitKey
	work   *porep.Job
	out    *outbox
	cancel context.CancelCauseFunc

	assigned   map[uint32]*pipeline.Ticket
	partitions sync.WaitGroup
}

// run takes the job's input and its assignments until the host half-closes.
func (j *job) run(ctx context.Context, recv func() (*enginepb.ProveRequest, error)) (err error) {
	header, err := j.open(recv)
	if err != nil {
		return err
	}
	in, err := j.engine.receiveInput(ctx, header, j.key.need.Need().Whole(), recv)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			j.cancel(err)
		}
		j.partitions.Wait() // before the input goes
		in.release()
	}()
	if err := j.check(ctx, header, in); err != nil {
		return err
	}
	for {
		m, err := recv()
		switch {
		case errors.Is(err, io.EOF):
			j.partitions.Wait()
			return context.Cause(ctx)
		case err != nil:
			return err
		case m.GetCancel() != nil:
			j.cancelAll()
		case m.GetAssign() != nil:
			if err := j.assign(ctx, m.GetAssign()); err != nil {
				return err
			}
		default:
			return fmt.Errorf("prove: %w: expected Assign or Cancel after the input", sdk.ErrInvalidInput)
		}
	}
}

// open takes the header and finds the key that it asks for.
func (j *job) open(recv func() (*enginepb.ProveRequest, error)) (*enginepb.Header, error) {
	m, err := recv()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	header := m.GetHeader()
	if header == nil {
		return nil, fmt.Errorf("prove: %w: expected a header first", sdk.ErrInvalidInput)
	}
	j.name = header.GetJob()
	if j.key = j.engine.key(header.GetCircuitId()); j.key == nil {
		return nil, precondition(fmt.Errorf("prove: the key of circuit %q is not loaded", header.GetCircuitId()))
	}
	return header, nil
}

// check parses the input and says what it found.
func (j *job) check(ctx context.Context, header *enginepb.Header, in *input) error {
	start := time.Now()
	work, err := parse(ctx, header, in.parts)
	if err != nil {
		return err
	}
	j.work = work
	j.out.put(&enginepb.ProveResponse{Message: &enginepb.ProveResponse_Ready{Ready: &enginepb.Ready{
		Partitions: uint32(work.Partitions()), IdentityChecked: work.IdentityChecked(), CheckNs: time.Since(start).Nanoseconds(),
	}}})
	return nil
}

// assign puts a partition into the pipeline. An error breaks the host's
// contract and ends the job; a partition that is refused is the partition's end.
func (j *job) assign(ctx context.Context, a *enginepb.Assign) error {
	k := a.GetPartition()
	if int(k) >= j.work.Partitions() {
		return fmt.Errorf("assign: %w: partition %d of %d", sdk.ErrInvalidInput, k, j.work.Partitions())
	}
	if _, twice := j.assigned[k]; twice {
		return fmt.Errorf("assign: %w: partition %d is assigned already", sdk.ErrInvalidInput, k)
	}
	p := &partition{job: j, number: int(k), need: j.key.need.Need(), meter: pipeline.NewMeter(j.engine.tracker)}
	if err := p.setBlinding(a.GetInsecureBlinding()); err != nil {
		return err
	}
	ticket, err := j.engine.pipeline.Submit(ctx, pipeline.Job{
		Task: p, Priority: priorityOf(a.GetPriority()), Need: p.need,
		Entered: func(s pipeline.State) { j.progress(k, s) },
	})
	j.assigned[k] = ticket
	if err != nil {
		j.failed(k, err)
		return nil
	}
	j.partitions.Go(func() {
		<-ticket.Done()
		j.ended(p, ticket)
	})
	return nil
}

func (j *job) cancelAll() {
	for _, t := range j.assigned {
		if t != nil {
			t.Cancel()
		}
	}
}

// progress is called under the pipeline's lock.
func (j *job) progress(k uint32, s pipeline.State) {
	if stage, ok := stageOf(s); ok {
		j.out.put(&enginepb.ProveResponse{Message: &enginepb.ProveResponse_Progress{
			Progress: &enginepb.Progress{Partition: k, Stage: stage},
		}})
	}
}

// ended reports the end of a partition, and of the device where it is lost.
func (j *job) ended(p *partition, t *pipeline.Ticket) {
	if err := t.Err(); err != nil {
		j.failed(uint32(p.number), err)
		return
	}
	times := t.Times()
	j.out.put(&enginepb.ProveResponse{Message: &enginepb.ProveResponse_Proof{Proof: &enginepb.PartitionProof{
		Partition: uint32(p.number), Proof: p.proof, Ops: p.ops(), Times: &enginepb.StageTimes{
			WaitNs: times.Wait.Nanoseconds(), SynthesisNs: times.Synthesis.Nanoseconds(), QueueNs: times.Queue.Nanoseconds(),
			DeviceNs: times.Device.Nanoseconds(), HandOverNs: times.HandOver.Nanoseconds(), FinishNs: times.Finish.Nanoseconds(),
			SubmittedUnixNs: t.Submitted().UnixNano(),
		},
		Reserved: stageBytes(p.need), Took: stageBytes(p.took),
	}}})
	if before, now := j.key.need.Took(p.took); before != now {
		j.engine.log.Info("need of a partition corrected", "circuit", j.key.program.Circuit.ID,
			"before", before.Whole(), "now", now.Whole(), "took", p.took.Whole())
	}
	j.engine.log.Debug("partition proved", "job", j.name, "partition", p.number, "ops", p.report)
}

func stageBytes(n pipeline.Need) *enginepb.StageBytes {
	return &enginepb.StageBytes{Synthesis: n.Synthesis, Device: n.Device, Finish: n.Finish}
}

func (j *job) failed(k uint32, err error) {
	var panicked *pipeline.PanicError
	if errors.As(err, &panicked) {
		j.engine.log.Error("a stage panicked", "job", j.name, "partition", k, "error", err, "stack", string(panicked.Stack))
	}
	j.out.put(&enginepb.ProveResponse{Message: &enginepb.ProveResponse_Error{Error: &enginepb.PartitionError{
		Partition: k, Code: int32(codeOf(err)), Message: oneLine(err),
	}}})
	if errors.Is(err, sdk.ErrDeviceLost) {
		j.server.lost(j.engine, err)
	}
}

func stageOf(s pipeline.State) (enginepb.Stage, bool) {
	switch s {
	case pipeline.Waiting:
		return enginepb.Stage_STAGE_WAITING, true
	case pipeline.Synthesis:
		return enginepb.Stage_STAGE_SYNTHESIS, true
	case pipeline.Queued:
		return enginepb.Stage_STAGE_QUEUED, true
	case pipeline.OnDevice:
		return enginepb.Stage_STAGE_DEVICE, true
	case pipeline.Finishing:
		return enginepb.Stage_STAGE_FINISH, true
	}
	return enginepb.Stage_STAGE_UNSPECIFIED, false
}

func priorityOf(p enginepb.Priority) pipeline.Priority {
	switch p {
	case enginepb.Priority_PRIORITY_LOW:
		return pipeline.Low
	case enginepb.Priority_PRIORITY_HIGH:
		return pipeline.High
	case enginepb.Priority_PRIORITY_CRITICAL:
		return pipeline.Critical
	}
	return pipeline.Normal
}
