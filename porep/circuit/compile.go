package circuit

import (
	"context"
	"fmt"

	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/sdk"
)

// Program is a compiled circuit and what makes its witnesses. It is read-only
// and may be shared by goroutines.
type Program struct {
	Circuit *sdk.Circuit

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
	s := newAssembler(id, uint32(shape.Inputs()))
	if shape.Sectors > 0 {
		s.assembleWindowPoSt(&shape)
	} else {
		s.assemblePoRep(&shape)
	}
	return s.finish()
}
