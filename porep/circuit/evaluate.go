package circuit

import (
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/sdk"
)

// evaluator computes rows of a circuit on a witness, instance by instance.
// Several may work on the same circuit and witness at once.
type evaluator struct {
	circuit *sdk.Circuit
	witness *sdk.Witness
	locals  [][]local // by template: its aux variables

	instance *sdk.Instance
	template *sdk.Template
	wires    []sdk.Wire
}

// local is an aux variable of a template: its kind, and its place among those of
// that kind.
type local struct {
	kind sdk.Kind
	slot uint32
}

func newEvaluator(c *sdk.Circuit, w *sdk.Witness) *evaluator {
	e := &evaluator{circuit: c, witness: w, locals: make([][]local, len(c.Templates))}
	for i := range c.Templates {
		e.locals[i] = localsOf(&c.Templates[i])
	}
	return e
}

func localsOf(t *sdk.Template) []local {
	locals := make([]local, 0, t.Aux)
	var next [2]uint32
	for _, r := range t.Locals {
		n := &next[r.Kind-sdk.Bit]
		for range r.Count {
			locals = append(locals, local{r.Kind, *n})
			*n++
		}
	}
	return locals
}

// at moves the evaluator to an instance.
func (e *evaluator) at(i int) {
	e.instance = &e.circuit.Instances[i]
	e.template = &e.circuit.Templates[e.instance.Template]
	e.wires = wiresOf(e.circuit, e.instance)
}

// row returns the instance's row i of one of A, B, C times the assignment.
func (e *evaluator) row(m *sdk.Matrix, i uint32) fr.Element {
	var sum, product fr.Element
	for _, t := range m.Row(i) {
		coeff := (*fr.Element)(&e.circuit.Coeffs[t.Coeff])
		kind, slot := e.slot(t.Column)
		if kind == sdk.Bit {
			if e.witness.Bit(slot) {
				sum.Add(&sum, coeff)
			}
			continue
		}
		product.Mul(coeff, (*fr.Element)(&e.witness.Fields[slot]))
		sum.Add(&sum, &product)
	}
	return sum
}

// slot returns where the witness holds the variable that a column means.
func (e *evaluator) slot(column sdk.Column) (sdk.Kind, uint32) {
	port, offset := column.Port(), column.Offset()
	switch port {
	case sdk.PortOne:
		return sdk.Field, 0
	case sdk.PortInput:
		return sdk.Field, e.instance.Input + offset
	case sdk.PortAux:
		l := e.locals[e.instance.Template][offset]
		if l.kind == sdk.Bit {
			return l.kind, e.instance.Bit + l.slot
		}
		return l.kind, e.instance.Field + l.slot
	}
	wire := port - sdk.PortWire
	return e.template.Ports[wire], e.wires[wire].Slot + offset
}
