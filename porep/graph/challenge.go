package graph

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
)

// Challenges returns the nodes that interactive PoRep challenges in a partition,
// perPartition of them, in order; never node 0, repeats kept. A sector has at
// least 2 nodes.
func Challenges(replicaID, seed [32]byte, nodes uint64, perPartition, partition int) []uint64 {
	var in [68]byte
	copy(in[:32], replicaID[:])
	copy(in[32:64], seed[:])
	challenges := make([]uint64, perPartition)
	for i := range challenges {
		binary.LittleEndian.PutUint32(in[64:], uint32(perPartition*partition+i))
		challenges[i] = modulo(sha256.Sum256(in[:]), nodes-1) + 1
	}
	return challenges
}

// modulo returns a little-endian 256-bit integer mod n.
func modulo(le [32]byte, n uint64) uint64 {
	var r uint64
	for i := 24; i >= 0; i -= 8 {
		r = bits.Rem64(r, binary.LittleEndian.Uint64(le[i:]), n)
	}
	return r
}
