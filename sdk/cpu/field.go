package cpu

import (
	"math/bits"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

// maxLog is the two-adicity of Fr: the longest domain has 2^maxLog points.
const maxLog = 32

// cosetFactor returns 7, Fr's smallest generator, which is the factor of the
// coset and which the roots of unity come from.
func cosetFactor() fr.Element { return fr.NewElement(7) }

// rootOfUnity returns 7^((r-1)/n), of order n, for a power of two n <= 2^maxLog.
func rootOfUnity(n int) fr.Element {
	root, err := fr.Generator(uint64(n))
	if err != nil {
		// The lengths that get here have been checked.
		return fr.Element{}
	}
	return root
}

// power returns x^k.
func power(x fr.Element, k uint64) fr.Element {
	y := fr.One()
	for bit := bits.Len64(k) - 1; bit >= 0; bit-- {
		y.Square(&y)
		if k>>bit&1 == 1 {
			y.Mul(&y, &x)
		}
	}
	return y
}

// log2 returns the logarithm of a power of two.
func log2(n int) int { return bits.TrailingZeros64(uint64(n)) }

// reverse returns k, which has the given number of bits, with them reversed.
func reverse(k, width int) int {
	return int(bits.Reverse64(uint64(k)) >> (64 - width))
}
