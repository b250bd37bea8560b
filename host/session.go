package host

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/porep/groth16"
	"github.com/sealwright/sealwright/sdk/enginepb"
	"google.golang.org/grpc/codes"
)

// session is one job on one incarnation: a Prove stream. It runs in the job's
// own goroutine, beside one that sends the assignments.
type session struct {
	h      *Host
	engine *incarnation
	job    *statement
	key    *verifyingKey
	req    *Request

	stream enginepb.Engine_ProveClient
	proofs [][]byte // by partition; nil: not proved yet
	result *Result
	done   int
}

// run proves the partitions that are not proved yet. Those that it has proved
// stay proved, whatever it returns.
func (s *session) run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx) // ends the stream on every way out
	defer stop()
	var err error
	if s.stream, err = s.engine.rpc.Prove(ctx); err != nil {
		return s.explain(ctx, err)
	}
	start := time.Now()
	if err := s.sendInput(); err != nil {
		return s.explain(ctx, err)
	}
	s.result.Times.Input += time.Since(start)

	start = time.Now()
	defer func() { s.result.Times.Prove += time.Since(start) }()
	a := newAssignments(s.req.Priority.message(), s.missing())
	s.engine.dispatch.add(a)
	sent := make(chan error, 1)
	go func() { sent <- s.assign(ctx, a) }()
	err = s.receive(ctx, a)
	s.engine.dispatch.remove(a)
	stop()
	<-sent
	return err
}

func (s *session) missing() []int {
	var ks []int
	for k, proof := range s.proofs {
		if proof == nil {
			ks = append(ks, k)
		}
	}
	return ks
}

// sendInput sends the header and all parts.
func (s *session) sendInput() error {
	header := &enginepb.Header{
		Job: s.req.ID, Kind: s.job.kind, RegisteredProof: s.job.registered, CircuitId: s.job.shape.CircuitID,
		Sector: s.req.Sector, PartitionIndex: s.req.PartitionIndex,
	}
	if s.req.ProverID != nil {
		header.ProverId = s.req.ProverID[:]
	}
	for _, part := range s.job.parts {
		sum := sha256.Sum256(part)
		header.Parts = append(header.Parts, &enginepb.Part{Size: uint64(len(part)), Sha256: sum[:]})
	}
	if err := s.send(&enginepb.ProveRequest{Message: &enginepb.ProveRequest_Header{Header: header}}); err != nil {
		return err
	}
	for i, part := range s.job.parts {
		for len(part) > 0 {
			n := min(len(part), enginepb.ChunkBytes)
			chunk := &enginepb.Chunk{Part: uint32(i), Data: part[:n]}
			if err := s.send(&enginepb.ProveRequest{Message: &enginepb.ProveRequest_Chunk{Chunk: chunk}}); err != nil {
				return err
			}
			part = part[n:]
		}
	}
	return nil
}

// send sends a message. A stream that the engine has ended says so as io.EOF;
// the reason is then what receiving gives.
func (s *session) send(m *enginepb.ProveRequest) error {
	err := s.stream.Send(m)
	if errors.Is(err, io.EOF) {
		for err = error(nil); err == nil; {
			_, err = s.stream.Recv()
		}
	}
	return err
}

