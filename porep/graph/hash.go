package graph

import (
	"crypto/sha256"
	"encoding/binary"
)

// NodeHash returns SHA-256 of data with the two top bits of the last byte
// cleared, so that, read as a little-endian integer, it is below 2^254 and a
// canonical element of Fr. Labels, nodes of tree D and replica ids are such
// hashes.
func NodeHash(data []byte) [32]byte {
	h := sha256.Sum256(data)
	h[31] &= 0x3f
	return h
}

// PairHash returns the node of tree D above two nodes.
func PairHash(left, right *[32]byte) [32]byte {
	var both [64]byte
	copy(both[:32], left[:])
	copy(both[32:], right[:])
	return NodeHash(both[:])
}

// ReplicaID returns the id that binds a replica to its prover, sector number,
// ticket, data and proof type. The sector number enters big-endian, unlike every
// other integer here.
func ReplicaID(proverID [32]byte, sector uint64, ticket, commD, porepID [32]byte) [32]byte {
	data := make([]byte, 0, 4*32+8)
	data = append(data, proverID[:]...)
	data = binary.BigEndian.AppendUint64(data, sector)
	data = append(data, ticket[:]...)
	data = append(data, commD[:]...)
	data = append(data, porepID[:]...)
	return NodeHash(data)
}
