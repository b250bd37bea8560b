package graph

import (
	"encoding/binary"

	"golang.org/x/crypto/blake2b"
)

// feistel is a permutation of [0, size): a three-round Feistel network over the
// least even number of bits that hold the size, walked until it lands inside.
type feistel struct {
	size uint64
	half uint // bits of a half
	keys [3]uint64
}

// newFeistel returns the permutation of [0, size) whose round keys are the first
// words of the seed, little-endian.
func newFeistel(size uint64, seed [32]byte) feistel {
	f := feistel{size: size, half: 1}
	for 1<<(2*f.half) < size {
		f.half++
	}
	for i := range f.keys {
		f.keys[i] = binary.LittleEndian.Uint64(seed[8*i:])
	}
	return f
}

// permute returns where an index below the size goes.
func (f *feistel) permute(index uint64) uint64 {
	for {
		if index = f.encode(index); index < f.size {
			return index
		}
	}
}

// encode runs the network once.
func (f *feistel) encode(index uint64) uint64 {
	mask := uint64(1)<<f.half - 1
	left, right := index>>f.half, index&mask
	for _, key := range f.keys {
		left, right = right, left^(round(right, key)&mask)
	}
	return left<<f.half | right
}

// round is the round function: the first word, big-endian, of BLAKE2b-512 over
// both arguments, big-endian.
func round(right, key uint64) uint64 {
	var in [16]byte
	binary.BigEndian.PutUint64(in[:8], right)
	binary.BigEndian.PutUint64(in[8:], key)
	out := blake2b.Sum512(in[:])
	return binary.BigEndian.Uint64(out[:8])
}
