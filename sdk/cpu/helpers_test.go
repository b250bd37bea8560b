package cpu

import (
	"math/big"
	"testing"
	"unsafe"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"github.com/sealwright/sealwright/sdk"
)

// openTest opens a device on plain buffers; it checks in the end that all
// scratch came back.
func openTest(t testing.TB, threads int) *Device {
	t.Helper()
	heap := new(sdk.HeapBuffers)
	d, err := Open(sdk.DeviceConfig{Threads: threads, Buffers: heap, Progress: new(sdk.Progress)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if used := d.used.Load() - d.tables.bytes(); used != 0 {
			t.Errorf("%d bytes of scratch are still counted", used)
		}
		d.Close()
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

// testG1 returns n distinct points, successive multiples of one.
func testG1(n int) []bls12381.G1Affine {
	_, _, g, _ := bls12381.Generators()
	points := make([]bls12381.G1Affine, n)
	if n == 0 {
		return points
	}
	d := &Device{threads: 2, slots: make(chan struct{}, 2), buffers: new(sdk.HeapBuffers)}
	base := *(*sdk.G1)(unsafe.Pointer(&g))
	if err := d.FixedBaseG1(ctxTest, base, frs(testScalars(n, 77)), castSlice[sdk.G1](points)); err != nil {
		panic(err)
	}
	return points
}

// testG2 is testG1 for G2.
func testG2(n int) []bls12381.G2Affine {
	_, _, _, g := bls12381.Generators()
	points := make([]bls12381.G2Affine, n)
	if n == 0 {
		return points
	}
	d := &Device{threads: 2, slots: make(chan struct{}, 2), buffers: new(sdk.HeapBuffers)}
	base := *(*sdk.G2)(unsafe.Pointer(&g))
	if err := d.FixedBaseG2(ctxTest, base, frs(testScalars(n, 78)), castSlice[sdk.G2](points)); err != nil {
		panic(err)
	}
	return points
}

func frs(s []fr.Element) []sdk.Fr { return castSlice[sdk.Fr](s) }

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

func asG1(p sdk.G1) bls12381.G1Affine { return *(*bls12381.G1Affine)(unsafe.Pointer(&p)) }
func asG2(p sdk.G2) bls12381.G2Affine { return *(*bls12381.G2Affine)(unsafe.Pointer(&p)) }

// bothEncodings returns points in memory's layout, in a key file's, and in
// memory's at an odd address.
func bothEncodings[P any](points []P) []sdk.Bases {
	m := montgomery(points)
	odd := m
	odd.Data = append(make([]byte, 1, len(m.Data)+1), m.Data...)[1:]
	return []sdk.Bases{m, fileOrder(points), odd}
}
