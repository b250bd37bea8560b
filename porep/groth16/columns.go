package groth16

import "github.com/sealwright/sealwright/sdk"

// starts holds where each port of an instance begins, indexed by port, so that a
// column means starts[port]+offset.
type starts [sdk.PortWire + sdk.MaxWires]uint32

// variables fills in the starts as indices into z.
func (s *starts) variables(c *sdk.Circuit, t *sdk.Template, in *sdk.Instance) {
	s[sdk.PortOne] = 0
	s[sdk.PortAux] = c.NumInputs + in.Aux
	s[sdk.PortInput] = in.Input
	for k := range t.Ports {
		s[sdk.PortWire+k] = c.Wires[in.Wires+uint32(k)].Var
	}
}

// slots fills in the starts as indices into a Witness's Bits or Fields, by the
// port's kind; PortAux is left out, since an instance's own variables are of both
// kinds (see Layout.locals).
func (s *starts) slots(c *sdk.Circuit, t *sdk.Template, in *sdk.Instance) {
	s[sdk.PortOne] = 0
	s[sdk.PortInput] = in.Input
	for k := range t.Ports {
		s[sdk.PortWire+k] = c.Wires[in.Wires+uint32(k)].Slot
	}
}

func (s *starts) at(c sdk.Column) uint32 { return s[c.Port()] + c.Offset() }

// coeffClass sorts coefficients by how a term with one is computed.
type coeffClass uint8

const (
	coeffOther coeffClass = iota
	coeffOne
	coeffMinusOne
	coeffZero
)

func classify(coeffs []sdk.Fr) []coeffClass {
	classes := make([]coeffClass, len(coeffs))
	for i, e := range elements(coeffs) {
		neg := e
		neg.Neg(&neg)
		switch {
		case e.IsZero():
			classes[i] = coeffZero
		case e.IsOne():
			classes[i] = coeffOne
		case neg.IsOne():
			classes[i] = coeffMinusOne
		}
	}
	return classes
}
