package circuit

import (
	"encoding/binary"
	"fmt"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/sdk"
)

// layouts holds the layouts in use, by template and order of ports.
type layouts struct {
	circuit *sdk.Circuit
	coeffs  [][fr.Bytes]byte // canonical, little-endian
	known   map[string]*layout
	reaches []map[uint32]uint32 // by template: port to the highest offset used
}

func newLayouts(c *sdk.Circuit) *layouts {
	l := &layouts{circuit: c, known: make(map[string]*layout), coeffs: make([][fr.Bytes]byte, len(c.Coeffs))}
	for i, e := range c.Coeffs {
		fr.LittleEndian.PutElement(&l.coeffs[i], fr.Element(e))
	}
	for i := range c.Templates {
		l.reaches = append(l.reaches, reach(&c.Templates[i]))
	}
	return l
}

// get returns the layout of an instance whose ports are given.
func (l *layouts) get(in *sdk.Instance, at *ports) (*layout, error) {
	t := &l.circuit.Templates[in.Template]
	order := at.order(len(t.Ports))
	for i := 1; i < len(order); i++ {
		a, b := order[i-1], order[i]
		end := at.base[a] + l.reaches[in.Template][uint32(a)]
		if at.kind[a] == at.kind[b] && end > at.base[b] {
			return nil, fmt.Errorf("lay out %q: wires %d and %d of the instance at row %d overlap", t.Name, a, b, in.Row)
		}
	}
	key := string(binary.LittleEndian.AppendUint32(append(order[:len(order):len(order)], at.kind[:len(order)]...), in.Template))
	if known, ok := l.known[key]; ok {
		return known, nil
	}
	made := newLayout(t, l.coeffs, order, &at.kind)
	l.known[key] = made
	return made, nil
}

// reach returns how many variables from its start on each port's columns span.
func reach(t *sdk.Template) map[uint32]uint32 {
	reach := make(map[uint32]uint32)
	for _, m := range []*sdk.Matrix{&t.A, &t.B, &t.C} {
		for _, term := range m.Terms {
			port := term.Column.Port()
			reach[port] = max(reach[port], term.Column.Offset()+1)
		}
	}
	return reach
}
