package vanilla

import "bytes"

// Parsing goes partition by partition on all cores. So the partitions, which are
// nearly all of the text, are cut out of it first, by brackets alone; what is
// left, the skeleton, has placeholder in place of each. The whole is right if
// the skeleton and every part are.

// placeholder stands for a partition in a skeleton. It is shorter than any array
// but the empty one.
const placeholder = "0"

// mostParts is how many partitions are cut out of a text at most. No proof has
// more; without a bound a text of empty arrays would take twenty times its size.
const mostParts = 256

// part is a piece of text that was cut out.
type part struct {
	text   []byte // of the input, not a copy
	offset int64  // in the input
	closed bool   // its brackets are
}

// skeleton is a text without its parts.
type skeleton struct {
	text  []byte
	parts []part
	at    []int64 // places of the parts in text
}

// cutPartitions cuts out every array that lies in an array in an object in the
// outermost object, {"vanilla_proofs":{"X":[HERE,HERE]}}, wherever that is.
func cutPartitions(data []byte) *skeleton {
	s := &skeleton{}
	var outer [3]byte // the outermost open brackets
	depth, start, copied := 0, 0, 0
	for i := 0; i < len(data) && depth >= 0; i++ {
		switch data[i] {
		case '"':
			i = stringEnd(data, i)
		case '[', '{':
			if depth < len(outer) {
				outer[depth] = data[i]
			} else if depth == len(outer) && data[i] == '[' && string(outer[:]) == "{{[" && len(s.parts) < mostParts {
				start = i
				s.text = append(s.text, data[copied:i]...)
				s.at = append(s.at, int64(len(s.text)))
				s.text = append(s.text, placeholder...)
				s.parts = append(s.parts, part{text: data[i:], offset: int64(i)})
				copied = len(data)
			}
			depth++
		case ']', '}':
			depth--
			if last := len(s.parts) - 1; depth == len(outer) && copied == len(data) && last >= 0 {
				s.parts[last].text, s.parts[last].closed = data[start:i+1], true
				copied = i + 1
			}
		}
	}
	s.text = append(s.text, data[copied:]...)
	return s
}

// stringEnd returns the place of the quote that ends the string which begins at
// i, or of the last byte.
func stringEnd(data []byte, i int) int {
	for i++; i < len(data); i++ {
		next := bytes.IndexAny(data[i:min(len(data), i+64)], `"\`)
		switch {
		case next < 0:
			i = min(len(data), i+64) - 1
		case data[i+next] == '\\':
			i += next + 1
		default:
			return i + next
		}
	}
	return len(data) - 1
}

// offset returns where in the input a place in the skeleton is.
func (s *skeleton) offset(at int64) int64 {
	shift := int64(0)
	for i := range s.at {
		if s.at[i] >= at {
			break
		}
		shift += int64(len(s.parts[i].text)) - 1
	}
	return at + shift
}
