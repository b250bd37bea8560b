package circuit

import (
	"context"
	"errors"
	"testing"

	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/sdk"
)

// TestStructure holds compiled circuits to what sdk.Circuit promises: instances
// follow each other without gaps, wires lead to earlier variables of the port's
// kind, rows name each variable once.
func TestStructure(t *testing.T) {
	for _, id := range []string{"wpost-2k", "porep-2k", "porep-32k-top2"} {
		t.Run(id, func(t *testing.T) {
			c := compile(t, id).Circuit
			checkTotals(t, c)
			for i := range c.Templates {
				checkTemplate(t, &c.Templates[i])
			}
			checkWires(t, c)
		})
	}
}

func checkTotals(t *testing.T, c *sdk.Circuit) {
	t.Helper()
	next := sdk.Instance{Input: 1, Field: c.NumInputs}
	for i, in := range c.Instances {
		next.Template = in.Template
		if in != next {
			t.Fatalf("instance %d starts at %+v, expected %+v", i, in, next)
		}
		template := &c.Templates[in.Template]
		next.Row += template.Rows
		next.Input += template.Inputs
		next.Aux += template.Aux
		next.Bit += template.Bits
		next.Field += template.Aux - template.Bits
		next.Wires += uint32(len(template.Ports))
	}
	want := sdk.Instance{
		Row: c.NumRows, Input: c.NumInputs, Aux: c.NumAux, Bit: c.NumBits, Field: c.NumFields, Wires: uint32(len(c.Wires)),
	}
	if next.Template = 0; next != want {
		t.Errorf("instances end at %+v, expected %+v", next, want)
	}
}

func checkTemplate(t *testing.T, template *sdk.Template) {
	t.Helper()
	var aux, bits uint32
	for _, r := range template.Locals {
		aux += r.Count
		if r.Kind == sdk.Bit {
			bits += r.Count
		}
	}
	if aux != template.Aux || bits != template.Bits {
		t.Errorf("%q: runs of %d variables, %d bits, expected %d and %d", template.Name, aux, bits, template.Aux, template.Bits)
	}
	for _, m := range []*sdk.Matrix{&template.A, &template.B, &template.C} {
		if uint32(len(m.Start)) != template.Rows+1 {
			t.Fatalf("%q: %d row starts, expected %d", template.Name, len(m.Start), template.Rows+1)
		}
		for row := range template.Rows {
			terms := m.Row(row)
			for i := 1; i < len(terms); i++ {
				if terms[i-1].Column >= terms[i].Column {
					t.Fatalf("%q, row %d: columns %x and %x are not ascending", template.Name, row, terms[i-1].Column, terms[i].Column)
				}
			}
		}
	}
}

func checkWires(t *testing.T, c *sdk.Circuit) {
	t.Helper()
	locals := make([]local, 0, c.NumAux) // of all aux variables
	for i := range c.Instances {
		in := &c.Instances[i]
		reaches := reach(&c.Templates[in.Template])
		for j, wire := range wiresOf(c, in) {
			kind := c.Templates[in.Template].Ports[j]
			for o := range reaches[uint32(sdk.PortWire+j)] {
				v := wire.Var - c.NumInputs + o
				if wire.Var < c.NumInputs || int(v) >= len(locals) {
					t.Fatalf("instance %d, wire %d: variable %d is no earlier aux variable", i, j, wire.Var+o)
				}
				if want := (local{kind, wire.Slot + o}); locals[v] != want {
					t.Fatalf("instance %d, wire %d: variable %d is %+v, expected %+v", i, j, wire.Var+o, locals[v], want)
				}
			}
		}
		for _, l := range localsOf(&c.Templates[in.Template]) {
			if l.kind == sdk.Bit {
				l.slot += in.Bit
			} else {
				l.slot += in.Field
			}
			locals = append(locals, l)
		}
	}
}

// TestSizeOf32GiB holds the compiled circuit to its limit.
func TestSizeOf32GiB(t *testing.T) {
	c := compile(t, "porep-32g").Circuit
	const limit = 64 << 20
	if c.Bytes() > limit {
		t.Errorf("the circuit takes %d bytes, more than %d", c.Bytes(), limit)
	}
	t.Logf("%d bytes, %d templates, %d instances", c.Bytes(), len(c.Templates), len(c.Instances))
}

func TestCompileKnowsEveryShape(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for _, shape := range registry.Shapes() {
		if c := compile(t, shape.CircuitID).Circuit; c.ID != shape.CircuitID {
			t.Errorf("circuit of %s is called %s", shape.CircuitID, c.ID)
		}
	}
}

func TestCompileRefusesUnknownCircuits(t *testing.T) {
	for _, id := range []string{"", "porep-1g", "snap-32g"} {
		if _, err := Compile(t.Context(), id); err == nil {
			t.Errorf("%q compiles", id)
		}
	}
}

func TestAssemblerReportsMistakes(t *testing.T) {
	tests := map[string]func(*assembler){
		"wires missing": func(s *assembler) { s.place(s.equal()) },
		"inputs missing": func(s *assembler) {
			s.place(s.secrets(1))
			s.circuit.NumInputs++
		},
		"too many wires": func(s *assembler) {
			s.gadget("wide", func(r *recorder) expander {
				r.fieldPorts(sdk.MaxWires + 1)
				return noExpander{}
			})
		},
	}
	for name, place := range tests {
		s := newAssembler("mistaken", 1)
		place(s)
		if _, err := s.finish(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestWiresMayNotOverlap: the digest's order of terms would be wrong.
func TestWiresMayNotOverlap(t *testing.T) {
	p := mini(t, 0, func(s *assembler) {
		in := s.place(s.secrets(2)).out(0)
		s.place(s.equal(), in, in)
	})
	if _, err := Digest(t.Context(), p.Circuit); err == nil {
		t.Error("digest of a row that names a variable twice")
	}
}

func TestDigestStopsWithContext(t *testing.T) {
	p := compile(t, "porep-2k")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Digest(ctx, p.Circuit); !errors.Is(err, ctx.Err()) {
		t.Errorf("error is %v, expected %v", err, ctx.Err())
	}
}
