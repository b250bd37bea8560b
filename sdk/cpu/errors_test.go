package cpu

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"

	"github.com/sealwright/sealwright/sdk"
)

func TestOpenRefuses(t *testing.T) {
	heap := new(sdk.HeapBuffers)
	for _, test := range []struct {
		name string
		cfg  sdk.DeviceConfig
		want error
	}{
		{"another id", sdk.DeviceConfig{ID: "gpu", Buffers: heap}, sdk.ErrNoDevice},
		{"no buffers", sdk.DeviceConfig{}, sdk.ErrInvalidInput},
		{"negative threads", sdk.DeviceConfig{Buffers: heap, Threads: -1}, sdk.ErrInvalidInput},
		{"negative budget", sdk.DeviceConfig{Buffers: heap, DeviceBytes: -1}, sdk.ErrInvalidInput},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := New().Open(t.Context(), test.cfg); !errors.Is(err, test.want) {
				t.Errorf("error is %v, want %v", err, test.want)
			}
		})
	}
}

func TestInputRefused(t *testing.T) {
	d := openTest(t, 2)
	ctx := t.Context()
	points1, points2 := onG1(t, testScalars(100, 1)), onG2(t, testScalars(100, 1))
	scalars := frs(testScalars(100, 2))
	vector := frs(testScalars(8, 3))
	ragged := montgomery(points1)
	ragged.Data = ragged.Data[:len(ragged.Data)-1]
	for _, test := range []struct {
		name string
		call func() error
		text string
	}{
		{"ragged bases", func() error { _, err := d.MSMG1(ctx, ragged, scalars); return err }, "no whole number"},
		{"scalars missing", func() error { _, err := d.MSMG1(ctx, montgomery(points1), scalars[1:]); return err }, "99 scalars for 100"},
		{"G2 for G1", func() error { _, err := d.MSMG1(ctx, montgomery(points2), scalars); return err }, "group is G2, want G1"},
		{"G1 for G2", func() error { _, err := d.MSMG2(ctx, montgomery(points1), scalars); return err }, "group is G1, want G2"},
		{"no encoding", func() error {
			_, err := d.MSMG1(ctx, sdk.Bases{Group: sdk.GroupG1}, nil)
			return err
		}, "unknown encoding"},
		{"mask too short", func() error { _, err := d.MaskSumG1(ctx, montgomery(points1), []uint64{1}); return err }, "1 words"},
		{"mask too wide", func() error {
			_, err := d.MaskSumG1(ctx, montgomery(points1), []uint64{0, 1 << 36})
			return err
		}, "bit past the 100 bases"},
		{"no vector", func() error { return d.NTT(ctx, nil, sdk.Transform{}) }, "0 elements"},
		{"odd vector", func() error { return d.NTT(ctx, vector[:7], sdk.Transform{}) }, "7 elements"},
		{"odd quotient", func() error { return d.Quotient(ctx, vector[:3], vector[3:6]) }, "3 elements"},
		{"unequal quotient", func() error { return d.Quotient(ctx, vector[:4], vector[4:6]) }, "b has 2 elements and a has 4"},
		{"quotient of itself", func() error { return d.Quotient(ctx, vector, vector) }, "same memory"},
		{"products missing", func() error { return d.FixedBaseG1(ctx, sdk.G1{}, scalars, nil) }, "100 scalars into 0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := test.call()
			if !errors.Is(err, sdk.ErrInvalidInput) || !strings.Contains(err.Error(), test.text) {
				t.Errorf("error is %q, want %q with %q", err, sdk.ErrInvalidInput, test.text)
			}
		})
	}
}

// TestFileOrderRefused damages one point of a key's section in each way there
// is.
func TestFileOrderRefused(t *testing.T) {
	const n, bad = 300, 171
	modulus := fp.Modulus().FillBytes(make([]byte, fp.Bytes))
	for _, test := range []struct {
		name   string
		damage func(point []byte)
		text   string
	}{
		{"compressed", func(p []byte) { p[0] |= flagCompressed }, "flags 0x80"},
		{"sign", func(p []byte) { p[0] |= flagSign }, "flags 0x20"},
		{"infinity with coordinates", func(p []byte) { p[0] |= flagInfinity }, "infinity flag with nonzero"},
		{"first coordinate too large", func(p []byte) { copy(p, modulus) }, "coordinate 1 of"},
		{"last coordinate too large", func(p []byte) { copy(p[len(p)-fp.Bytes:], modulus) }, "is not below the modulus"},
		{"flipped bit", func(p []byte) { p[len(p)-1] ^= 1 }, "not on the curve"},
		{"zeros", func(p []byte) { clear(p) }, "not on the curve"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := openTest(t, 2)
			scalars := testScalars(n, 2)
			mask, _ := maskOf(n, func(int) bool { return true })
			others, _ := maskOf(n, func(i int) bool { return i != bad })
			check := func(err error, group string) {
				t.Helper()
				if want := group + " point 171: "; !errors.Is(err, sdk.ErrInvalidInput) ||
					!strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), test.text) {
					t.Errorf("error is %q, want %q with %q and %q", err, sdk.ErrInvalidInput, want, test.text)
				}
			}
			b1, b2 := fileOrder(onG1(t, testScalars(n, 1))), fileOrder(onG2(t, testScalars(n, 1)))
			test.damage(b1.Data[bad*sdk.G1Bytes:][:sdk.G1Bytes])
			test.damage(b2.Data[bad*sdk.G2Bytes:][:sdk.G2Bytes])
			_, err := d.MSMG1(t.Context(), b1, frs(scalars))
			check(err, "G1")
			_, err = d.MSMG2(t.Context(), b2, frs(scalars))
			check(err, "G2")
			_, err = d.MaskSumG1(t.Context(), b1, mask)
			check(err, "G1")
			if _, err = d.MaskSumG1(t.Context(), b1, others); err != nil {
				t.Errorf("the point is not selected, error is %v", err)
			}
		})
	}
}

// TestContextEnds calls with an ended context and with one that ends in the
// middle, at a Get of scratch; openTest checks that memory comes back.
func TestContextEnds(t *testing.T) {
	d := openTest(t, 2)
	points, scalars := montgomery(onG1(t, testScalars(2000, 1))), frs(testScalars(1<<12, 2))
	mask, _ := maskOf(2000, parity)
	out := make([]sdk.G1, len(scalars))
	other := frs(testScalars(1<<12, 3))
	calls := map[string]func(ctx context.Context) error{
		"MSM":        func(ctx context.Context) error { _, err := d.MSMG1(ctx, points, scalars[:2000]); return err },
		"mask sum":   func(ctx context.Context) error { _, err := d.MaskSumG1(ctx, points, mask); return err },
		"NTT":        func(ctx context.Context) error { return d.NTT(ctx, scalars, sdk.Transform{}) },
		"quotient":   func(ctx context.Context) error { return d.Quotient(ctx, scalars, other) },
		"fixed base": func(ctx context.Context) error { return d.FixedBaseG1(ctx, out[0], scalars, out) },
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if err := call(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("error is %v, want %v", err, context.Canceled)
			}
			for looks := range 12 {
				ctx := &countdown{Context: t.Context()}
				ctx.left.Store(int64(looks))
				if err := call(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("after %d looks the error is %v, want none or %v", looks, err, context.DeadlineExceeded)
				}
			}
		})
	}
}

// countdown is a context that ends after some looks at it.
type countdown struct {
	context.Context
	left atomic.Int64
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.DeadlineExceeded
	}
	return nil
}
