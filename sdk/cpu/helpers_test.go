package cpu

import (
	"math/big"
	"testing"
	"unsafe"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"github.com/sealwright/sealwright/sdk"
)

// openTest opens a device on plain buffers. When the test ends it checks that
// all scratch came back.
func openTest(t testing.TB, threads int) *Device {
	t.Helper()
	heap := new(sdk.HeapBuffers)
	d, err := Open(sdk.DeviceConfig{Threads: threads, Buffers: heap, Progress: new(sdk.Progress)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
		if used := d.used.Load(); used != 0 {
			t.Errorf("%d bytes of scratch are still counted", used)
		}
		if stats := heap.Stats(sdk.BufferScratch); stats.Count != 0 {
			t.Errorf("%d scratch buffers are still alive", stats.Count)
		}
	})
	return d
}

// testScalars returns n reproducible scalars that look random.
func testScalars(n int, seed uint64) []fr.Element {
	scalars := make([]fr.Element, n)
	var x, step fr.Element
	x.SetUint64(seed + 3)
	x.Exp(x, big.NewInt(1<<40+12345))
	step.SetUint64(seed ^ 0x9e3779b97f4a7c15)
	for i := range scalars {
		x.Square(&x).Add(&x, &step)
		scalars[i] = x
	}
	return scalars
}

// edgeScalars returns numbers about 0 and the middle of the field, all single
// bits and runs of ones, and the negatives of all these.
func edgeScalars() []fr.Element {
	half := new(big.Int).Rsh(fr.Modulus(), 1)
	var scalars []fr.Element
	add := func(x *big.Int) {
		var s, n fr.Element
		s.SetBigInt(x)
		scalars = append(scalars, s, *n.Neg(&s))
	}
	for d := int64(-2); d <= 2; d++ {
		add(big.NewInt(d))
		add(new(big.Int).Add(half, big.NewInt(d)))
	}
	for bit := range uint(scalarBits) {
		one := new(big.Int).Lsh(big.NewInt(1), bit)
		add(one)
		if bit%7 == 0 {
			add(new(big.Int).Sub(one, big.NewInt(1)))
		}
	}
	return scalars
}

// onG1 returns the points logs[i]·generator.
func onG1(t testing.TB, logs []fr.Element) []bls12381.G1Affine {
	t.Helper()
	_, _, generator, _ := bls12381.Generators()
	points := make([]bls12381.G1Affine, len(logs))
	if err := fixedBase[bls12381.G1Affine, g1](t.Context(), openTest(t, 0), generator, frs(logs), points); err != nil {
		t.Fatal(err)
	}
	return points
}

// onG2 returns the points logs[i]·generator.
func onG2(t testing.TB, logs []fr.Element) []bls12381.G2Affine {
	t.Helper()
	_, _, _, generator := bls12381.Generators()
	points := make([]bls12381.G2Affine, len(logs))
	if err := fixedBase[bls12381.G2Affine, g2](t.Context(), openTest(t, 0), generator, frs(logs), points); err != nil {
		t.Fatal(err)
	}
	return points
}

// expG1 returns log·generator by gnark-crypto.
func expG1(log *fr.Element) (p bls12381.G1Affine) {
	return *p.ScalarMultiplicationBase(log.BigInt(new(big.Int)))
}

// expG2 returns log·generator by gnark-crypto.
func expG2(log *fr.Element) (p bls12381.G2Affine) {
	return *p.ScalarMultiplicationBase(log.BigInt(new(big.Int)))
}

// inner returns Σ x[i]·y[i].
func inner(x, y []fr.Element) (sum fr.Element) {
	var product fr.Element
	for i := range x {
		sum.Add(&sum, product.Mul(&x[i], &y[i]))
	}
	return sum
}

func frs(s []fr.Element) []sdk.Fr { return castSlice[sdk.Fr](s) }

func asG1(p sdk.G1) bls12381.G1Affine { return *(*bls12381.G1Affine)(unsafe.Pointer(&p)) }

func asG2(p sdk.G2) bls12381.G2Affine { return *(*bls12381.G2Affine)(unsafe.Pointer(&p)) }

// montgomery returns points as Bases in memory's layout.
func montgomery[P any](points []P) sdk.Bases {
	b := sdk.Bases{Group: sdk.GroupG1, Encoding: sdk.Montgomery, Data: castSlice[byte](points)}
	var p P
	if int(unsafe.Sizeof(p)) == sdk.G2Bytes {
		b.Group = sdk.GroupG2
	}
	return b
}

// fileOrder returns points as Bases in a key file's layout, by gnark-crypto's
// own encoder.
func fileOrder[P any](points []P) sdk.Bases {
	b := montgomery(points)
	b.Encoding = sdk.FileOrder
	data := make([]byte, 0, len(b.Data))
	for i := range points {
		switch p := any(&points[i]).(type) {
		case *bls12381.G1Affine:
			raw := p.RawBytes()
			data = append(data, raw[:]...)
		case *bls12381.G2Affine:
			raw := p.RawBytes()
			data = append(data, raw[:]...)
		}
	}
	b.Data = data
	return b
}

// bothEncodings returns points in memory's layout, in a key file's, and in
// memory's at an odd address.
func bothEncodings[P any](points []P) []sdk.Bases {
	m := montgomery(points)
	odd := m
	odd.Data = append(make([]byte, 1, len(m.Data)+1), m.Data...)[1:]
	return []sdk.Bases{m, fileOrder(points), odd}
}
