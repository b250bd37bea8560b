package circuit

import (
	"fmt"

	"github.com/sealwright/sealwright/sdk"
)

// recorder writes down one template while a gadget's code runs against it.
type recorder struct {
	template sdk.Template
	coeffs   *coeffTable
	outputs  []output
	fields   uint32 // aux variables of kind Field so far
	err      error  // the first limit that was passed
}

// output is a variable of a template that other instances may take as a wire.
type output struct {
	aux  uint32 // offset among the instance's aux variables
	slot uint32 // offset among the instance's variables of its kind
	kind sdk.Kind
}

// port is where a template takes in a wire.
type port uint32

// at returns the column of the wire's variable number offset.
func (p port) at(offset uint32) sdk.Column { return sdk.NewColumn(uint32(p), offset) }

func newRecorder(name string, coeffs *coeffTable) *recorder {
	r := &recorder{coeffs: coeffs}
	r.template.Name = name
	for _, m := range r.matrices() {
		m.Start = []uint32{0}
	}
	return r
}

func (r *recorder) matrices() [3]*sdk.Matrix {
	return [3]*sdk.Matrix{&r.template.A, &r.template.B, &r.template.C}
}

// port takes in one more wire.
func (r *recorder) port(kind sdk.Kind) port {
	if len(r.template.Ports) == sdk.MaxWires {
		r.fail("wires", sdk.MaxWires)
		return sdk.PortWire
	}
	r.template.Ports = append(r.template.Ports, kind)
	return port(sdk.PortWire + len(r.template.Ports) - 1)
}

// fieldPorts takes in n wires of kind Field and returns their first columns.
func (r *recorder) fieldPorts(n int) []sdk.Column {
	columns := make([]sdk.Column, n)
	for i := range columns {
		columns[i] = r.port(sdk.Field).at(0)
	}
	return columns
}

// input allocates a public input.
func (r *recorder) input() sdk.Column {
	r.template.Inputs++
	return sdk.NewColumn(sdk.PortInput, r.template.Inputs-1)
}

// field allocates an aux variable of kind Field.
func (r *recorder) field() sdk.Column { return r.alloc(sdk.Field) }

// bit allocates an aux variable of kind Bit. The caller's rows must hold it to 0
// and 1.
func (r *recorder) bit() sdk.Column { return r.alloc(sdk.Bit) }

func (r *recorder) alloc(kind sdk.Kind) sdk.Column {
	t := &r.template
	if t.Aux == sdk.MaxColumnOffset {
		r.fail("variables", sdk.MaxColumnOffset)
		return one
	}
	if n := len(t.Locals); n > 0 && t.Locals[n-1].Kind == kind {
		t.Locals[n-1].Count++
	} else {
		t.Locals = append(t.Locals, sdk.Run{Kind: kind, Count: 1})
	}
	if kind == sdk.Bit {
		t.Bits++
	} else {
		r.fields++
	}
	t.Aux++
	return sdk.NewColumn(sdk.PortAux, t.Aux-1)
}

// exportNext makes an output of the aux variable that is allocated next, and of
// those of its kind that follow at once. It must be of the given kind.
func (r *recorder) exportNext(kind sdk.Kind) {
	o := output{aux: r.template.Aux, slot: r.fields, kind: kind}
	if kind == sdk.Bit {
		o.slot = r.template.Bits
	}
	r.outputs = append(r.outputs, o)
}

// enforce adds the row a·b = c. It takes the three over.
func (r *recorder) enforce(a, b, c lc) {
	r.template.Rows++
	for i, m := range r.matrices() {
		for _, t := range [3]lc{a, b, c}[i].merged() {
			m.Terms = append(m.Terms, sdk.Term{Column: t.column, Coeff: r.coeffs.intern(t.coeff)})
		}
		m.Start = append(m.Start, uint32(len(m.Terms)))
	}
}

func (r *recorder) fail(what string, limit int) {
	if r.err == nil {
		r.err = fmt.Errorf("record template %q: more %s than %d", r.template.Name, what, limit)
	}
}

// finish returns the template with its slices cut to size.
func (r *recorder) finish() (sdk.Template, error) {
	for _, m := range r.matrices() {
		m.Start = append([]uint32(nil), m.Start...)
		m.Terms = append([]sdk.Term(nil), m.Terms...)
	}
	return r.template, r.err
}
