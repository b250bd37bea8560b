package circuit

import (
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/sdk"
)

// coeffTable gathers the distinct coefficients of a circuit.
type coeffTable struct {
	values []sdk.Fr
	index  map[fr.Element]uint32
}

func newCoeffTable() *coeffTable { return &coeffTable{index: make(map[fr.Element]uint32)} }

// intern returns the index of a coefficient, adding it where it is new.
func (t *coeffTable) intern(e fr.Element) uint32 {
	if i, ok := t.index[e]; ok {
		return i
	}
	i := uint32(len(t.values))
	t.index[e] = i
	t.values = append(t.values, sdk.Fr(e))
	return i
}
