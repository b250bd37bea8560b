package vanilla

import (
	"encoding/hex"
	"fmt"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

// String returns the bytes in hex, in the order in which they are held.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// Element returns the hash as a field element. ok is false where it is not
// canonical.
func (h *Hash) Element() (e fr.Element, ok bool) {
	e, err := fr.LittleEndian.Element((*[fr.Bytes]byte)(h))
	return e, err == nil
}

// hashOf returns the bytes of a field element.
func hashOf(e *fr.Element) (h Hash) {
	fr.LittleEndian.PutElement((*[fr.Bytes]byte)(&h), *e)
	return h
}

// canonical tells whether the hash, as a little-endian integer, is below r.
func (h *Hash) canonical() bool {
	_, ok := h.Element()
	return ok
}

// byteArrayError says where an array of 32 bytes is malformed.
type byteArrayError struct{ expected, found string }

func (e *byteArrayError) Error() string {
	return fmt.Sprintf("read 32 bytes: found %s, expected %s", e.found, e.expected)
}

// UnmarshalJSON reads an array of 32 decimal bytes. It is called a third of a
// million times for a 32 GiB sector, hence no reflection on the bytes.
func (h *Hash) UnmarshalJSON(data []byte) error {
	if len(data) == 0 || data[0] != '[' {
		return &byteArrayError{"an array of 32 bytes", describeJSON(data)}
	}
	i := 1
	for n := range h {
		for i < len(data) && isSpace(data[i]) {
			i++
		}
		start, value := i, 0
		for i < len(data) && i < start+3 && '0' <= data[i] && data[i] <= '9' {
			value = 10*value + int(data[i]-'0')
			i++
		}
		end := i
		for i < len(data) && isSpace(data[i]) {
			i++
		}
		separator := byte(',')
		if n == len(h)-1 {
			separator = ']'
		}
		switch {
		case start < len(data) && data[start] == ']':
			return &byteArrayError{"32 bytes", fmt.Sprintf("%d", n)}
		case end == start || i >= len(data) || value > 255:
			return &byteArrayError{"a byte", fmt.Sprintf("%s at place %d", describeJSON(data[start:]), n)}
		case data[i] == separator:
			i++
		case data[i] == ',':
			return &byteArrayError{"32 bytes", "more"}
		case data[i] == ']':
			return &byteArrayError{"32 bytes", fmt.Sprintf("%d", n+1)}
		default:
			return &byteArrayError{"a byte", fmt.Sprintf("%s at place %d", describeJSON(data[start:]), n)}
		}
		h[n] = byte(value)
	}
	return nil
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// describeJSON names the value that valid JSON begins with.
func describeJSON(data []byte) string {
	if len(data) == 0 {
		return "nothing"
	}
	switch data[0] {
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "an array"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	const shown = 24
	end := 0
	for end < len(data) && end < shown && data[end] != ',' && data[end] != ']' && data[end] != '}' && !isSpace(data[end]) {
		end++
	}
	return string(data[:end])
}
