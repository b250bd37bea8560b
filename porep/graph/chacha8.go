package graph

import (
	"encoding/binary"
	"math/bits"
)

// chacha8 is the key stream of ChaCha with 8 rounds (Bernstein, "ChaCha, a
// variant of Salsa20"), nonce zero, a 64-bit block counter from zero, read as
// little-endian words of 64 bits.
type chacha8 struct {
	key     [8]uint32
	counter uint64
	block   [16]uint32
	used    int // words of block that were read
}

func newChaCha8(key [32]byte) chacha8 {
	c := chacha8{used: 16}
	for i := range c.key {
		c.key[i] = binary.LittleEndian.Uint32(key[4*i:])
	}
	return c
}

// next returns the next 64 bits, low word first.
func (c *chacha8) next() uint64 {
	if c.used == len(c.block) {
		c.fill()
	}
	low, high := c.block[c.used], c.block[c.used+1]
	c.used += 2
	return uint64(high)<<32 | uint64(low)
}

// fill computes the next block.
func (c *chacha8) fill() {
	start := [16]uint32{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}
	copy(start[4:12], c.key[:])
	start[12], start[13] = uint32(c.counter), uint32(c.counter>>32)
	x := start
	for range 4 {
		quarter(&x, 0, 4, 8, 12)
		quarter(&x, 1, 5, 9, 13)
		quarter(&x, 2, 6, 10, 14)
		quarter(&x, 3, 7, 11, 15)
		quarter(&x, 0, 5, 10, 15)
		quarter(&x, 1, 6, 11, 12)
		quarter(&x, 2, 7, 8, 13)
		quarter(&x, 3, 4, 9, 14)
	}
	for i := range x {
		c.block[i] = x[i] + start[i]
	}
	c.counter++
	c.used = 0
}

// quarter is ChaCha's quarter round on four words of the state.
func quarter(x *[16]uint32, a, b, c, d int) {
	x[a] += x[b]
	x[d] = bits.RotateLeft32(x[d]^x[a], 16)
	x[c] += x[d]
	x[b] = bits.RotateLeft32(x[b]^x[c], 12)
	x[a] += x[b]
	x[d] = bits.RotateLeft32(x[d]^x[a], 8)
	x[c] += x[d]
	x[b] = bits.RotateLeft32(x[b]^x[c], 7)
}
