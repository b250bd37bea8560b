package circuit

import (
	"cmp"
	"slices"

	"github.com/sealwright/sealwright/sdk"
)

// ports are where the ports of an instance start: bases by port, and whether
// each counts inputs or aux variables.
type ports struct {
	base [256]uint32
	kind [256]byte
}

// of fills in the bases of an instance's ports.
func (p *ports) of(c *sdk.Circuit, in *sdk.Instance, wires []sdk.Wire) {
	p.base[sdk.PortOne], p.kind[sdk.PortOne] = 0, kindInput
	p.base[sdk.PortInput], p.kind[sdk.PortInput] = in.Input, kindInput
	p.base[sdk.PortAux], p.kind[sdk.PortAux] = in.Aux, kindAux
	for i, w := range wires {
		base, kind := w.Var, byte(kindInput)
		if base >= c.NumInputs {
			base, kind = base-c.NumInputs, kindAux
		}
		p.base[sdk.PortWire+i], p.kind[sdk.PortWire+i] = base, kind
	}
}

// order returns the template's ports in the order of their variables.
func (p *ports) order(count int) []byte {
	order := make([]byte, sdk.PortWire+count)
	for i := range order {
		order[i] = byte(i)
	}
	slices.SortStableFunc(order, func(a, b byte) int {
		return cmp.Or(cmp.Compare(p.kind[a], p.kind[b]), cmp.Compare(p.base[a], p.base[b]))
	})
	return order
}
