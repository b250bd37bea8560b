package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/filecoin-project/go-state-types/abi"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/sealwright/sealwright/host"
	"github.com/sealwright/sealwright/host/cuzkpb"
)

// maxInput is the largest input that is read: a miner's message at most.
const maxInput = 256 << 20

// readInput reads a file of at most maxInput bytes. A file that cannot be read is
// the environment's fault, one that is empty or too large the input's.
func readInput(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, environment(fmt.Errorf("read input: %w", err))
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxInput+1))
	switch {
	case err != nil:
		return nil, environment(fmt.Errorf("read input: %w", err))
	case len(data) == 0:
		return nil, invalid(fmt.Errorf("read %s: the file is empty", path))
	case len(data) > maxInput:
		return nil, invalid(fmt.Errorf("read %s: found more than %d bytes, want at most so many", path, maxInput))
	}
	return data, nil
}

// parseRequest reads a cuzk.v1 SubmitProofRequest as protobuf JSON.
func parseRequest(data []byte) (*host.Request, error) {
	var m cuzkpb.SubmitProofRequest
	if err := protojson.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("read request: %w", err)
	}
	return requestOf(&m)
}

// requestOf turns the miner's message into the host's request. The wire cannot
// tell a number that was left out from 0: a PoRep's registered proof is then
// the C1 output's own, and miner 0, which is none, leaves the sector unknown.
func requestOf(m *cuzkpb.SubmitProofRequest) (*host.Request, error) {
	r := &host.Request{
		ID: m.GetRequestId(), SectorSize: m.GetSectorSize(), Priority: priorities[m.GetPriority()],
	}
	registered := m.GetRegisteredProof()
	switch m.GetProofKind() {
	case cuzkpb.ProofKind_POREP_SEAL_COMMIT:
		r.Kind, r.C1 = host.PoRep, m.GetVanillaProof()
		if len(r.C1) == 0 {
			return nil, errors.New("read request: vanilla_proof: empty, want a C1 output")
		}
		if registered != 0 {
			r.RegisteredProof = &registered
		}
		if miner := m.GetMinerId(); miner != 0 {
			prover, sector := host.ProverID(abi.ActorID(miner)), m.GetSectorNumber()
			r.ProverID, r.Sector = &prover, &sector
		}
	case cuzkpb.ProofKind_WINDOW_POST_PARTITION:
		r.Kind, r.RegisteredProof = host.WindowPoSt, &registered
		r.Randomness, r.VanillaProofs, r.PartitionIndex = m.GetRandomness(), m.GetVanillaProofs(), m.GetPartitionIndex()
	default:
		return nil, fmt.Errorf("read request: proof_kind: found %s, which is unsupported; want %s or %s", m.GetProofKind(),
			cuzkpb.ProofKind_POREP_SEAL_COMMIT, cuzkpb.ProofKind_WINDOW_POST_PARTITION)
	}
	return r, nil
}

var priorities = map[cuzkpb.Priority]host.Priority{
	cuzkpb.Priority_LOW: host.PriorityLow, cuzkpb.Priority_NORMAL: host.PriorityNormal,
	cuzkpb.Priority_HIGH: host.PriorityHigh, cuzkpb.Priority_CRITICAL: host.PriorityCritical,
}
