package vanilla

import (
	"encoding/binary"
	"fmt"
)

// bincodeReader reads the reference's bincode: integers little-endian of fixed
// width, lengths of 8 bytes, enum variants of 4. After an error, which it keeps,
// it reads zeros. Nothing is allocated by a length that it reads.
type bincodeReader struct {
	format string
	data   []byte
	offset int
	trail  trail
	err    error
}

func (r *bincodeReader) fail(expected, found string) {
	if r.err == nil {
		r.err = &ParseError{r.format, r.trail.String(), int64(r.offset), expected, found}
	}
}

// next returns the next n bytes, or nil.
func (r *bincodeReader) next(n int) []byte {
	if left := len(r.data) - r.offset; r.err == nil && left < n {
		r.fail(fmt.Sprintf("%d bytes", n), fmt.Sprintf("%d to the end of the input", left))
	}
	if r.err != nil {
		return nil
	}
	r.offset += n
	return r.data[r.offset-n : r.offset]
}

func (r *bincodeReader) u64() uint64 {
	if b := r.next(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (r *bincodeReader) u32() uint32 {
	if b := r.next(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// at reads a field under its name.
func (r *bincodeReader) at(name string, read func()) {
	if r.err != nil {
		return
	}
	r.trail.key(name)
	read()
	r.trail.up()
}

// hash reads a canonical field element.
func (r *bincodeReader) hash(h *Hash) {
	b := r.next(len(h))
	copy(h[:], b)
	if b != nil && !h.canonical() {
		r.fail("a field element below r, little-endian", h.String())
	}
}

// list reads a list of exactly n elements.
func (r *bincodeReader) list(n int, read func(i int)) {
	if found := r.u64(); r.err == nil && found != uint64(n) {
		r.fail(fmt.Sprintf("a list of %d", n), fmt.Sprint(found))
	}
	for i := 0; i < n && r.err == nil; i++ {
		r.trail.at(i)
		read(i)
		r.trail.up()
	}
}

// end refuses trailing bytes.
func (r *bincodeReader) end() error {
	if left := len(r.data) - r.offset; r.err == nil && left > 0 {
		r.fail("the end of the input", fmt.Sprintf("%d trailing bytes", left))
	}
	return r.err
}
