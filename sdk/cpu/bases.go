package cpu

import (
	"context"
	"fmt"

	"github.com/sealwright/sealwright/sdk"
)

// decodePiece is how many points are converted in one piece of work.
const decodePiece = 1 << 13

// reader reads Bases as affine points.
type reader[P any, G group[P]] struct {
	group G
	bases sdk.Bases
}

// newReader checks bases against the group that the called method is for.
func newReader[P any, G group[P]](bases sdk.Bases, want sdk.Group) (*reader[P, G], error) {
	if err := bases.Validate(); err != nil {
		return nil, err
	}
	if bases.Group != want {
		return nil, fmt.Errorf("%w: bases: group is %v, want %v", sdk.ErrInvalidInput, bases.Group, want)
	}
	return &reader[P, G]{bases: bases}, nil
}

// load reads point i into p.
func (r *reader[P, G]) load(p *P, i int) error {
	size := r.bases.PointBytes()
	data := r.bases.Data[i*size : (i+1)*size]
	if r.bases.Encoding == sdk.Montgomery {
		copy(valueBytes(p), data)
		return nil
	}
	if err := r.group.decode(p, data); err != nil {
		return fmt.Errorf("%w: bases: %v point %d: %w", sdk.ErrInvalidInput, r.bases.Group, i, err)
	}
	return nil
}

// inPlace says whether the points can be used where they lie.
func (r *reader[P, G]) inPlace() bool {
	return r.bases.Encoding == sdk.Montgomery && wordAligned(r.bases.Data)
}

// points returns the points [first, first+n): where they lie if that can be,
// else converted into room, which has room for n.
func (r *reader[P, G]) points(ctx context.Context, d *Device, first, n int, room []P) ([]P, error) {
	if r.inPlace() {
		return castSlice[P](r.bases.Data)[first : first+n], nil
	}
	err := d.parallel(ctx, pieces(n, decodePiece), func(_, piece int) error {
		for i := piece * decodePiece; i < min((piece+1)*decodePiece, n); i++ {
			if err := r.load(&room[i], first+i); err != nil {
				return err
			}
		}
		return nil
	})
	return room[:n], err
}

// pieces returns how many pieces of the given size n items make.
func pieces(n, size int) int { return (n + size - 1) / size }
