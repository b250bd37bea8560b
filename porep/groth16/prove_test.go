package groth16_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/porep/groth16"
	"github.com/sealwright/sealwright/porep/groth16/groth16test"
	"github.com/sealwright/sealwright/porep/srs"
	"github.com/sealwright/sealwright/sdk"
	"pgregory.net/rapid"
)

// openKey makes a key of a circuit and maps it.
func openKey(tb testing.TB, c *sdk.Circuit) *srs.File {
	tb.Helper()
	bufs := new(sdk.HeapBuffers)
	var out bytes.Buffer
	_, err := groth16.Setup(context.Background(), groth16.SetupConfig{
		Circuit: c, Trapdoor: groth16.TrapdoorFromLabel("test"), Device: openCPU(tb, bufs), Buffers: bufs,
	}, &out)
	if err != nil {
		tb.Fatal(err)
	}
	return openBytes(tb, out.Bytes())
}

func openBytes(tb testing.TB, params []byte) *srs.File {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "key.params")
	if err := os.WriteFile(path, params, 0o600); err != nil {
		tb.Fatal(err)
	}
	f, err := srs.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := f.Close(); err != nil {
			tb.Error(err)
		}
	})
	return f
}

func layOut(tb testing.TB, c *sdk.Circuit, bufs sdk.Buffers) *groth16.Layout {
	tb.Helper()
	l, err := groth16.NewLayout(context.Background(), c, bufs)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(l.Release)
	return l
}

// prove runs all stages.
func prove(
	tb testing.TB, l *groth16.Layout, dev sdk.Device, f *srs.File, w *sdk.Witness, b groth16.Blinding, bufs sdk.Buffers,
) (*groth16.Proof, *groth16.Sums, *groth16.Report) {
	tb.Helper()
	rows, err := l.Assign(context.Background(), w, bufs)
	if err != nil {
		tb.Fatal(err)
	}
	sums, report, err := l.Prove(context.Background(), dev, f.Key(), w, rows, bufs)
	if err != nil {
		tb.Fatal(err)
	}
	return groth16.Finish(sums, f.Key().VK, b), sums, report
}

// plainDevice hides the optional interfaces of a device.
type plainDevice struct{ sdk.Device }

func TestRandomCircuitsProve(t *testing.T) {
	for seed := range uint64(4) {
		c := groth16test.Random(seed, 20+10*int(seed))
		f := openKey(t, c.Circuit)
		bufs := new(sdk.HeapBuffers)
		dev := openCPU(t, bufs)
		l := layOut(t, c.Circuit, bufs)
		if err := f.Match(l.Counts); err != nil {
			t.Fatal(err)
		}
		b := groth16.BlindingFromLabel("test", int(seed))
		full, _, _ := prove(t, l, dev, f, c.Witness, b, bufs)
		plain, _, _ := prove(t, l, plainDevice{dev}, f, c.Witness, b, bufs)
		if full.Bytes() != plain.Bytes() {
			t.Errorf("seed %d: a device without optional interfaces proves differently", seed)
		}
		verifyCase(t, f, c, full)
	}
}

// verifyCase holds that a proof is accepted, and rejected with any public input
// changed.
func verifyCase(t *testing.T, f *srs.File, c *groth16test.Case, p *groth16.Proof) {
	t.Helper()
	k, err := f.Key().VK.Prepare()
	if err != nil {
		t.Fatal(err)
	}
	inputs := c.PublicInputs()
	if err := k.Verify(p, inputs); err != nil {
		t.Errorf("%d inputs: %v", len(inputs), err)
	}
	one := fr.One()
	for i := range inputs {
		inputs[i].Add(&inputs[i], &one)
		if err := k.Verify(p, inputs); !errors.Is(err, groth16.ErrRejected) {
			t.Errorf("input %d plus one: got %v", i, err)
		}
		inputs[i].Sub(&inputs[i], &one)
	}
}

func TestAssignEqualsRows(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := groth16test.Random(rapid.Uint64().Draw(rt, "seed"), rapid.IntRange(4, 60).Draw(rt, "gadgets"))
		bufs := new(sdk.HeapBuffers)
		l := layOut(t, c.Circuit, bufs)
		got, err := l.Assign(context.Background(), c.Witness, bufs)
		if err != nil {
			rt.Fatal(err)
		}
		defer got.Release()
		a, b, z := c.Products()
		for _, v := range c.Witness.Fields[:c.Circuit.NumInputs] {
			a = append(a, fr.Element(v))
			b, z = append(b, fr.Element{}), append(z, fr.Element{})
		}
		for i := range l.Domain {
			var wantA, wantB, wantC fr.Element
			if i < len(a) {
				wantA, wantB, wantC = a[i], b[i], z[i]
			}
			gotA, gotB := fr.Element(got.A.Frs()[i]), fr.Element(got.B.Frs()[i])
			if gotA != wantA || gotB != wantB {
				rt.Fatalf("row %d of %d differs", i, len(a))
			}
			if gotA.Mul(&gotA, &gotB); gotA != wantC {
				rt.Fatalf("row %d of %d is not satisfied", i, len(a))
			}
		}
	})
}

