package host

import (
	"context"
	"fmt"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/porep"
	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/sdk"
	"github.com/sealwright/sealwright/sdk/enginepb"
)

// statement is a checked request: what goes to an engine, and what its proofs
// are held against.
type statement struct {
	kind       enginepb.Kind
	registered uint64
	shape      registry.Shape
	parts      [][]byte
	replicaID  ReplicaID
	inputs     [][]fr.Element // public inputs by partition, without the constant one
}

// checkRequest reads and checks a request's input in full.
func checkRequest(ctx context.Context, r *Request) (*statement, error) {
	kind, wire, parts, err := r.parts()
	if err != nil {
		return nil, err
	}
	job, err := porep.Parse(ctx, kind, parts, porep.Claims{
		RegisteredProof: r.RegisteredProof, SectorSize: r.SectorSize, ProverID: r.ProverID, Sector: r.Sector,
		PartitionIndex: r.PartitionIndex,
	})
	if err != nil {
		return nil, err
	}
	s := &statement{kind: wire, registered: job.RegisteredProof(), shape: job.Shape(), parts: job.Parts()}
	switch {
	case r.Kind != PoRep:
		s.replicaID = ReplicaIDNone
	case job.IdentityChecked():
		s.replicaID = ReplicaIDChecked
	default:
		s.replicaID = ReplicaIDUnchecked
	}
	s.inputs, err = job.AllPublicInputs()
	return s, err
}

// parts returns the request's input in the order in which it goes to engines.
func (r *Request) parts() (porep.Kind, enginepb.Kind, [][]byte, error) {
	switch r.Kind {
	case PoRep:
		return porep.KindPoRep, enginepb.Kind_KIND_POREP, [][]byte{r.C1}, nil
	case WindowPoSt:
		return porep.KindWindowPoSt, enginepb.Kind_KIND_WINDOW_POST, append([][]byte{r.Randomness}, r.VanillaProofs...), nil
	}
	return 0, 0, nil, fmt.Errorf("check request: %w: found %s, expected %s or %s", sdk.ErrInvalidInput, r.Kind, PoRep, WindowPoSt)
}
