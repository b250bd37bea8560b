package groth16test

import (
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/sdk"
)

// rows gathers a template's rows.
type rows struct{ a, b, c sdk.Matrix }

func (r *rows) add(a, b, c []sdk.Term) {
	for _, m := range []struct {
		matrix *sdk.Matrix
		terms  []sdk.Term
	}{{&r.a, a}, {&r.b, b}, {&r.c, c}} {
		if m.matrix.Start == nil {
			m.matrix.Start = []uint32{0}
		}
		m.matrix.Terms = append(m.matrix.Terms, m.terms...)
		m.matrix.Start = append(m.matrix.Start, uint32(len(m.matrix.Terms)))
	}
}

func (r *rows) template(name string, inputs uint32, ports []sdk.Kind, locals ...sdk.Run) sdk.Template {
	t := sdk.Template{
		Name: name, Rows: uint32(len(r.a.Start) - 1), Inputs: inputs, Locals: locals, Ports: ports, A: r.a, B: r.b, C: r.c,
	}
	for _, run := range locals {
		t.Aux += run.Count
		if run.Kind == sdk.Bit {
			t.Bits += run.Count
		}
	}
	return t
}

func one() fr.Element { return fr.One() }

func negOne() fr.Element {
	e := fr.One()
	e.Neg(&e)
	return e
}

func toFr(e fr.Element) sdk.Fr { return sdk.Fr(e) }

// Values returns the whole assignment z, one element a variable.
func (c *Case) Values() []fr.Element {
	circuit := c.Circuit
	z := make([]fr.Element, circuit.NumInputs+circuit.NumAux)
	for i := range circuit.NumInputs {
		z[i] = fr.Element(c.Witness.Fields[i])
	}
	for _, in := range circuit.Instances {
		at, bit, field := circuit.NumInputs+in.Aux, in.Bit, in.Field
		for _, run := range circuit.Templates[in.Template].Locals {
			for range run.Count {
				if run.Kind == sdk.Field {
					z[at] = fr.Element(c.Witness.Fields[field])
					field++
				} else {
					if c.Witness.Bit(bit) {
						z[at].SetOne()
					}
					bit++
				}
				at++
			}
		}
	}
	return z
}

// Products returns A·z, B·z and C·z row by row, computed from the whole
// assignment, without the input-consistency rows.
func (c *Case) Products() (a, b, z []fr.Element) {
	values := c.Values()
	product := func(pick func(*sdk.Template) *sdk.Matrix) []fr.Element {
		out := make([]fr.Element, 0, c.Circuit.NumRows)
		for _, in := range c.Circuit.Instances {
			t := &c.Circuit.Templates[in.Template]
			for i := range t.Rows {
				var sum fr.Element
				for _, term := range pick(t).Row(i) {
					coeff := fr.Element(c.Circuit.Coeffs[term.Coeff])
					coeff.Mul(&coeff, &values[c.variable(&in, term.Column)])
					sum.Add(&sum, &coeff)
				}
				out = append(out, sum)
			}
		}
		return out
	}
	return product(func(t *sdk.Template) *sdk.Matrix { return &t.A }),
		product(func(t *sdk.Template) *sdk.Matrix { return &t.B }),
		product(func(t *sdk.Template) *sdk.Matrix { return &t.C })
}

// variable returns which variable of z a column means in an instance.
func (c *Case) variable(in *sdk.Instance, column sdk.Column) uint32 {
	switch port := column.Port(); port {
	case sdk.PortOne:
		return 0
	case sdk.PortAux:
		return c.Circuit.NumInputs + in.Aux + column.Offset()
	case sdk.PortInput:
		return in.Input + column.Offset()
	default:
		return c.Circuit.Wires[in.Wires+port-sdk.PortWire].Var + column.Offset()
	}
}