func TestProveGivesMemoryBack(t *testing.T) {
	c := groth16test.Random(7, 30)
	f := openKey(t, c.Circuit)
	devBufs, bufs := new(sdk.HeapBuffers), new(sdk.HeapBuffers)
	dev := openCPU(t, devBufs)
	l := layOut(t, c.Circuit, bufs)
	want := groth16.MemoryOf(c.Circuit)
	if got := bufs.Stats(sdk.BufferSRS); got.Bytes != want.Layout {
		t.Errorf("layout holds %d bytes, MemoryOf says %d", got.Bytes, want.Layout)
	}
	prove(t, l, plainDevice{dev}, f, c.Witness, groth16.Blinding{}, bufs)
	for kind, limit := range map[sdk.BufferKind]int64{
		sdk.BufferProvers: want.Vectors + want.Third, sdk.BufferAux: want.Aux,
	} {
		got := bufs.Stats(kind)
		if got.Count != 0 || got.Bytes != 0 || got.HighWater > limit || got.HighWater == 0 {
			t.Errorf("%s: %+v, want none left and at most %d", kind, got, limit)
		}
	}
}

// failingDevice fails at its n-th operation.
type failingDevice struct {
	sdk.Device
	left int
}

var errDevice = errors.New("device says no")

func (d *failingDevice) fail() error {
	if d.left--; d.left < 0 {
		return errDevice
	}
	return nil
}

func (d *failingDevice) MSMG1(ctx context.Context, b sdk.Bases, s []sdk.Fr) (sdk.G1, error) {
	if err := d.fail(); err != nil {
		return sdk.G1{}, err
	}
	return d.Device.MSMG1(ctx, b, s)
}

func (d *failingDevice) MSMG2(ctx context.Context, b sdk.Bases, s []sdk.Fr) (sdk.G2, error) {
	if err := d.fail(); err != nil {
		return sdk.G2{}, err
	}
	return d.Device.MSMG2(ctx, b, s)
}

func (d *failingDevice) NTT(ctx context.Context, v []sdk.Fr, t sdk.Transform) error {
	if err := d.fail(); err != nil {
		return err
	}
	return d.Device.NTT(ctx, v, t)
}

func TestProveFailureLeavesNothing(t *testing.T) {
	c := groth16test.Random(3, 24)
	f := openKey(t, c.Circuit)
	dev := openCPU(t, new(sdk.HeapBuffers))
	for n := 0; ; n++ {
		bufs := new(sdk.HeapBuffers)
		l, err := groth16.NewLayout(t.Context(), c.Circuit, bufs)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := l.Assign(t.Context(), c.Witness, bufs)
		if err != nil {
			t.Fatal(err)
		}
		_, report, err := l.Prove(t.Context(), &failingDevice{dev, n}, f.Key(), c.Witness, rows, bufs)
		l.Release()
		for kind := sdk.BufferInput; kind < sdk.BufferKinds; kind++ {
			if s := bufs.Stats(kind); s.Count != 0 {
				t.Errorf("failure at operation %d: %d buffers of %s left", n, s.Count, kind)
			}
		}
		if err == nil {
			if n < 10 {
				t.Errorf("only %d operations", n)
			}
			return
		}
		if !errors.Is(err, errDevice) || report == nil {
			t.Fatalf("operation %d: got %v, report %v", n, err, report)
		}
	}
}

func TestCancelled(t *testing.T) {
	c := groth16test.Random(3, 24)
	f := openKey(t, c.Circuit)
	bufs := new(sdk.HeapBuffers)
	dev := openCPU(t, bufs)
	l := layOut(t, c.Circuit, bufs)
	rows, err := l.Assign(t.Context(), c.Witness, bufs)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := l.Prove(ctx, dev, f.Key(), c.Witness, rows, bufs); !errors.Is(err, context.Canceled) {
		t.Errorf("prove: got %v", err)
	}
	if _, err := l.Assign(ctx, c.Witness, bufs); !errors.Is(err, context.Canceled) {
		t.Errorf("assign: got %v", err)
	}
	if _, err := groth16.NewLayout(ctx, c.Circuit, bufs); !errors.Is(err, context.Canceled) {
		t.Errorf("lay out: got %v", err)
	}
	if s := bufs.Stats(sdk.BufferProvers); s.Count != 0 {
		t.Errorf("%d vectors left", s.Count)
	}
}

func TestProveRefusesAnotherKey(t *testing.T) {
	c, other := groth16test.Random(1, 24), groth16test.Random(2, 60)
	f := openKey(t, other.Circuit)
	bufs := new(sdk.HeapBuffers)
	l := layOut(t, c.Circuit, bufs)
	rows, err := l.Assign(t.Context(), c.Witness, bufs)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := l.Prove(t.Context(), openCPU(t, bufs), f.Key(), c.Witness, rows, bufs); !errors.Is(err, sdk.ErrInvalidInput) {
		t.Errorf("got %v", err)
	}
	if _, _, err := layOut(t, other.Circuit, bufs).Prove(t.Context(), openCPU(t, bufs), f.Key(), other.Witness, rows, bufs); !errors.Is(err, sdk.ErrInvalidInput) {
		t.Errorf("vectors given back: got %v", err)
	}
	if _, err := l.Assign(t.Context(), &sdk.Witness{}, bufs); !errors.Is(err, sdk.ErrInvalidInput) {
		t.Errorf("empty witness: got %v", err)
	}
}
