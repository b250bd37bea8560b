package daemon

import (
	"fmt"

	"github.com/filecoin-project/go-state-types/abi"

	"github.com/sealwright/sealwright/host"
	"github.com/sealwright/sealwright/host/cuzkpb"
	"github.com/sealwright/sealwright/sdk"
)

// maxRequestID bounds the id of a request, bytes. Curio's longest, a byte slice
// written in decimal, has under 200.
const maxRequestID = 1 << 10

// RequestOf turns a miner's message into the host's request, which shares its
// bytes. The wire cannot tell a number that was left out from 0: a PoRep's
// registered proof is then the C1 output's own, and miner 0, which is none, leaves
// the sector unknown. Errors wrap sdk.ErrInvalidInput, or sdk.ErrUnsupported for a
// kind that is known and not proved.
func RequestOf(m *cuzkpb.SubmitProofRequest) (*host.Request, error) {
	if n := len(m.GetRequestId()); n > maxRequestID {
		return nil, refuse(sdk.ErrInvalidInput, "request_id: found %d bytes, want at most %d", n, maxRequestID)
	}
	r := &host.Request{
		ID: m.GetRequestId(), SectorSize: m.GetSectorSize(), Priority: priorityOf(m.GetPriority()),
	}
	registered := m.GetRegisteredProof()
	switch m.GetProofKind() {
	case cuzkpb.ProofKind_POREP_SEAL_COMMIT:
		r.Kind, r.C1 = host.PoRep, m.GetVanillaProof()
		if len(r.C1) == 0 {
			return nil, refuse(sdk.ErrInvalidInput, "vanilla_proof: empty, want a C1 output")
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
	case cuzkpb.ProofKind_SNAP_DEALS_UPDATE, cuzkpb.ProofKind_WINNING_POST:
		return nil, refuseKind(sdk.ErrUnsupported, m.GetProofKind(), ", which is unsupported")
	default:
		return nil, refuseKind(sdk.ErrInvalidInput, m.GetProofKind(), "")
	}
	return r, nil
}

func refuseKind(class error, kind cuzkpb.ProofKind, remark string) error {
	return refuse(class, "proof_kind: found %s%s; want %s or %s", kind, remark,
		cuzkpb.ProofKind_POREP_SEAL_COMMIT, cuzkpb.ProofKind_WINDOW_POST_PARTITION)
}

// refusal is why a message is no request.
type refusal struct {
	class error
	text  string
}

func refuse(class error, format string, args ...any) error {
	return &refusal{class, "read request: " + fmt.Sprintf(format, args...)}
}

func (r *refusal) Error() string { return r.text }
func (r *refusal) Unwrap() error { return r.class }

func priorityOf(p cuzkpb.Priority) host.Priority {
	switch p {
	case cuzkpb.Priority_LOW:
		return host.PriorityLow
	case cuzkpb.Priority_HIGH:
		return host.PriorityHigh
	case cuzkpb.Priority_CRITICAL:
		return host.PriorityCritical
	}
	return host.PriorityNormal
}

// kindName is a kind as the miner's wire has it.
func kindName(k host.Kind) string {
	switch k {
	case host.PoRep:
		return cuzkpb.ProofKind_POREP_SEAL_COMMIT.String()
	case host.WindowPoSt:
		return cuzkpb.ProofKind_WINDOW_POST_PARTITION.String()
	}
	return k.String()
}
