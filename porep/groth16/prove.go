package groth16

import (
	"context"
	"fmt"
	"time"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/sealwright/sealwright/sdk"
)

// Sums are the results of the device stage: the sums of a proof before its
// blinding.
type Sums struct {
	A, B1, L, H bls12381.G1Affine
	B2          bls12381.G2Affine
}

// Prove does the device stage of one partition: the quotient, its
// multiexponentiation, then the sums over l, a, b_g1 and b_g2. It takes
// the assignment over and gives its buffers back on every path, each as soon as the
// device is done with it. The report tells what ran and is never nil.
func (l *Layout) Prove(
	ctx context.Context, dev sdk.Device, key *ProvingKey, w *sdk.Witness, asg *Assignment, bufs sdk.Buffers,
) (*Sums, *Report, error) {
	defer asg.Release()
	report := new(Report)
	sums, err := l.prove(ctx, dev, key, w, asg, bufs, report)
	if err != nil {
		return nil, report, fmt.Errorf("prove %s: %w", l.Circuit.ID, err)
	}
	return sums, report, nil
}

func (l *Layout) prove(
	ctx context.Context, dev sdk.Device, key *ProvingKey, w *sdk.Witness, asg *Assignment, bufs sdk.Buffers, report *Report,
) (*Sums, error) {
	if got := key.Counts(); got != l.Counts {
		return nil, fmt.Errorf("%w: key: expected sections %+v, found %+v", sdk.ErrInvalidInput, l.Counts, got)
	}
	if err := l.checkWitness(w); err != nil {
		return nil, err
	}
	if err := l.checkAssignment(asg); err != nil {
		return nil, err
	}
	var sums Sums
	var err error
	if err = quotient(ctx, dev, asg, report); err != nil {
		return nil, err
	}
	if sums.H, err = quotientSum(ctx, dev, key.H, asg, report); err != nil {
		return nil, err
	}
	start := time.Now()
	values, err := l.split(w, bufs)
	if err != nil {
		return nil, err
	}
	defer values.release()
	report.Add("split", OnHost, len(values.others), start)
	s := &summer{dev: dev, layout: l, values: values, bufs: bufs, report: report}
	for _, g := range []struct {
		section section
		g1      *bls12381.G1Affine
		g2      *bls12381.G2Affine
	}{
		{section{name: "l", bases: key.L, first: l.Circuit.NumInputs}, &sums.L, nil},
		{section{name: "a", bases: key.A, present: l.inA}, &sums.A, nil},
		{section{name: "b_g1", bases: key.B1, present: l.inB}, &sums.B1, nil},
		{section{name: "b_g2", bases: key.B2, present: l.inB}, nil, &sums.B2},
	} {
		total, err := s.sum(ctx, g.section)
		if err != nil {
			return nil, err
		}
		if g.g2 != nil {
			*g.g2 = total.affine2()
		} else {
			*g.g1 = total.affine1()
		}
	}
	return &sums, nil
}

// checkAssignment refuses an assignment of another circuit, or one that was given
// back already.
func (l *Layout) checkAssignment(asg *Assignment) error {
	for name, b := range map[string]*sdk.Buffer{"a": asg.A, "b": asg.B} {
		n := 0
		if b != nil {
			n = len(b.Frs())
		}
		if n != l.Domain {
			return fmt.Errorf("%w: vector %s: expected %d elements, found %d", sdk.ErrInvalidInput, name, l.Domain, n)
		}
	}
	return nil
}

// quotientSum returns Σ h_i·H_i and gives asg.A back. The last of the quotient's
// coefficients is zero and has no point.
func quotientSum(ctx context.Context, dev sdk.Device, bases sdk.Bases, asg *Assignment, report *Report) (bls12381.G1Affine, error) {
	start := time.Now()
	h := asg.A.Frs()[:bases.Len()]
	p, err := dev.MSMG1(ctx, bases, h)
	if err != nil {
		return bls12381.G1Affine{}, fmt.Errorf("sum quotient: %w", err)
	}
	asg.releaseA()
	report.Add("msm h", OnDevice, len(h), start)
	return fromSDK1(p), nil
}
