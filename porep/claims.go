package porep

import (
	"fmt"

	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/porep/vanilla"
)

// Kind is what is proved.
type Kind uint8

// The kinds of proof.
const (
	KindPoRep      Kind = iota + 1 // a seal commitment
	KindWindowPoSt                 // one partition of a WindowPoSt
)

// String returns the kind's name.
func (k Kind) String() string {
	switch k {
	case KindPoRep:
		return "PoRep"
	case KindWindowPoSt:
		return "WindowPoSt"
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Identity names a sector: its prover and its number.
type Identity = vanilla.Identity

// ProverID returns the prover id of a miner: its actor id in LEB128, filled up
// with zeros.
func ProverID(miner uint64) [32]byte { return vanilla.MinerProverID(miner) }

// Claims are what a request says of its input beside it. What is not said is not
// checked.
type Claims struct {
	// RegisteredProof is go-state-types' number, of the kind's own enum. A C1 output
	// says its own, a PoSt's vanilla proofs do not.
	RegisteredProof *uint64
	SectorSize      uint64 // bytes; 0: not said
	// ProverID and Sector name a PoRep's sector. An envelope brings the sector too.
	ProverID *[32]byte
	Sector   *uint64
	// PartitionIndex is which of a deadline's partitions a PoSt is for.
	PartitionIndex uint32
}

// claimsOf returns the claims that a known sector makes.
func claimsOf(id *Identity) Claims {
	if id == nil {
		return Claims{}
	}
	prover, sector := id.ProverID, id.Sector
	return Claims{ProverID: &prover, Sector: &sector}
}

// checkProof holds a registered proof against the claims.
func (c *Claims) checkProof(name string, number uint64, shape *registry.Shape) error {
	if n := c.RegisteredProof; n != nil && *n != number {
		return fmt.Errorf("check registered proof: found %s (number %d), expected number %d", name, number, *n)
	}
	if size := c.SectorSize; size != 0 && size != shape.SectorSize {
		return fmt.Errorf("check sector size: found %d, as the input is %s, expected %d", shape.SectorSize, name, size)
	}
	return nil
}

// Identity returns the sector that claims and envelope name together, nil where
// they leave a part open.
func (c *Claims) Identity(e *vanilla.Envelope) (*Identity, error) {
	sector := c.Sector
	if e != nil {
		if sector != nil && *sector != e.Sector {
			return nil, fmt.Errorf("check sector: found %d in the envelope, expected %d", e.Sector, *sector)
		}
		sector = &e.Sector
	}
	if sector == nil || c.ProverID == nil {
		return nil, nil //nolint:nilnil // no identity is a value of its own
	}
	return &Identity{ProverID: *c.ProverID, Sector: *sector}, nil
}