// assign sends the partitions that the dispatcher hands out, then half-closes.
func (s *session) assign(ctx context.Context, a *assignments) error {
	for range cap(a.next) {
		select {
		case k := <-a.next:
			m := &enginepb.Assign{Partition: uint32(k), Priority: a.priority, InsecureBlinding: s.blinding(k)}
			if err := s.stream.Send(&enginepb.ProveRequest{Message: &enginepb.ProveRequest_Assign{Assign: m}}); err != nil {
				return err // receiving gives the reason
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return s.stream.CloseSend()
}

// blinding returns the fixed blinding of a partition, nil where it is not asked
// for.
func (s *session) blinding(k int) *enginepb.FixedBlinding {
	if s.h.options.Blinding == "" {
		return nil
	}
	b := groth16.BlindingFromLabel(s.h.options.Blinding, k)
	return &enginepb.FixedBlinding{R: scalarBytes(&b.R), S: scalarBytes(&b.S)}
}

func scalarBytes(e *fr.Element) []byte {
	var out [fr.Bytes]byte
	fr.LittleEndian.PutElement(&out, *e)
	return out[:]
}

// receive takes the engine's answers until it ends the stream.
func (s *session) receive(ctx context.Context, a *assignments) error {
	acknowledged := make(map[uint32]bool)
	acknowledge := func(k uint32) {
		if !acknowledged[k] {
			acknowledged[k] = true
			s.engine.dispatch.acknowledge(a)
		}
	}
	for {
		m, err := s.stream.Recv()
		switch {
		case errors.Is(err, io.EOF) && len(s.missing()) == 0:
			return nil
		case errors.Is(err, io.EOF):
			return s.broken("ended the job with %d of %d partitions proved", s.done, len(s.proofs))
		case err != nil:
			return s.explain(ctx, err)
		}
		switch m := m.GetMessage().(type) {
		case *enginepb.ProveResponse_Progress:
			acknowledge(m.Progress.GetPartition())
			s.progress(m.Progress)
		case *enginepb.ProveResponse_Proof:
			acknowledge(m.Proof.GetPartition())
			if err := s.accept(m.Proof); err != nil {
				return err
			}
		case *enginepb.ProveResponse_Error:
			e := m.Error
			doing := fmt.Sprintf("prove partition %d", e.GetPartition())
			return statusError(doing, codes.Code(e.GetCode()), e.GetMessage())
		}
	}
}

func (s *session) progress(p *enginepb.Progress) {
	if step, ok := stageSteps[p.GetStage()]; ok {
		s.req.report(s.at(step, int(p.GetPartition())))
	}
}

func (s *session) at(step Step, k int) Progress {
	return Progress{
		Step: step, Partition: k, Partitions: len(s.proofs), Circuit: s.job.shape.CircuitID, Done: s.done, EnginePID: s.engine.pid,
	}
}

// accept verifies a partition's proof before it counts. A wrong one is the end
// of its engine.
func (s *session) accept(p *enginepb.PartitionProof) error {
	k := int(p.GetPartition())
	if k >= len(s.proofs) || s.proofs[k] != nil {
		return s.broken("gave a proof of partition %d, which was not asked for", k)
	}
	start := time.Now()
	if err := s.verify(k, p.GetProof()); err != nil {
		why := s.broken("gave a proof of partition %d that does not verify: %v", k, err)
		why.Class = ExitWrongProof
		s.h.slot.giveUp(s.engine, why)
		return why
	}
	s.proofs[k] = p.GetProof()
	s.done++
	s.result.Partitions[k] = partitionResult(p, time.Since(start))
	s.req.report(s.at(StepVerified, k))
	return nil
}

func (s *session) verify(k int, encoded []byte) error {
	proof, err := groth16.ParseProof(encoded)
	if err != nil {
		return err
	}
	return s.key.prepared.Verify(proof, s.job.inputs[k])
}

// broken is an engine's breach of its contract.
func (s *session) broken(format string, args ...any) *EngineError {
	return &EngineError{
		Class: ExitPanic, Path: s.engine.path, PID: s.engine.pid, Status: -1,
		Stderr: s.engine.stderr.String(), Reason: fmt.Sprintf(format, args...),
	}
}

// explain turns a broken stream into its reason: the caller's own end of ctx,
// the engine's death, or what the engine says.
func (s *session) explain(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("prove: %w", context.Cause(ctx))
	}
	if s.h.slot.ctx.Err() != nil {
		return ErrClosed
	}
	return s.engine.explain(callError("prove", err))
}

func partitionResult(p *enginepb.PartitionProof, verify time.Duration) PartitionResult {
	t := p.GetTimes()
	r := PartitionResult{
		Wait: time.Duration(t.GetWaitNs()), Synthesis: time.Duration(t.GetSynthesisNs()), Queue: time.Duration(t.GetQueueNs()),
		Device: time.Duration(t.GetDeviceNs()), HandOver: time.Duration(t.GetHandOverNs()), Finish: time.Duration(t.GetFinishNs()),
		Verify: verify,
	}
	if ns := t.GetSubmittedUnixNs(); ns != 0 {
		r.Submitted = time.Unix(0, ns)
	}
	r.Reserved, r.Took = stageBytes(p.GetReserved()), stageBytes(p.GetTook())
	for _, op := range p.GetOps() {
		r.Ops = append(r.Ops, Op{Name: op.GetName(), Place: op.GetPlace(), Size: op.GetSize(), Time: time.Duration(op.GetNs())})
	}
	return r
}

func stageBytes(b *enginepb.StageBytes) StageBytes {
	return StageBytes{b.GetSynthesis(), b.GetDevice(), b.GetFinish()}
}
