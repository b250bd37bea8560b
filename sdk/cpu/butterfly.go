package cpu

import "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

// inCache is the length of transforms that the first-level cache holds; longer
// ones are halved first.
const inCache = 1 << 9

// dif transforms a, of power-of-two length, from natural to bit-reversed order
// (decimation in frequency), with r's roots.
func dif(a []fr.Element, r roots) {
	if len(a) <= inCache {
		for h := len(a) / 2; h >= 1; h /= 2 {
			for first := 0; first < len(a); first += 2 * h {
				difLayer(a[first:first+h], a[first+h:first+2*h], r[h:2*h])
			}
		}
		return
	}
	h := len(a) / 2
	difLayer(a[:h], a[h:], r[h:2*h])
	dif(a[:h], r)
	dif(a[h:], r)
}

// difLayer sets (x, y) to (x+y, (x-y)·w), element by element. The first w is
// one.
func difLayer(x, y, w []fr.Element) {
	fr.Butterfly(&x[0], &y[0])
	for j := 1; j < len(x) && j < len(y) && j < len(w); j++ {
		fr.Butterfly(&x[j], &y[j])
		y[j].Mul(&y[j], &w[j])
	}
}

// dit transforms a from bit-reversed to natural order (decimation in time).
func dit(a []fr.Element, r roots) {
	if len(a) <= inCache {
		for h := 1; h < len(a); h *= 2 {
			for first := 0; first < len(a); first += 2 * h {
				ditLayer(a[first:first+h], a[first+h:first+2*h], r[h:2*h])
			}
		}
		return
	}
	h := len(a) / 2
	dit(a[:h], r)
	dit(a[h:], r)
	ditLayer(a[:h], a[h:], r[h:2*h])
}

// ditLayer sets (x, y) to (x+y·w, x-y·w), element by element. The first w is
// one.
func ditLayer(x, y, w []fr.Element) {
	fr.Butterfly(&x[0], &y[0])
	for j := 1; j < len(x) && j < len(y) && j < len(w); j++ {
		y[j].Mul(&y[j], &w[j])
		fr.Butterfly(&x[j], &y[j])
	}
}

// multiply sets a[k] *= b[k].
func multiply(a, b []fr.Element) {
	for k := range min(len(a), len(b)) {
		a[k].Mul(&a[k], &b[k])
	}
}
