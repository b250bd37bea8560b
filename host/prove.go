package host

import (
	"bytes"
	"context"
	"os"
	"time"
)

// Prove proves a request and returns the verified proof. The input is checked in
// full before a key, the engine or anything else is looked at; its errors wrap
// sdk.ErrInvalidInput. Others wrap ErrKey, ErrEngine, sdk.ErrNoDevice and so on.
func (h *Host) Prove(ctx context.Context, req Request) (*Result, error) {
	start := time.Now()
	req.report(Progress{Step: StepCheck, Partition: -1})
	job, err := h.check(ctx, &req)
	if err != nil {
		return nil, err
	}
	r := &Result{
		CircuitID: job.shape.CircuitID, ReplicaID: job.replicaID, HostPID: os.Getpid(),
		Partitions: make([]PartitionResult, len(job.inputs)),
	}
	r.Times.Check = time.Since(start)
	key, err := h.keys.get(job.shape)
	if err != nil {
		return nil, err
	}
	s := &session{h: h, job: job, key: key, req: &req, result: r, proofs: make([][]byte, len(job.inputs))}
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	req.report(s.at(StepInput, -1))
	if err := s.run(ctx); err != nil {
		return nil, err
	}
	r.Proof = bytes.Join(s.proofs, nil)
	r.Times.Total = time.Since(start)
	return r, nil
}

// ready gets an engine that has the job's proving key.
func (s *session) ready(ctx context.Context) (err error) {
	at := Progress{Step: StepEngine, Partition: -1, Partitions: len(s.proofs), Circuit: s.job.shape.CircuitID}
	s.req.report(at)
	start := time.Now()
	if s.engine, err = s.h.slot.get(ctx); err != nil {
		return err
	}
	s.result.EnginePID = s.engine.pid
	s.result.Times.Engine = time.Since(start)

	s.req.report(s.at(StepKey, -1))
	start = time.Now()
	err = s.engine.loadKey(ctx, s.key.loadRequest(s.job.shape.CircuitID, s.h.options.DevKeyLabel))
	s.result.Times.Key = time.Since(start)
	return err
}
