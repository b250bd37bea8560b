package groth16

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/sdk"
)

// SetupConfig says what key to make and with what. INSECURE: the trapdoor is
// known, so the key is for development only.
type SetupConfig struct {
	Circuit  *sdk.Circuit
	Trapdoor Trapdoor
	Device   sdk.FixedBaser
	Buffers  sdk.Buffers
	// Progress, where not nil, is told how many points of how many are written.
	Progress func(done, total int64)
}

// Validate reports a field that is missing or unusable.
func (c *SetupConfig) Validate() error {
	switch {
	case c.Circuit == nil:
		return errors.New("check setup: Circuit is nil")
	case c.Device == nil:
		return errors.New("check setup: Device is nil")
	case c.Buffers == nil:
		return errors.New("check setup: Buffers is nil")
	}
	return c.Trapdoor.validate()
}

// SetupResult describes a key that Setup has written.
type SetupResult struct {
	VK       *VerifyingKey
	Counts   Counts
	Sections map[string][32]byte // SHA-256 of each section's points, without the count
}

// Setup writes the proving key file of a circuit to w, points in blocks, and
// holds about 32 bytes for every row and 96 for every variable meanwhile.
func Setup(ctx context.Context, cfg SetupConfig, w io.Writer) (*SetupResult, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	result, err := runSetup(ctx, cfg, w)
	if err != nil {
		return nil, fmt.Errorf("set up %s: %w", cfg.Circuit.ID, err)
	}
	return result, nil
}

func runSetup(ctx context.Context, cfg SetupConfig, w io.Writer) (*SetupResult, error) {
	layout, err := NewLayout(ctx, cfg.Circuit, cfg.Buffers)
	if err != nil {
		return nil, err
	}
	counts := layout.Counts
	layout.Release()
	polys, err := evaluatePolynomials(ctx, cfg.Circuit, &cfg.Trapdoor.Tau, cfg.Buffers)
	if err != nil {
		return nil, err
	}
	defer polys.release()
	if err := polys.checkUsed(); err != nil {
		return nil, err
	}
	s := setup{cfg: cfg, polys: polys, counts: counts}
	vk, err := s.verifyingKey(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(vk.Bytes()); err != nil {
		return nil, err
	}
	sums, err := s.writeSections(ctx, w)
	if err != nil {
		return nil, err
	}
	return &SetupResult{VK: vk, Counts: counts, Sections: sums}, nil
}

// setup is one run of Setup.
type setup struct {
	cfg    SetupConfig
	polys  *polynomials
	counts Counts
}

// combination returns (βA_j + αB_j + C_j)/divisor of the variables [from, to) of z.
func (s *setup) combination(divisor fr.Element, out []fr.Element, from int) {
	var alpha, beta, inverse fr.Element
	inverse.Inverse(&divisor)
	alpha.Mul(&s.cfg.Trapdoor.Alpha, &inverse)
	beta.Mul(&s.cfg.Trapdoor.Beta, &inverse)
	inRuns(len(out), func(i, to int) {
		for ; i < to; i++ {
			var a, b, c fr.Element
			a.Mul(&s.polys.a[from+i], &beta)
			b.Mul(&s.polys.b[from+i], &alpha)
			c.Mul(&s.polys.c[from+i], &inverse)
			out[i].Add(&a, &b).Add(&out[i], &c)
		}
	})
}

func (s *setup) verifyingKey(ctx context.Context) (*VerifyingKey, error) {
	t := &s.cfg.Trapdoor
	var vk VerifyingKey
	for _, p := range []struct {
		point  *bls12381.G1Affine
		scalar *fr.Element
	}{{&vk.AlphaG1, &t.Alpha}, {&vk.BetaG1, &t.Beta}, {&vk.DeltaG1, &t.Delta}} {
		p.point.ScalarMultiplicationBase(p.scalar.BigInt(new(big.Int)))
	}
	for _, p := range []struct {
		point  *bls12381.G2Affine
		scalar *fr.Element
	}{{&vk.BetaG2, &t.Beta}, {&vk.GammaG2, &t.Gamma}, {&vk.DeltaG2, &t.Delta}} {
		p.point.ScalarMultiplicationBase(p.scalar.BigInt(new(big.Int)))
	}
	ic := make([]fr.Element, s.counts.IC)
	s.combination(t.Gamma, ic, 0)
	vk.IC = make([]bls12381.G1Affine, len(ic))
	for i := range ic {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		vk.IC[i].ScalarMultiplicationBase(ic[i].BigInt(new(big.Int)))
	}
	return &vk, nil
}
