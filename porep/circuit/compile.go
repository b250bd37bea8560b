package circuit

import (
	"context"
	"fmt"
	"unsafe"

	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/sdk"
)

// Program is a compiled circuit and what makes its witnesses. It is read-only
// and may be shared by goroutines.
type Program struct {
	Circuit *sdk.Circuit
	Shape   registry.Shape

	expanders []expander // by template
	sections  []section  // the first is what the others share
}

// Compile makes the program of a circuit id ("porep-32g", "wpost-2k").
func Compile(ctx context.Context, id string) (*Program, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	shape, ok := registry.ShapeOf(id)
	if !ok {
		return nil, fmt.Errorf("compile circuit: unknown id %q", id)
	}
	s := newAssembler(&shape)
	if shape.Sectors > 0 {
		s.assembleWindowPoSt(&shape)
	} else {
		s.assemblePoRep(&shape)
	}
	return s.finish(shape)
}

// Size is what a compiled circuit takes.
type Size struct {
	Bytes     int64 // of the circuit's tables
	Templates int
	Instances int
}

// Size measures the circuit's tables.
func (p *Program) Size() Size {
	c := p.Circuit
	bytes := sliceBytes(c.Coeffs) + sliceBytes(c.Templates) + sliceBytes(c.Instances) + sliceBytes(c.Wires)
	for i := range c.Templates {
		t := &c.Templates[i]
		bytes += sliceBytes(t.Locals) + sliceBytes(t.Ports)
		for _, m := range []*sdk.Matrix{&t.A, &t.B, &t.C} {
			bytes += sliceBytes(m.Start) + sliceBytes(m.Terms)
		}
	}
	return Size{Bytes: bytes, Templates: len(c.Templates), Instances: len(c.Instances)}
}

func sliceBytes[T any](s []T) int64 {
	var zero T
	return int64(cap(s)) * int64(unsafe.Sizeof(zero))
}
