package cpu

import (
	"math/bits"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

// recoded is a scalar made ready for signed windows: canonical, little-endian,
// with the bias of its windowing added, so that each signed digit is a window
// of bits less half the window's range and no carry runs between windows. The
// top bit says that all digits change sign: scalars above (r-1)/2 stand for
// r less themselves.
type recoded [4]uint64

const recodedNeg = 1 << 63

// windowing cuts 255-bit scalars into signed digits of a given width. Digits
// lie in [-half, half) with half = 2^(width-1), those of the top window in
// [0, half].
type windowing struct {
	width int
	bias  [4]uint64 // Σ half·2^(width·w) over all windows but the top one
}

const (
	scalarBits = 255
	// minWidth is the least width whose top digit stays within half.
	minWidth = 3
	maxWidth = 20
)

func newWindowing(width int) windowing {
	w := windowing{width: width}
	for k := range w.windows() - 1 {
		bit := width*k + width - 1
		w.bias[bit/64] |= 1 << (bit % 64)
	}
	return w
}

// windows returns the number of windows.
func (w *windowing) windows() int { return pieces(scalarBits, w.width) }

// half returns the greatest magnitude of a digit.
func (w *windowing) half() int { return 1 << (w.width - 1) }

// halfModulus is (r-1)/2, canonical.
var halfModulus = func() recoded {
	q := fr.Modulus()
	q.Rsh(q, 1)
	var h recoded
	for k, word := range q.Bits() {
		h[k] = uint64(word)
	}
	return h
}()

// recode readies one scalar.
func (w *windowing) recode(s *fr.Element) recoded {
	v := s.Bits()
	var sign uint64
	if above(&v, (*[4]uint64)(&halfModulus)) {
		var negative fr.Element
		negative.Neg(s)
		v = negative.Bits()
		sign = recodedNeg
	}
	var carry uint64
	for k := range v {
		v[k], carry = bits.Add64(v[k], w.bias[k], carry)
	}
	v[3] |= sign
	return v
}

// above says whether v > limit.
func above(v, limit *[4]uint64) bool {
	var borrow uint64
	for k := range v {
		_, borrow = bits.Sub64(limit[k], v[k], borrow)
	}
	return borrow != 0
}

// window reads one window of recoded scalars.
type window struct {
	word  int
	shift uint
	mask  uint64
	half  int64 // 0 in the top window
}

// window returns window k.
func (w *windowing) window(k int) window {
	bit := k * w.width
	width := min(w.width, scalarBits-bit)
	win := window{word: bit / 64, shift: uint(bit % 64), mask: 1<<width - 1}
	if k < w.windows()-1 {
		win.half = int64(w.half())
	}
	return win
}

// digit returns the magnitude of s's digit and whether it is negative.
func (w *window) digit(s *recoded) (magnitude uint64, negative bool) {
	v := s[w.word] >> w.shift
	if w.word < 3 {
		// A shift by 64 gives zero, as it should.
		v |= s[w.word+1] << (64 - w.shift)
	}
	d := int64(v&w.mask) - w.half
	sign := d >> 63
	return uint64((d ^ sign) - sign), (uint64(sign)^s[3])>>63 != 0
}
