package groth16

import (
	"encoding/hex"

	"github.com/sealwright/sealwright/sdk"
	"golang.org/x/crypto/blake2b"
)

// ProvingKey is a proving key as sections of points. It is read-only and may be
// shared; the bytes of the sections belong to whoever opened the key.
type ProvingKey struct {
	VK *VerifyingKey

	H  sdk.Bases // G1: τ^i·Z(τ)/δ, one fewer than the domain has points
	L  sdk.Bases // G1: (βA_j + αB_j + C_j)/δ of every aux variable
	A  sdk.Bases // G1: A_j of every input, then of each aux variable in A
	B1 sdk.Bases // G1: B_j of each input in B, then of each aux variable in B
	B2 sdk.Bases // G2: the same
}

// Counts are the numbers of points of a key's sections.
type Counts struct {
	IC, H, L, A, B int // B is of both b_g1 and b_g2
}

// Counts returns the numbers of points of the key's sections.
func (k *ProvingKey) Counts() Counts {
	return Counts{IC: len(k.VK.IC), H: k.H.Len(), L: k.L.Len(), A: k.A.Len(), B: k.B2.Len()}
}

// Bytes returns the size of a proving key file with such sections.
func (c Counts) Bytes() int64 {
	g1 := int64(c.H) + int64(c.L) + int64(c.A) + int64(c.B)
	return int64(VerifyingKeyBytes(c.IC)) + 5*CountBytes + g1*G1Uncompressed + int64(c.B)*G2Uncompressed
}

// Digest identifies a key file as the published parameters.json does: the first
// 16 bytes of BLAKE2b-512.
type Digest [16]byte

// DigestOf returns the digest of a file's bytes.
func DigestOf(data []byte) Digest {
	sum := blake2b.Sum512(data)
	return Digest(sum[:16])
}

// String returns the digest in hex.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }
