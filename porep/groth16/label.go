package groth16

import (
	"crypto/sha256"
	"fmt"
	"strconv"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

// FrFromLabel derives a field element from an ASCII label: its SHA-256, read as
// a big-endian integer, modulo r. Anyone can, so it is for keys and blinding of
// tests only.
func FrFromLabel(label string) fr.Element {
	sum := sha256.Sum256([]byte(label))
	var e fr.Element
	e.SetBytes(sum[:])
	return e
}

// Blinding is the randomness of one proof. The same blinding must never serve
// two proofs.
type Blinding struct{ R, S fr.Element }

// RandomBlinding draws r and s from the system's generator.
func RandomBlinding() (Blinding, error) {
	var b Blinding
	for _, e := range []*fr.Element{&b.R, &b.S} {
		if _, err := e.SetRandom(); err != nil {
			return Blinding{}, fmt.Errorf("draw blinding: %w", err)
		}
	}
	return b, nil
}

// BlindingFromLabel returns the fixed blinding of the reference vectors for
// partition k of the proof called name. INSECURE: for tests only.
func BlindingFromLabel(name string, k int) Blinding {
	prefix := "fpref/" + name + "/partition/" + strconv.Itoa(k)
	return Blinding{R: FrFromLabel(prefix + "/r"), S: FrFromLabel(prefix + "/s")}
}
