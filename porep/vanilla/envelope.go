package vanilla

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
)

const envelopeFormat = "envelope"

// Envelope is what miners put around a C1 output on its way to the prover.
type Envelope struct {
	Sector     uint64 // the sector's number
	SectorSize uint64 // bytes, equal to the C1 output's
}

// Input is what a miner hands over for a seal proof.
type Input struct {
	C1       *C1
	Envelope *Envelope // nil: the C1 output came bare
	Bare     []byte    // the C1 output's JSON; without an envelope the caller's own bytes
}

// Parse reads a C1 output, bare or in its envelope
//
//	{"SectorNum":N,"Phase1Out":"BASE64","SectorSize":BYTES}
//
// where Phase1Out is the bare form in padded standard base64. Errors are, or
// wrap, a *ParseError.
func Parse(data []byte) (*Input, error) {
	switch firstKey(data) {
	case "SectorNum", "Phase1Out", "SectorSize":
		return parseEnvelope(data)
	}
	c1, err := ParseC1(data)
	if err != nil {
		return nil, err
	}
	return &Input{C1: c1, Bare: data}, nil
}

// firstKey returns the first key of a JSON object, or nothing.
func firstKey(data []byte) string {
	dec := json.NewDecoder(bytes.NewReader(data))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return ""
	}
	t, err := dec.Token()
	if err != nil {
		return ""
	}
	key, _ := t.(string)
	return key
}

func parseEnvelope(data []byte) (*Input, error) {
	r := newReader(envelopeFormat, data)
	envelope, bare := new(Envelope), []byte(nil)
	err := r.object(
		field{"SectorNum", func() (err error) {
			envelope.Sector, err = r.number(math.MaxInt64)
			return err
		}},
		field{"Phase1Out", func() (err error) {
			bare, err = r.base64()
			return err
		}},
		field{"SectorSize", func() (err error) {
			envelope.SectorSize, err = r.number(math.MaxUint64)
			return err
		}},
	)
	if err != nil {
		return nil, err
	}
	if err := r.end(); err != nil {
		return nil, err
	}
	c1, err := ParseC1(bare)
	if err != nil {
		return nil, fmt.Errorf("parse %s: Phase1Out: %w", envelopeFormat, err)
	}
	if size := c1.Seal.Shape.SectorSize; size != envelope.SectorSize {
		r.trail.key("SectorSize")
		return nil, r.fail(fmt.Sprintf("%d, as Phase1Out is %s", size, c1.Seal.Name), fmt.Sprint(envelope.SectorSize))
	}
	return &Input{C1: c1, Envelope: envelope, Bare: bare}, nil
}

// base64 reads a string of padded standard base64.
func (r *reader) base64() ([]byte, error) {
	const expected = "padded standard base64"
	text, err := r.text()
	if err != nil {
		return nil, err
	}
	if at := strings.IndexAny(text, "\r\n"); at >= 0 {
		return nil, r.fail(expected, fmt.Sprintf("a line break at character %d", at))
	}
	data, err := base64.StdEncoding.Strict().DecodeString(text)
	var corrupt base64.CorruptInputError
	switch {
	case errors.As(err, &corrupt):
		return nil, r.fail(expected, fmt.Sprintf("something else at character %d of %d", int64(corrupt), len(text)))
	case err != nil:
		return nil, r.fail(expected, err.Error())
	}
	return data, nil
}
