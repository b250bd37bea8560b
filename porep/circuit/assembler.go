package circuit

import (
	"fmt"
	"math"
	"slices"

	"github.com/sealwright/sealwright/sdk"
)

// assembler stitches a circuit together, instance after instance.
type assembler struct {
	circuit   *sdk.Circuit
	coeffs    *coeffTable
	gadgets   map[string]*gadget
	expanders []expander // by template
	sections  []section
	next      sdk.Instance // where the next instance starts
	row       uint64
	err       error
}

// gadget is a recorded template.
type gadget struct {
	index    uint32
	template *sdk.Template
	outputs  []output
}

// section is a run of instances that take their secrets from a tape of their
// own and, after the first section, need nothing of each other.
type section struct{ first, end int }

// newAssembler starts a circuit that will have the given number of public
// inputs, the constant one included.
func newAssembler(id string, inputs uint32) *assembler {
	return &assembler{
		circuit: &sdk.Circuit{ID: id, NumInputs: inputs},
		coeffs:  newCoeffTable(),
		gadgets: make(map[string]*gadget),
		next:    sdk.Instance{Input: 1, Field: inputs},
	}
}

// gadget returns the gadget of a name, recording it the first time.
func (s *assembler) gadget(name string, record func(*recorder) expander) *gadget {
	if g, ok := s.gadgets[name]; ok {
		return g
	}
	r := newRecorder(name, s.coeffs)
	e := record(r)
	t, err := r.finish()
	if s.err == nil {
		s.err = err
	}
	g := &gadget{index: uint32(len(s.circuit.Templates)), template: &t, outputs: r.outputs}
	s.gadgets[name] = g
	s.circuit.Templates = append(s.circuit.Templates, t)
	s.expanders = append(s.expanders, e)
	return g
}

// placed is an instance whose outputs may be taken as wires.
type placed struct {
	gadget   *gadget
	instance sdk.Instance
	inputs   uint32
}

// place adds an instance of a gadget that takes in the given wires.
func (s *assembler) place(g *gadget, wires ...sdk.Wire) placed {
	t := g.template
	if len(wires) != len(t.Ports) && s.err == nil {
		s.err = fmt.Errorf("place %q: %d wires, expected %d", t.Name, len(wires), len(t.Ports))
	}
	at := s.next
	at.Template, at.Wires = g.index, uint32(len(s.circuit.Wires))
	s.circuit.Wires = append(s.circuit.Wires, wires...)
	s.circuit.Instances = append(s.circuit.Instances, at)

	s.row += uint64(t.Rows)
	s.next.Row += t.Rows
	s.next.Input += t.Inputs
	s.next.Aux += t.Aux
	s.next.Bit += t.Bits
	s.next.Field += t.Aux - t.Bits
	return placed{g, at, s.circuit.NumInputs}
}

// out returns the wire that starts at output number i.
func (p placed) out(i int) sdk.Wire {
	o := p.gadget.outputs[i]
	w := sdk.Wire{Var: p.inputs + p.instance.Aux + o.aux}
	if o.kind == sdk.Bit {
		w.Slot = p.instance.Bit + o.slot
	} else {
		w.Slot = p.instance.Field + o.slot
	}
	return w
}

// run returns the n wires that start at w and the variables after it.
func run(w sdk.Wire, n int) []sdk.Wire {
	wires := make([]sdk.Wire, n)
	for i := range wires {
		wires[i] = sdk.Wire{Var: w.Var + uint32(i), Slot: w.Slot + uint32(i)}
	}
	return wires
}

// endSection ends the running section.
func (s *assembler) endSection() {
	first := 0
	if n := len(s.sections); n > 0 {
		first = s.sections[n-1].end
	}
	s.sections = append(s.sections, section{first, len(s.circuit.Instances)})
}

// finish returns the program with its totals filled in.
func (s *assembler) finish() (*Program, error) {
	c := s.circuit
	c.Coeffs = slices.Clone(s.coeffs.values) // all tables cut to size
	c.Instances, c.Wires = slices.Clone(c.Instances), slices.Clone(c.Wires)
	c.Templates = slices.Clone(c.Templates)
	c.NumRows, c.NumAux, c.NumBits, c.NumFields = s.next.Row, s.next.Aux, s.next.Bit, s.next.Field
	switch {
	case s.err != nil:
		return nil, fmt.Errorf("assemble %s: %w", c.ID, s.err)
	case s.row+uint64(c.NumInputs) > math.MaxUint32:
		return nil, fmt.Errorf("assemble %s: %d rows, more than 32 bits count", c.ID, s.row)
	case s.next.Input != c.NumInputs:
		return nil, fmt.Errorf("assemble %s: %d public inputs, expected %d", c.ID, s.next.Input, c.NumInputs)
	}
	return &Program{Circuit: c, expanders: s.expanders, sections: s.sections}, nil
}
