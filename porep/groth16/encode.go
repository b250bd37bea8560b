package groth16

import (
	"runtime"
	"sync"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/sealwright/sealwright/sdk"
)

// encodePoints1 writes points in file order to out (96 bytes each), on all
// processors.
func encodePoints1(out []byte, points []sdk.G1) {
	inRuns(len(points), func(from, to int) {
		for i := from; i < to; i++ {
			b := out[i*G1Uncompressed : (i+1)*G1Uncompressed]
			putFp(b, &points[i].X)
			putFp(b[fp.Bytes:], &points[i].Y)
			flagInfinite(b)
		}
	})
}

// encodePoints2 is encodePoints1 for G2 (192 bytes each).
func encodePoints2(out []byte, points []sdk.G2) {
	inRuns(len(points), func(from, to int) {
		for i := from; i < to; i++ {
			b := out[i*G2Uncompressed : (i+1)*G2Uncompressed]
			for k, c := range []*sdk.Fp{&points[i].X.A1, &points[i].X.A0, &points[i].Y.A1, &points[i].Y.A0} {
				putFp(b[k*fp.Bytes:], c)
			}
			flagInfinite(b)
		}
	})
}

func putFp(out []byte, e *sdk.Fp) {
	fp.BigEndian.PutElement((*[fp.Bytes]byte)(out), fp.Element(*e))
}

// flagInfinite sets the flag of infinity where all coordinates are zero, which no
// other point has.
func flagInfinite(b []byte) {
	for _, v := range b {
		if v != 0 {
			return
		}
	}
	b[0] = flagInfinity
}

// inRuns calls f for runs that cover [0, n), one goroutine a processor.
func inRuns(n int, f func(from, to int)) {
	each := max((n+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0), 1)
	var wg sync.WaitGroup
	for from := 0; from < n; from += each {
		wg.Go(func() { f(from, min(from+each, n)) })
	}
	wg.Wait()
}
