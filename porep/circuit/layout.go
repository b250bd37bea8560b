package circuit

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/sdk"
)

// The digest's form of a term: kind, index, coefficient.
const (
	kindInput  = 0
	kindAux    = 1
	indexBytes = 4
	termBytes  = 1 + indexBytes + fr.Bytes
)

// layout is a template's rows in the digest's form with the indices left out,
// for one order of the ports. The terms of a row stand in the order of the
// variables that they mean, so the form depends on which wire comes first.
type layout struct {
	rows    []byte
	ends    []int32 // where each row ends in rows
	patches []patch
	pieces  []piece
}

// patch is an index to be filled in: the number of the variable that column
// means, inputs and aux each counted from 0.
type patch struct {
	at     uint32
	column sdk.Column
}

// piece is a run of whole rows of about pieceBytes.
type piece struct{ firstRow, endRow, firstPatch, endPatch int }

const pieceBytes = 128 << 10

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

// newLayout lays out a template for an order of its ports.
func newLayout(t *sdk.Template, coeffs [][fr.Bytes]byte, order []byte, kinds *[256]byte) *layout {
	var rank [256]int
	for i, port := range order {
		rank[port] = i
	}
	byVariable := func(a, b sdk.Term) int {
		return cmp.Or(
			cmp.Compare(rank[a.Column.Port()], rank[b.Column.Port()]),
			cmp.Compare(a.Column.Offset(), b.Column.Offset()))
	}
	l := &layout{ends: make([]int32, t.Rows)}
	var terms []sdk.Term
	for row := range t.Rows {
		for _, m := range []*sdk.Matrix{&t.A, &t.B, &t.C} {
			terms = append(terms[:0], m.Row(row)...)
			slices.SortFunc(terms, byVariable)
			l.rows = binary.LittleEndian.AppendUint32(l.rows, uint32(len(terms)))
			for _, term := range terms {
				l.patches = append(l.patches, patch{uint32(len(l.rows)) + 1, term.Column})
				l.rows = append(l.rows, kinds[term.Column.Port()], 0, 0, 0, 0)
				l.rows = append(l.rows, coeffs[term.Coeff][:]...)
			}
		}
		l.ends[row] = int32(len(l.rows))
	}
	l.cut()
	return l
}

// cut divides the rows into pieces.
func (l *layout) cut() {
	var p piece
	start := int32(0)
	for row, end := range l.ends {
		p.endRow = row + 1
		if end-start < pieceBytes && p.endRow < len(l.ends) {
			continue
		}
		n, _ := slices.BinarySearchFunc(l.patches, uint32(end), func(p patch, end uint32) int { return cmp.Compare(p.at, end) })
		p.endPatch = n
		l.pieces = append(l.pieces, p)
		p.firstRow, p.firstPatch, start = p.endRow, p.endPatch, end
	}
}

// bounds returns where a piece's bytes lie in rows.
func (l *layout) bounds(p *piece) (start, end int) {
	if p.firstRow > 0 {
		start = int(l.ends[p.firstRow-1])
	}
	return start, int(l.ends[p.endRow-1])
}

// appendPiece appends a piece with its indices filled in.
func (l *layout) appendPiece(out []byte, p *piece, at *ports) []byte {
	start, end := l.bounds(p)
	base := len(out) - start
	out = append(out, l.rows[start:end]...)
	for _, patch := range l.patches[p.firstPatch:p.endPatch] {
		index := at.base[patch.column.Port()] + patch.column.Offset()
		binary.LittleEndian.PutUint32(out[base+int(patch.at):], index)
	}
	return out
}

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
