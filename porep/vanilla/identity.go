package vanilla

import "encoding/binary"

// Identity names a sector: what its replica id binds beside the C1 output's own
// values.
type Identity struct {
	ProverID [32]byte
	Sector   uint64
}

// MinerIdentity returns the identity of a miner's sector.
func MinerIdentity(miner, sector uint64) Identity {
	return Identity{ProverID: MinerProverID(miner), Sector: sector}
}

// MinerProverID returns the prover id of a miner: its actor id in LEB128, filled
// up with zeros.
func MinerProverID(miner uint64) (id [32]byte) {
	binary.PutUvarint(id[:], miner)
	return id
}
