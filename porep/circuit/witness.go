package circuit

import (
	"context"
	"fmt"
	"runtime"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/sdk"
	"golang.org/x/sync/errgroup"
)

// Witness is a compact witness that owns its memory.
type Witness struct {
	sdk.Witness

	inputs uint32
	owner  sdk.Buffers
	held   []*sdk.Buffer
}

// PublicInputs returns the public inputs without the leading one, sharing the
// witness's memory.
func (w *Witness) PublicInputs() []sdk.Fr { return w.Fields[1:w.inputs] }

// Release gives the memory back. The witness is not used after.
func (w *Witness) Release() {
	for _, b := range w.held {
		w.owner.Release(b)
	}
	w.held, w.Witness = nil, sdk.Witness{}
}

// Witness computes a partition's witness, without building any constraint. Its
// memory comes from bufs (sdk.BufferSynth) and is the caller's to Release. The
// work is spread over all cores, section by section.
//
// An error means that the secrets are not this circuit's, that bufs had no
// memory, or that ctx ended. Secrets of the right form whose openings do not fit
// give a witness that does not satisfy the circuit.
func (p *Program) Witness(ctx context.Context, s *Secrets, bufs sdk.Buffers) (*Witness, error) {
	if len(s.tapes) != len(p.sections) {
		return nil, fmt.Errorf("compute witness of %s: secrets of %d sections, expected %d",
			p.Circuit.ID, len(s.tapes), len(p.sections))
	}
	w, err := p.newWitness(bufs)
	if err != nil {
		return nil, fmt.Errorf("compute witness of %s: %w", p.Circuit.ID, err)
	}
	if err := p.fill(ctx, &w.Witness, s.tapes); err != nil {
		w.Release()
		return nil, fmt.Errorf("compute witness of %s: %w", p.Circuit.ID, err)
	}
	return w, nil
}

func (p *Program) newWitness(bufs sdk.Buffers) (*Witness, error) {
	c := p.Circuit
	w := &Witness{inputs: c.NumInputs, owner: bufs}
	get := func(bytes int64) (*sdk.Buffer, error) {
		b, err := bufs.Get(sdk.BufferSynth, bytes)
		if err == nil {
			w.held = append(w.held, b)
		}
		return b, err
	}
	bits, err := get((int64(c.NumBits) + 63) / 64 * 8)
	if err != nil {
		return nil, err
	}
	fields, err := get(int64(c.NumFields) * int64(sdk.FrBytes))
	if err != nil {
		w.Release()
		return nil, err
	}
	w.Bits, w.Fields = bits.Words(), fields.Frs()
	return w, nil
}

// fill computes every section: the first one, then the others side by side.
func (p *Program) fill(ctx context.Context, w *sdk.Witness, tapes []tape) error {
	w.Fields[0] = sdk.Fr(fr.One())
	if err := p.fillSection(ctx, w, 0, tapes[0]); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := 1; i < len(p.sections); i++ {
		group.Go(func() error { return p.fillSection(ctx, w, i, tapes[i]) })
	}
	return group.Wait()
}

// fillSection computes a section's instances in order. The tape is the
// section's own copy.
func (p *Program) fillSection(ctx context.Context, w *sdk.Witness, number int, t tape) error {
	const checkEvery = 256
	s := p.sections[number]
	x := expansion{witness: w, tape: &t}
	for i := s.first; i < s.end; i++ {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		in := &p.Circuit.Instances[i]
		x.start(in, wiresOf(p.Circuit, in))
		p.expanders[in.Template].expand(&x)
		x.bits.flush()
	}
	if err := t.end(); err != nil {
		return fmt.Errorf("section %d of %d: %w", number, len(p.sections), err)
	}
	return nil
}
