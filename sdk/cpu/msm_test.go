package cpu

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"pgregory.net/rapid"
)

// logPatterns are the discrete logarithms of bases: what points can do to each
// other in a bucket.
var logPatterns = map[string]func(n int) []fr.Element{
	"random":   func(n int) []fr.Element { return testScalars(n, 21) },
	"equal":    func(n int) []fr.Element { return repeat(n, testScalars(1, 22)) },
	"opposite": func(n int) []fr.Element { return repeat(n, withNegative(testScalars(1, 23)[0])) },
	"few":      func(n int) []fr.Element { return repeat(n, testScalars(3, 24)) },
	"infinity": func(n int) []fr.Element { return make([]fr.Element, n) },
	"sprinkled infinity": func(n int) []fr.Element {
		logs := testScalars(n, 25)
		for i := range logs {
			if i%3 == 1 {
				logs[i].SetZero()
			}
		}
		return logs
	},
}

var scalarPatterns = map[string]func(n int) []fr.Element{
	"random":    func(n int) []fr.Element { return testScalars(n, 31) },
	"zero":      func(n int) []fr.Element { return make([]fr.Element, n) },
	"one":       func(n int) []fr.Element { return repeat(n, []fr.Element{fr.One()}) },
	"minus one": func(n int) []fr.Element { return repeat(n, withNegative(fr.One())[1:]) },
	"bits":      func(n int) []fr.Element { return repeat(n, []fr.Element{{}, fr.One(), {}}) },
	"equal":     func(n int) []fr.Element { return repeat(n, testScalars(1, 32)) },
	"opposite":  func(n int) []fr.Element { return repeat(n, withNegative(testScalars(1, 33)[0])) },
	"edges":     func(n int) []fr.Element { return repeat(n, edgeScalars()) },
	"small": func(n int) []fr.Element {
		scalars := make([]fr.Element, n)
		for i := range scalars {
			scalars[i].SetUint64(uint64(i))
		}
		return scalars
	},
}

func withNegative(x fr.Element) []fr.Element {
	var n fr.Element
	return []fr.Element{x, *n.Neg(&x)}
}

// repeat returns n elements, those of x over and over.
func repeat(n int, x []fr.Element) []fr.Element {
	y := make([]fr.Element, n)
	for i := range y {
		y[i] = x[i%len(x)]
	}
	return y
}

func TestMSM(t *testing.T) {
	sizes := []int{0, 1, 2, 31, 32, 33, 64, 300}
	if !testing.Short() {
		sizes = append(sizes, 63, 65, 3000)
	}
	for _, n := range sizes {
		for logName, logPattern := range logPatterns {
			logs := logPattern(n)
			p1, p2 := onG1(t, logs), onG2(t, logs)
			for scalarName, scalarPattern := range scalarPatterns {
				t.Run(fmt.Sprintf("%d/%s bases/%s scalars", n, logName, scalarName), func(t *testing.T) {
					scalars := scalarPattern(n)
					sum := inner(logs, scalars)
					d := openTest(t, 2)
					got1, err := d.MSMG1(t.Context(), montgomery(p1), frs(scalars))
					if want := expG1(&sum); err != nil || asG1(got1) != want {
						t.Errorf("G1: sum differs (error %v)", err)
					}
					got2, err := d.MSMG2(t.Context(), montgomery(p2), frs(scalars))
					if want := expG2(&sum); err != nil || asG2(got2) != want {
						t.Errorf("G2: sum differs (error %v)", err)
					}
				})
			}
		}
	}
}

// TestMSMSizes goes over lengths about powers of two, numbers of threads and
// encodings, against gnark-crypto.
func TestMSMSizes(t *testing.T) {
	sizes := []int{127, 128, 129, 1023, 1024, 1025}
	if !testing.Short() {
		sizes = append(sizes, 4095, 4096, 4097, 20000)
	}
	for _, n := range sizes {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			points, scalars := onG1(t, testScalars(n, 1)), testScalars(n, 2)
			var want bls12381.G1Affine
			if _, err := want.MultiExp(points, scalars, ecc.MultiExpConfig{}); err != nil {
				t.Fatal(err)
			}
			for _, threads := range []int{1, 3, 40} {
				for _, bases := range bothEncodings(points) {
					got, err := openTest(t, threads).MSMG1(t.Context(), bases, frs(scalars))
					if err != nil || asG1(got) != want {
						t.Errorf("%d threads, encoding %d: sum differs (error %v)", threads, bases.Encoding, err)
					}
				}
			}
		})
	}
}

func TestMSMProperty(t *testing.T) {
	pick := func(r *rapid.T, patterns map[string]func(int) []fr.Element, label string) func(int) []fr.Element {
		names := slices.Sorted(maps.Keys(patterns))
		return patterns[rapid.SampledFrom(names).Draw(r, label)]
	}
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(0, 600).Draw(r, "n")
		// Two patterns side by side meet in the same buckets.
		cut := rapid.IntRange(0, n).Draw(r, "cut")
		logs := append(pick(r, logPatterns, "bases")(cut), pick(r, logPatterns, "more bases")(n-cut)...)
		scalars := append(pick(r, scalarPatterns, "scalars")(cut), pick(r, scalarPatterns, "more scalars")(n-cut)...)
		d := openTest(t, rapid.IntRange(1, 5).Draw(r, "threads"))
		sum := inner(logs, scalars)
		got, err := d.MSMG1(t.Context(), fileOrder(onG1(t, logs)), frs(scalars))
		if want := expG1(&sum); err != nil || asG1(got) != want {
			r.Errorf("sum differs (error %v)", err)
		}
	})
}

// TestMSMWindows sums with every width of windows.
func TestMSMWindows(t *testing.T) {
	scalars := edgeScalars()
	logs := testScalars(len(scalars), 3)
	points, sum := onG1(t, logs), inner(logs, scalars)
	want := expG1(&sum)
	for width := minWidth; width <= maxWidth; width++ {
		w := newWindowing(width)
		sums := make([]bls12381.G1Affine, w.windows())
		for k := range sums {
			b := newBuckets[bls12381.G1Affine, g1](make([]bls12381.G1Affine, w.half()))
			win := w.window(k)
			for i := range scalars {
				s := w.recode(&scalars[i])
				digit, negative := win.digit(&s)
				if digit > uint64(w.half()) {
					t.Fatalf("width %d, window %d: digit %d, want at most %d", width, k, digit, w.half())
				}
				if digit != 0 {
					b.put(uint32(digit-1), points, i, negative)
				}
			}
			b.flush(points)
			sums[k] = b.weighted()
		}
		if got := (g1{}).horner(sums, width); got != want {
			t.Errorf("width %d: sum differs", width)
		}
	}
}
