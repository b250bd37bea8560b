package graph

import (
	"crypto/sha256"
	"encoding/binary"
)

// WindowPoStChallenges returns the leaves of tree R that WindowPoSt challenges
// in a sector, count of them, in order, repeats kept. v1_1 is
// registry.WindowPoSt.V1_1; before it, challenges were numbered through all
// sectors of a deadline, and index is then the sector's place among them
// (ignored otherwise).
//
// Randomness is used as it is given: callers clear its two top bits where their
// source has not.
func WindowPoStChallenges(randomness [32]byte, sector, nodes uint64, v1_1 bool, index, count int) []uint64 {
	var first uint64
	if !v1_1 {
		first = uint64(index) * uint64(count)
	}
	var in [48]byte
	copy(in[:32], randomness[:])
	binary.LittleEndian.PutUint64(in[32:], sector)
	challenges := make([]uint64, count)
	for i := range challenges {
		binary.LittleEndian.PutUint64(in[40:], first+uint64(i))
		hash := sha256.Sum256(in[:])
		challenges[i] = binary.LittleEndian.Uint64(hash[:8]) % nodes
	}
	return challenges
}
