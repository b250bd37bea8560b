package plugin

import (
	"context"
	"fmt"

	"github.com/sealwright/sealwright/porep"
	"github.com/sealwright/sealwright/sdk"
	"github.com/sealwright/sealwright/sdk/enginepb"
)

// parse reads and checks a job's parts as its header names them. The job
// borrows the parts.
func parse(ctx context.Context, h *enginepb.Header, parts [][]byte) (*porep.Job, error) {
	kind, ok := kinds[h.GetKind()]
	if !ok {
		return nil, fmt.Errorf("prove: %w: kind %s", sdk.ErrUnsupported, h.GetKind())
	}
	registered := h.GetRegisteredProof()
	claims := porep.Claims{RegisteredProof: &registered, Sector: h.Sector, PartitionIndex: h.GetPartitionIndex()}
	if h.ProverId != nil {
		if n := len(h.GetProverId()); n != len(claims.ProverID) {
			return nil, fmt.Errorf("prove: %w: prover_id has %d bytes, expected %d", sdk.ErrInvalidInput, n, len(claims.ProverID))
		}
		claims.ProverID = (*[32]byte)(h.GetProverId())
	}
	job, err := porep.Parse(ctx, kind, parts, claims)
	if err != nil {
		return nil, err
	}
	if id := job.CircuitID(); id != h.GetCircuitId() {
		return nil, fmt.Errorf("prove: %w: the input is for circuit %s, the header says %s", sdk.ErrInvalidInput, id, h.GetCircuitId())
	}
	return job, nil
}

var kinds = map[enginepb.Kind]porep.Kind{
	enginepb.Kind_KIND_POREP: porep.KindPoRep, enginepb.Kind_KIND_WINDOW_POST: porep.KindWindowPoSt,
}
