package host

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
)

// requestKey identifies what a request asks for: the digest of its whole input
// and of everything that says how it is checked. Who asks, how urgently, and
// under what id is no part of it.
type requestKey [sha256.Size]byte

func keyOfRequest(r *Request) (key requestKey) {
	d := digester{sha256.New()}
	d.number(uint64(r.Kind))
	d.optional(r.RegisteredProof)
	d.number(r.SectorSize)
	d.optional(r.Sector)
	if r.ProverID != nil {
		d.bytes(r.ProverID[:])
	} else {
		d.bytes(nil)
	}
	d.number(uint64(r.PartitionIndex))
	d.bytes(r.C1)
	d.bytes(r.Randomness)
	d.number(uint64(len(r.VanillaProofs)))
	for _, proof := range r.VanillaProofs {
		d.bytes(proof)
	}
	d.h.Sum(key[:0])
	return key
}

// digester writes values so that no two sequences give the same bytes.
type digester struct{ h hash.Hash }

func (d digester) number(n uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], n)
	d.h.Write(b[:])
}

func (d digester) optional(n *uint64) {
	if n == nil {
		d.number(0)
		return
	}
	d.number(1)
	d.number(*n)
}

func (d digester) bytes(b []byte) {
	d.number(uint64(len(b)))
	d.h.Write(b)
}
