package groth16

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/sealwright/sealwright/sdk"
)

// Layout is what proving needs to know of a circuit besides its rows: the
// domain, the key's counts, and which variables have a point in the a and b
// sections. It is made once a circuit, read-only, and may be shared.
type Layout struct {
	Circuit *sdk.Circuit
	// Domain is the number of points of the evaluation domain: the least power of
	// two not under the number of rows with those of input consistency.
	Domain int
	Counts Counts

	inA, inB bitmap // over z; all inputs are in A
	buffer   *sdk.Buffer
	bufs     sdk.Buffers

	classes []coeffClass
	// locals says for each template and own aux variable where its value lies,
	// relative to the instance's start: index<<1, or index<<1|1 for a bit.
	locals [][]uint32
}

// NewLayout walks a circuit once. The caller must Release the layout when it is
// done with it.
func NewLayout(ctx context.Context, c *sdk.Circuit, bufs sdk.Buffers) (*Layout, error) {
	vars := int(c.NumInputs) + int(c.NumAux)
	each := words(vars)
	buffer, err := bufs.Get(sdk.BufferSRS, int64(2*each*8))
	if err != nil {
		return nil, fmt.Errorf("lay out circuit %s: %w", c.ID, err)
	}
	l := &Layout{
		Circuit: c, Domain: domainSize(c), buffer: buffer, bufs: bufs,
		inA: buffer.Words()[:each:each], inB: buffer.Words()[each:],
		classes: classify(c.Coeffs), locals: localSlots(c),
	}
	if err := l.mark(ctx); err != nil {
		l.Release()
		return nil, fmt.Errorf("lay out circuit %s: %w", c.ID, err)
	}
	l.Counts = Counts{
		IC: int(c.NumInputs), H: l.Domain - 1, L: int(c.NumAux), A: l.inA.count(0, vars), B: l.inB.count(0, vars),
	}
	return l, nil
}

// Release gives the layout's memory back.
func (l *Layout) Release() {
	l.bufs.Release(l.buffer)
	l.buffer, l.inA, l.inB = nil, nil, nil
}

// domainSize returns the least power of two not under the number of rows.
func domainSize(c *sdk.Circuit) int {
	rows := uint64(c.NumRows) + uint64(c.NumInputs)
	return 1 << bits.Len64(rows-1)
}

// mark finds the variables with a non-zero coefficient somewhere in A and in B.
func (l *Layout) mark(ctx context.Context) error {
	c := l.Circuit
	l.inA.setRange(0, c.NumInputs) // by the input-consistency rows
	used := make([][2][]sdk.Column, len(c.Templates))
	for i := range c.Templates {
		t := &c.Templates[i]
		used[i] = [2][]sdk.Column{usedColumns(&t.A, l.classes), usedColumns(&t.B, l.classes)}
	}
	var s starts
	for i := range c.Instances {
		if i%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		in := &c.Instances[i]
		s.variables(c, &c.Templates[in.Template], in)
		for _, column := range used[in.Template][0] {
			l.inA.set(s.at(column))
		}
		for _, column := range used[in.Template][1] {
			l.inB.set(s.at(column))
		}
	}
	return nil
}

// usedColumns returns each column that has a non-zero coefficient in m, once.
func usedColumns(m *sdk.Matrix, classes []coeffClass) []sdk.Column {
	seen := make(map[sdk.Column]struct{})
	var columns []sdk.Column
	for _, t := range m.Terms {
		if classes[t.Coeff] == coeffZero {
			continue
		}
		if _, ok := seen[t.Column]; !ok {
			seen[t.Column] = struct{}{}
			columns = append(columns, t.Column)
		}
	}
	return columns
}

// localSlots makes Layout.locals.
func localSlots(c *sdk.Circuit) [][]uint32 {
	all := make([][]uint32, len(c.Templates))
	for i := range c.Templates {
		t := &c.Templates[i]
		slots := make([]uint32, 0, t.Aux)
		var bit, field uint32
		for _, run := range t.Locals {
			for range run.Count {
				if run.Kind == sdk.Bit {
					slots = append(slots, bit<<1|1)
					bit++
				} else {
					slots = append(slots, field<<1)
					field++
				}
			}
		}
		all[i] = slots
	}
	return all
}
