package circuit

import (
	"math/bits"
	"slices"

	"github.com/sealwright/sealwright/sdk"
)

// bitset marks variables.
type bitset []uint64

func newBitset(n uint32) bitset { return make(bitset, (uint64(n)+63)/64) }

func (s bitset) set(i uint32) { s[i/64] |= 1 << (i % 64) }

func (s bitset) count() int64 {
	n := 0
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return int64(n)
}

// densities counts the distinct variables of A and B. Two bits a variable are
// its whole memory: 33 MB for a 32 GiB circuit.
func densities(c *sdk.Circuit) Density {
	aAux, bAux, bInput := newBitset(c.NumAux), newBitset(c.NumAux), newBitset(c.NumInputs)
	inA, inB := make([][]sdk.Column, len(c.Templates)), make([][]sdk.Column, len(c.Templates))
	for i := range c.Templates {
		inA[i], inB[i] = distinct(&c.Templates[i].A), distinct(&c.Templates[i].B)
	}
	var at ports
	for i := range c.Instances {
		in := &c.Instances[i]
		at.of(c, in, wiresOf(c, in))
		for _, column := range inA[in.Template] {
			if port := column.Port(); at.kind[port] == kindAux {
				aAux.set(at.base[port] + column.Offset())
			}
		}
		for _, column := range inB[in.Template] {
			port := column.Port()
			index := at.base[port] + column.Offset()
			if at.kind[port] == kindAux {
				bAux.set(index)
			} else {
				bInput.set(index)
			}
		}
	}
	return Density{AAux: aAux.count(), BInput: bInput.count(), BAux: bAux.count()}
}

// distinct returns the columns of a matrix, each once, ascending.
func distinct(m *sdk.Matrix) []sdk.Column {
	columns := make([]sdk.Column, len(m.Terms))
	for i, t := range m.Terms {
		columns[i] = t.Column
	}
	slices.Sort(columns)
	return slices.Compact(columns)
}

// wiresOf returns an instance's wires, sharing the circuit's memory.
func wiresOf(c *sdk.Circuit, in *sdk.Instance) []sdk.Wire {
	n := uint32(len(c.Templates[in.Template].Ports))
	return c.Wires[in.Wires : in.Wires+n : in.Wires+n]
}
