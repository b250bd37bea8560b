package host

import (
	"context"

	"github.com/filecoin-project/go-state-types/abi"

	"github.com/sealwright/sealwright/porep"
)

// SectorRef names a sector and its proof type, as miners do.
type SectorRef struct {
	ID        abi.SectorID
	ProofType abi.RegisteredSealProof
}

// Commit1Out is a C1 output, JSON.
type Commit1Out []byte

// Proof is a seal proof: 192 bytes a partition.
type Proof []byte

// SealCommit2 proves a sector's seal commitment: the miner's own method. The C1
// output must be that sector's and of that proof type.
func (h *Host) SealCommit2(ctx context.Context, sector SectorRef, c1 Commit1Out) (Proof, error) {
	prover := ProverID(sector.ID.Miner)
	number, registered := uint64(sector.ID.Number), uint64(sector.ProofType)
	result, err := h.Prove(ctx, Request{
		Kind: PoRep, RegisteredProof: &registered, C1: c1, ProverID: &prover, Sector: &number,
	})
	if err != nil {
		return nil, err
	}
	return result.Proof, nil
}

// ProverID returns the prover id of a miner: its actor id in LEB128, filled up
// with zeros.
func ProverID(miner abi.ActorID) [32]byte { return porep.ProverID(uint64(miner)) }
