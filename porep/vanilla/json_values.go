package vanilla

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// slabHashes is how many hashes are allocated at a time: 128 KiB.
const slabHashes = 4096

// take returns room for n hashes.
func (r *reader) take(n int) []Hash {
	if len(r.slab) < n {
		r.slab = make([]Hash, max(n, slabHashes))
	}
	room := r.slab[:0:n]
	r.slab = r.slab[n:]
	return room
}

// bytes32 reads 32 bytes that may hold anything.
func (r *reader) bytes32(h *Hash) error {
	if err := r.dec.Decode(h); err != nil {
		return r.wrong(err, "an array of 32 bytes")
	}
	return nil
}

// hash reads a canonical field element.
func (r *reader) hash(h *Hash) error {
	if err := r.bytes32(h); err != nil {
		return err
	}
	return r.checkCanonical(h)
}

func (r *reader) checkCanonical(h *Hash) error {
	if !h.canonical() {
		return r.fail("a field element below r, little-endian", h.String())
	}
	return nil
}

// hashes reads an array of n canonical field elements.
func (r *reader) hashes(n int) ([]Hash, error) {
	hashes := r.take(n)
	expected := func() string { return fmt.Sprintf("an array of %d hashes", n) }
	if err := r.dec.Decode(&hashes); err != nil {
		if len(hashes) > 0 {
			r.trail.at(len(hashes) - 1)
		}
		return nil, r.wrong(err, expected())
	}
	if len(hashes) != n {
		return nil, r.fail(expected(), strconv.Itoa(len(hashes)))
	}
	for i := range hashes {
		r.trail.at(i)
		if err := r.checkCanonical(&hashes[i]); err != nil {
			return nil, err
		}
		r.trail.up()
	}
	return hashes, nil
}

// number reads an integer from 0 to most.
func (r *reader) number(most uint64) (uint64, error) {
	expected := func() string { return fmt.Sprintf("an integer from 0 to %d", most) }
	t, err := r.dec.Token()
	if err != nil {
		return 0, r.wrong(err, expected())
	}
	text, ok := t.(json.Number)
	if !ok {
		return 0, r.fail(expected(), describeToken(t))
	}
	n, err := strconv.ParseUint(text.String(), 10, 64)
	if err != nil || n > most {
		return 0, r.fail(expected(), describeToken(t))
	}
	return n, nil
}

// text reads a string.
func (r *reader) text() (string, error) {
	t, err := r.token("a string")
	if err != nil {
		return "", err
	}
	s, ok := t.(string)
	if !ok {
		return "", r.fail("a string", describeToken(t))
	}
	return s, nil
}

// null reads a null.
func (r *reader) null() error {
	t, err := r.token("null")
	if err != nil {
		return err
	}
	if t != nil {
		return r.fail("null", describeToken(t))
	}
	return nil
}
