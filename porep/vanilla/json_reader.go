package vanilla

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// reader walks a JSON text token by token, so that unknown, missing and repeated
// keys, which decoding into structures would let pass, are errors that name
// their place. Its methods return a *ParseError; after one it is of no more use.
type reader struct {
	dec    *json.Decoder
	format string
	origin func(at int64) int64 // where in the whole input a place in the text is
	trail  trail
	slab   []Hash
}

func newReader(format string, data []byte) *reader {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return &reader{dec: dec, format: format, origin: func(at int64) int64 { return at }}
}

// start refuses what is no JSON object in words of its own.
func (r *reader) start(data []byte) error {
	const object = "a JSON object"
	switch {
	case len(data) == 0:
		return r.fail(object, "an empty input")
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return r.fail(object, "a byte order mark")
	}
	return nil
}

// fail returns the error of the field that is being read.
func (r *reader) fail(expected, found string) error {
	return &ParseError{r.format, r.trail.String(), r.origin(r.dec.InputOffset()), expected, found}
}

// wrong turns an error of encoding/json into one of the field being read.
func (r *reader) wrong(err error, expected string) error {
	var bytesErr *byteArrayError
	var typeErr *json.UnmarshalTypeError
	var syntaxErr *json.SyntaxError
	switch {
	case errors.As(err, &bytesErr):
		return r.fail(bytesErr.expected, bytesErr.found)
	case errors.As(err, &typeErr):
		return r.fail(expected, describeGo(typeErr.Value))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return r.fail(expected, "the end of the input")
	case errors.As(err, &syntaxErr):
		return r.fail(expected, "bad JSON ("+err.Error()+")")
	}
	return r.fail(expected, err.Error())
}

// describeGo names a value as encoding/json does, with an article.
func describeGo(value string) string {
	if strings.HasPrefix(value, "array") || strings.HasPrefix(value, "object") {
		return "an " + value
	}
	return "a " + value
}

// describeToken names a token.
func describeToken(t json.Token) string {
	switch t := t.(type) {
	case json.Delim:
		return map[json.Delim]string{'{': "an object", '[': "an array", '}': "the object's end", ']': "the array's end"}[t]
	case string:
		return "the string " + short(t)
	case json.Number:
		return "the number " + strings.Trim(short(t.String()), `"`)
	case bool:
		return fmt.Sprintf("%t", t)
	}
	return "null"
}

// short quotes a text, cut to what fits into an error.
func short(s string) string {
	const most = 48
	if len(s) > most {
		s = s[:most] + "…"
	}
	return strconv.Quote(s)
}

// token reads the next token.
func (r *reader) token(expected string) (json.Token, error) {
	t, err := r.dec.Token()
	if err != nil {
		return nil, r.wrong(err, expected)
	}
	return t, nil
}

// open reads a bracket.
func (r *reader) open(delim json.Delim, expected string) error {
	t, err := r.token(expected)
	if err != nil {
		return err
	}
	if t != delim {
		return r.fail(expected, describeToken(t))
	}
	return nil
}

// field is a key of an object and what reads its value.
type field struct {
	name string
	read func() error
}

// object reads an object of exactly the given fields, in any order.
func (r *reader) object(fields ...field) error {
	if err := r.open('{', "an object"); err != nil {
		return err
	}
	seen := uint64(0)
	for r.dec.More() {
		if err := r.member(fields, &seen); err != nil {
			return err
		}
	}
	if err := r.open('}', "a key or the object's end"); err != nil {
		return err
	}
	for i, f := range fields {
		if seen>>i&1 == 0 {
			return r.fail("the key "+strconv.Quote(f.name), "an object without it")
		}
	}
	return nil
}

// member reads one key and its value.
func (r *reader) member(fields []field, seen *uint64) error {
	t, err := r.token("a key")
	if err != nil {
		return err
	}
	name, _ := t.(string)
	for i, f := range fields {
		if f.name != name {
			continue
		}
		if *seen>>i&1 == 1 {
			return r.fail("each key once", "the key "+short(name)+" again")
		}
		*seen |= 1 << i
		r.trail.key(name)
		if err := f.read(); err != nil {
			return err
		}
		r.trail.up()
		return nil
	}
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	return r.fail("one of "+strings.Join(names, ", "), "the key "+short(name))
}

// array reads an array of exactly n elements.
func (r *reader) array(n int, read func(i int) error) error {
	expected := fmt.Sprintf("an array of %d", n)
	if err := r.open('[', expected); err != nil {
		return err
	}
	count := 0
	for ; r.dec.More(); count++ {
		if count == n {
			return r.fail(expected, "more")
		}
		r.trail.at(count)
		if err := read(count); err != nil {
			return err
		}
		r.trail.up()
	}
	if err := r.open(']', "an element or the array's end"); err != nil {
		return err
	}
	if count < n {
		return r.fail(expected, strconv.Itoa(count))
	}
	return nil
}

// end reads nothing but blanks to the end of the text.
func (r *reader) end() error {
	t, err := r.dec.Token()
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return r.fail("the end of the input", "trailing bytes")
	}
	return r.fail("the end of the input", "trailing bytes, "+describeToken(t))
}
