package groth16

import (
	"context"
	"fmt"
	"time"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr/fft"
	"github.com/sealwright/sealwright/sdk"
)

// quotient replaces asg.A by the coefficients of (a·b - c)/Z and gives asg.B
// back.
func quotient(ctx context.Context, dev sdk.Device, asg *Assignment, report *Report) error {
	start := time.Now()
	a, b := asg.A.Frs(), asg.B.Frs()
	var err error
	if q, ok := dev.(sdk.Quotienter); ok {
		err = q.Quotient(ctx, a, b)
	} else {
		err = quotientByTransforms(ctx, dev, a, b, asg.bufs)
	}
	if err != nil {
		return fmt.Errorf("compute quotient: %w", err)
	}
	asg.releaseB()
	report.Add("quotient", OnDevice, len(a), start)
	return nil
}

// quotientByTransforms is Quotient for a device that offers only NTT: seven
// transforms and a third vector of kind BufferProvers.
func quotientByTransforms(ctx context.Context, dev sdk.Device, a, b []sdk.Fr, bufs sdk.Buffers) error {
	third, err := bufs.Get(sdk.BufferProvers, int64(len(a)*sdk.FrBytes))
	if err != nil {
		return err
	}
	defer bufs.Release(third)
	c := third.Frs()
	as, bs, cs := elements(a), elements(b), elements(c)
	inRuns(len(as), func(i, to int) {
		for ; i < to; i++ {
			cs[i].Mul(&as[i], &bs[i])
		}
	})
	for _, v := range [][]sdk.Fr{a, b, c} {
		if err := dev.NTT(ctx, v, sdk.Transform{Inverse: true}); err != nil {
			return err
		}
		if err := dev.NTT(ctx, v, sdk.Transform{Coset: true}); err != nil {
			return err
		}
	}
	// On the coset of factor g the vanishing polynomial is g^n - 1 everywhere.
	factor := fft.GeneratorFullMultiplicativeGroup()
	z := vanishing(&factor, len(a))
	z.Inverse(&z)
	inRuns(len(as), func(i, to int) {
		for ; i < to; i++ {
			var v fr.Element
			v.Mul(&as[i], &bs[i])
			v.Sub(&v, &cs[i])
			as[i].Mul(&v, &z)
		}
	})
	return dev.NTT(ctx, a, sdk.Transform{Inverse: true, Coset: true})
}
