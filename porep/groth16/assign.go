package groth16

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/sdk"
	"golang.org/x/sync/errgroup"
)

// Assignment holds a = A·z and b = B·z over the whole domain: the circuit's rows,
// the input-consistency rows, then zeros. c is a∘b, the system being satisfied.
// Its two buffers, of kind BufferProvers, belong to whoever holds it.
type Assignment struct {
	A, B *sdk.Buffer // Domain elements each

	bufs sdk.Buffers
}

// Release gives back what is left of the assignment. It may be called again.
func (a *Assignment) Release() {
	a.releaseA()
	a.releaseB()
}

func (a *Assignment) releaseA() {
	a.bufs.Release(a.A)
	a.A = nil
}

func (a *Assignment) releaseB() {
	a.bufs.Release(a.B)
	a.B = nil
}

// Assign evaluates every row of A and B on a witness, instance by instance on
// all processors. The witness is not checked against the constraints: a wrong
// one makes a proof that does not verify.
func (l *Layout) Assign(ctx context.Context, w *sdk.Witness, bufs sdk.Buffers) (*Assignment, error) {
	if err := l.checkWitness(w); err != nil {
		return nil, err
	}
	out := &Assignment{bufs: bufs}
	for _, b := range []**sdk.Buffer{&out.A, &out.B} {
		var err error
		if *b, err = bufs.Get(sdk.BufferProvers, int64(l.Domain*sdk.FrBytes)); err != nil {
			out.Release()
			return nil, fmt.Errorf("assign %s: %w", l.Circuit.ID, err)
		}
	}
	if err := l.evaluate(ctx, w, elements(out.A.Frs()), elements(out.B.Frs())); err != nil {
		out.Release()
		return nil, fmt.Errorf("assign %s: %w", l.Circuit.ID, err)
	}
	return out, nil
}

func (l *Layout) checkWitness(w *sdk.Witness) error {
	c := l.Circuit
	if len(w.Fields) != int(c.NumFields) || len(w.Bits) < words(int(c.NumBits)) {
		return fmt.Errorf("%w: witness of %s: expected %d field elements and %d words of bits, found %d and %d",
			sdk.ErrInvalidInput, c.ID, c.NumFields, words(int(c.NumBits)), len(w.Fields), len(w.Bits))
	}
	return nil
}

// evaluate fills a and b, both zeroed.
func (l *Layout) evaluate(ctx context.Context, w *sdk.Witness, a, b []fr.Element) error {
	const grab = 8 // instances a worker takes at a time
	c := l.Circuit
	var next atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for range runtime.GOMAXPROCS(0) {
		g.Go(func() error {
			r := rowReader{layout: l, coeffs: elements(c.Coeffs), bits: w.Bits, fields: elements(w.Fields)}
			for {
				if err := ctx.Err(); err != nil {
					return err
				}
				from := int(next.Add(grab)) - grab
				if from >= len(c.Instances) {
					return nil
				}
				for i := from; i < min(from+grab, len(c.Instances)); i++ {
					r.instance(&c.Instances[i], a, b)
				}
			}
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	copy(a[c.NumRows:], elements(w.Fields)[:c.NumInputs])
	return nil
}

// rowReader evaluates rows of one instance after another.
type rowReader struct {
	layout *Layout
	coeffs []fr.Element
	bits   bitmap
	fields []fr.Element

	slots  starts
	isBit  [sdk.PortWire + sdk.MaxWires]bool
	locals []uint32
	bit    uint32 // the instance's first bit
	field  uint32 // the instance's first field element
}

func (r *rowReader) instance(in *sdk.Instance, a, b []fr.Element) {
	c := r.layout.Circuit
	t := &c.Templates[in.Template]
	r.slots.slots(c, t, in)
	for k, kind := range t.Ports {
		r.isBit[sdk.PortWire+k] = kind == sdk.Bit
	}
	r.locals, r.bit, r.field = r.layout.locals[in.Template], in.Bit, in.Field
	for i := range t.Rows {
		r.row(t.A.Row(i), &a[in.Row+i])
		r.row(t.B.Row(i), &b[in.Row+i])
	}
}

// row adds the terms' values to sum.
func (r *rowReader) row(terms []sdk.Term, sum *fr.Element) {
	for _, t := range terms {
		if t.Column == sdk.PortOne { // port 0, offset 0: the constant one
			sum.Add(sum, &r.coeffs[t.Coeff])
			continue
		}
		slot, isBit := r.slot(t.Column)
		if isBit {
			if r.bits.has(slot) {
				sum.Add(sum, &r.coeffs[t.Coeff])
			}
			continue
		}
		switch r.layout.classes[t.Coeff] {
		case coeffOne:
			sum.Add(sum, &r.fields[slot])
		case coeffMinusOne:
			sum.Sub(sum, &r.fields[slot])
		default:
			var v fr.Element
			v.Mul(&r.coeffs[t.Coeff], &r.fields[slot])
			sum.Add(sum, &v)
		}
	}
}

// slot returns where a column's value lies.
func (r *rowReader) slot(c sdk.Column) (slot uint32, isBit bool) {
	port := c.Port()
	if port != sdk.PortAux {
		return r.slots.at(c), r.isBit[port]
	}
	local := r.locals[c.Offset()]
	if local&1 == 1 {
		return r.bit + local>>1, true
	}
	return r.field + local>>1, false
}
