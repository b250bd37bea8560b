package porep

import (
	"context"
	"fmt"
)

// Parse reads a job's parts, as Job.Parts has them, and checks them in full.
// Errors are one line; but for the context's they are sdk.ErrInvalidInput.
func Parse(ctx context.Context, kind Kind, parts [][]byte, claims Claims) (*Job, error) {
	switch kind {
	case KindPoRep:
		if len(parts) != 1 {
			return nil, invalid(fmt.Errorf("read parts: found %d, expected 1: the C1 output", len(parts)), nil)
		}
		return ParsePoRepClaims(ctx, parts[0], claims)
	case KindWindowPoSt:
		if len(parts) == 0 {
			return nil, invalid(fmt.Errorf("read parts: found none, expected the randomness and a vanilla proof a sector"), nil)
		}
		return ParseWindowPoSt(ctx, parts[0], parts[1:], claims)
	}
	return nil, invalid(fmt.Errorf("read parts: found %s, expected a kind of proof that is supported", kind), nil)
}
