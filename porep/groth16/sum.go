package groth16

import (
	"context"
	"fmt"
	"math/bits"
	"time"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/sealwright/sealwright/sdk"
)

// gatherBlock bounds how many points of field elements are copied out of the key
// at a time: 96 MiB in G1, 192 MiB in G2.
const gatherBlock = 1 << 20

// onesBlock is the same for points that are ones' on a device that cannot sum by
// a mask.
const onesBlock = 1 << 16

// section is a section of a key with what says which variables of z have a point
// in it: those in present, or, where that is nil, all from first on.
type section struct {
	name    string
	bases   sdk.Bases
	present bitmap
	first   uint32
}

// summer computes Σ z_j·P_j over a section, bits and field elements apart.
type summer struct {
	dev    sdk.Device
	layout *Layout
	values *split
	bufs   sdk.Buffers
	report *Report
}

// sum is the sum over a section; point is of the section's group.
func (s *summer) sum(ctx context.Context, sec section) (accumulator, error) {
	total := accumulator{group: sec.bases.Group}
	if err := s.addOnes(ctx, sec, &total); err != nil {
		return total, fmt.Errorf("sum bits of %s: %w", sec.name, err)
	}
	if err := s.addOthers(ctx, sec, &total); err != nil {
		return total, fmt.Errorf("sum field elements of %s: %w", sec.name, err)
	}
	return total, nil
}

// addOnes adds the points of the variables that are one.
func (s *summer) addOnes(ctx context.Context, sec section, total *accumulator) error {
	n := sec.bases.Len()
	start := time.Now()
	buffer, err := s.bufs.Get(sdk.BufferAux, int64(words(n)*8))
	if err != nil {
		return err
	}
	defer s.bufs.Release(buffer)
	mask := bitmap(buffer.Words())
	c := s.layout.Circuit
	if sec.present == nil {
		mask.orRange(0, s.values.ones, int(sec.first), n)
	} else {
		s.values.ones.compress(mask, sec.present, int(c.NumInputs)+int(c.NumAux))
	}
	if err := s.maskSum(ctx, sec.bases, mask, total); err != nil {
		return err
	}
	s.report.Add("mask "+sec.name, OnDevice, mask.count(0, n), start)
	return nil
}

// maskSum adds the points that mask selects. A device without sdk.MaskSummer
// gets them in blocks, with scalars of one.
func (s *summer) maskSum(ctx context.Context, bases sdk.Bases, mask bitmap, total *accumulator) error {
	if d, ok := s.dev.(sdk.MaskSummer); ok {
		if bases.Group == sdk.GroupG2 {
			p, err := d.MaskSumG2(ctx, bases, mask)
			total.add2(p)
			return err
		}
		p, err := d.MaskSumG1(ctx, bases, mask)
		total.add1(p)
		return err
	}
	g, err := newGatherer(s, bases, min(mask.count(0, bases.Len()), onesBlock))
	if err != nil {
		return err
	}
	defer g.release()
	for i, word := range mask {
		for ; word != 0; word &= word - 1 {
			at := i*64 + bits.TrailingZeros64(word)
			if err := g.add(ctx, at, &montgomeryOne, total); err != nil {
				return err
			}
		}
	}
	return g.flush(ctx, total)
}

// addOthers adds the points of the variables that are neither zero nor one,
// times their values.
func (s *summer) addOthers(ctx context.Context, sec section, total *accumulator) error {
	start := time.Now()
	n := 0
	for _, v := range s.values.others {
		if sec.has(uint32(v >> 32)) {
			n++
		}
	}
	g, err := newGatherer(s, sec.bases, min(n, gatherBlock))
	if err != nil {
		return err
	}
	defer g.release()
	place := placer{section: sec}
	for _, v := range s.values.others {
		variable, index := uint32(v>>32), uint32(v)
		if !sec.has(variable) {
			continue
		}
		if err := g.add(ctx, place.of(variable), &s.values.fields[index], total); err != nil {
			return err
		}
	}
	if err := g.flush(ctx, total); err != nil {
		return err
	}
	s.report.Add("msm "+sec.name, OnDevice, n, start)
	return nil
}

func (s *section) has(variable uint32) bool {
	if s.present == nil {
		return variable >= s.first
	}
	return s.present.has(variable)
}

// placer finds the places of ascending variables in a section.
type placer struct {
	section
	variable, place int // place many of the variables below variable are present
}

func (p *placer) of(variable uint32) int {
	if p.present == nil {
		return int(variable - p.first)
	}
	p.place += p.present.count(p.variable, int(variable))
	p.variable = int(variable)
	return p.place
}

// accumulator is a running sum in one of the groups.
type accumulator struct {
	group sdk.Group
	g1    bls12381.G1Jac
	g2    bls12381.G2Jac
}

func (a *accumulator) add1(p sdk.G1) {
	q := fromSDK1(p)
	a.g1.AddMixed(&q)
}

func (a *accumulator) add2(p sdk.G2) {
	q := fromSDK2(p)
	a.g2.AddMixed(&q)
}

func (a *accumulator) affine1() (p bls12381.G1Affine) {
	p.FromJacobian(&a.g1)
	return p
}

func (a *accumulator) affine2() (p bls12381.G2Affine) {
	p.FromJacobian(&a.g2)
	return p
}
