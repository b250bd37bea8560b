package plugin

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"
	"unsafe"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/sdk"
	"github.com/sealwright/sealwright/sdk/enginepb"
)

// selfTestSize is how many elements a self-test works on: enough for a device to
// take its parallel paths, little enough for a second.
const selfTestSize = 1 << 10

// SelfTest implements enginepb.EngineServer: each operation of the device on
// random values, against what follows from algebra alone.
func (s *server) SelfTest(ctx context.Context, _ *enginepb.SelfTestRequest) (*enginepb.SelfTestResponse, error) {
	e, err := s.configured()
	if err != nil {
		return nil, err
	}
	answer := new(enginepb.SelfTestResponse)
	for _, test := range []struct {
		name string
		run  func(context.Context, sdk.Device) error
	}{
		{"ntt", testNTT}, {"msm_g1", testMSMG1}, {"msm_g2", testMSMG2},
	} {
		start := time.Now()
		result := &enginepb.SelfTestResult{Name: test.name}
		switch err := test.run(ctx, e.device); {
		case errors.Is(err, sdk.ErrDeviceLost):
			s.lost(e, err)
			return nil, statusOf(err)
		case err != nil:
			result.Failure = oneLine(err)
		}
		result.Ns = time.Since(start).Nanoseconds()
		answer.Results = append(answer.Results, result)
	}
	return answer, nil
}

// testNTT transforms the coefficients of a random polynomial and compares some
// of the values with the polynomial's own, on the domain and on its coset; the
// inverse must bring the coefficients back.
func testNTT(ctx context.Context, d sdk.Device) error {
	coefficients, err := randomScalars(selfTestSize)
	if err != nil {
		return err
	}
	for _, coset := range []bool{false, true} {
		data := make([]fr.Element, len(coefficients))
		copy(data, coefficients)
		if err := d.NTT(ctx, sdkScalars(data), sdk.Transform{Coset: coset}); err != nil {
			return err
		}
		for _, i := range []int{0, 1, 2, selfTestSize / 2, selfTestSize - 1} {
			x := domainPoint(i, coset)
			if want := evaluate(coefficients, &x); !data[i].Equal(&want) {
				return fmt.Errorf("transform (coset %t): value %d is %s, expected %s", coset, i, data[i].String(), want.String())
			}
		}
		if err := d.NTT(ctx, sdkScalars(data), sdk.Transform{Coset: coset, Inverse: true}); err != nil {
			return err
		}
		for i := range data {
			if !data[i].Equal(&coefficients[i]) {
				return fmt.Errorf("inverse transform (coset %t): coefficient %d is %s, expected %s", coset, i, data[i].String(), coefficients[i].String())
			}
		}
	}
	return nil
}

// domainPoint returns point i of the domain of selfTestSize points, or of its
// coset by 7.
func domainPoint(i int, coset bool) fr.Element {
	var exponent big.Int
	exponent.Sub(fr.Modulus(), big.NewInt(1))
	exponent.Div(&exponent, big.NewInt(selfTestSize))
	exponent.Mul(&exponent, big.NewInt(int64(i)))
	x := fr.NewElement(7)
	x.Exp(x, &exponent)
	if coset {
		seven := fr.NewElement(7)
		x.Mul(&x, &seven)
	}
	return x
}

func evaluate(coefficients []fr.Element, x *fr.Element) (y fr.Element) {
	for i := len(coefficients) - 1; i >= 0; i-- {
		y.Mul(&y, x).Add(&y, &coefficients[i])
	}
	return y
}

// testMSMG1 sums multiples of the generator, whose sum is one multiplication.
func testMSMG1(ctx context.Context, d sdk.Device) error {
	scalars, sum, err := multiples()
	if err != nil {
		return err
	}
	_, _, g, _ := bls12381.Generators()
	points := make([]bls12381.G1Affine, len(scalars))
	var p bls12381.G1Jac
	for i := range points {
		p.AddMixed(&g)
		points[i].FromJacobian(&p)
	}
	bases := sdk.Bases{Group: sdk.GroupG1, Encoding: sdk.Montgomery, Data: bytesOf(points)}
	got, err := d.MSMG1(ctx, bases, sdkScalars(scalars))
	if err != nil {
		return err
	}
	var want bls12381.G1Affine
	want.ScalarMultiplication(&g, sum)
	if sum := *(*bls12381.G1Affine)(unsafe.Pointer(&got)); !sum.Equal(&want) {
		return fmt.Errorf("sum in G1: found %s, expected %s", sum.String(), want.String())
	}
	return nil
}

// testMSMG2 is testMSMG1 in G2.
func testMSMG2(ctx context.Context, d sdk.Device) error {
	scalars, sum, err := multiples()
	if err != nil {
		return err
	}
	_, _, _, g := bls12381.Generators()
	points := make([]bls12381.G2Affine, len(scalars))
	var p bls12381.G2Jac
	for i := range points {
		p.AddMixed(&g)
		points[i].FromJacobian(&p)
	}
	bases := sdk.Bases{Group: sdk.GroupG2, Encoding: sdk.Montgomery, Data: bytesOf(points)}
	got, err := d.MSMG2(ctx, bases, sdkScalars(scalars))
	if err != nil {
		return err
	}
	var want bls12381.G2Affine
	want.ScalarMultiplication(&g, sum)
	if sum := *(*bls12381.G2Affine)(unsafe.Pointer(&got)); !sum.Equal(&want) {
		return fmt.Errorf("sum in G2: found %s, expected %s", sum.String(), want.String())
	}
	return nil
}

// multiples returns random scalars s and the sum of (i+1)·s[i].
func multiples() ([]fr.Element, *big.Int, error) {
	scalars, err := randomScalars(selfTestSize)
	if err != nil {
		return nil, nil, err
	}
	var sum, term fr.Element
	for i := range scalars {
		term.SetUint64(uint64(i) + 1)
		term.Mul(&term, &scalars[i])
		sum.Add(&sum, &term)
	}
	return scalars, sum.BigInt(new(big.Int)), nil
}

func randomScalars(n int) ([]fr.Element, error) {
	scalars := make([]fr.Element, n)
	for i := range scalars {
		if _, err := scalars[i].SetRandom(); err != nil {
			return nil, fmt.Errorf("draw scalars: %w", err)
		}
	}
	return scalars, nil
}

// sdkScalars casts: the layouts are the same.
func sdkScalars(s []fr.Element) []sdk.Fr {
	return unsafe.Slice((*sdk.Fr)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
}

func bytesOf[T any](s []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(zero)))
}
