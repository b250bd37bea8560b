package srs

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/sealwright/sealwright/porep/groth16"
	"github.com/sealwright/sealwright/sdk"
)

// Section is a run of points in a proving key file.
type Section struct {
	Name   string
	Offset int64 // of the first point, after the count
	Bases  sdk.Bases
}

// parseKey reads the section table of a whole proving key file. It checks every
// point of the verifying key, every count against the others and the file's
// size to the byte, and no other point; sections share data's bytes. Errors
// are *groth16.KeyError.
func parseKey(data []byte) (*groth16.VerifyingKey, []Section, error) {
	if err := checkLooks(data); err != nil {
		return nil, nil, err
	}
	vk, used, err := groth16.ParseVerifyingKeyPrefix(data)
	if err != nil {
		return nil, nil, err
	}
	sections := []Section{
		{Name: "h", Bases: sdk.Bases{Group: sdk.GroupG1}},
		{Name: "l", Bases: sdk.Bases{Group: sdk.GroupG1}},
		{Name: "a", Bases: sdk.Bases{Group: sdk.GroupG1}},
		{Name: "b_g1", Bases: sdk.Bases{Group: sdk.GroupG1}},
		{Name: "b_g2", Bases: sdk.Bases{Group: sdk.GroupG2}},
	}
	offset := int64(used)
	for i := range sections {
		if offset, err = sections[i].parse(data, offset); err != nil {
			return nil, nil, err
		}
	}
	if offset != int64(len(data)) {
		return nil, nil, &groth16.KeyError{
			Section: "b_g2", Offset: offset, Expected: "the end of the file",
			Found: fmt.Sprintf("%d bytes more", int64(len(data))-offset),
		}
	}
	return vk, sections, checkCounts(len(vk.IC), sections)
}

// parse takes the section whose count is at offset and returns where it ends.
func (s *Section) parse(data []byte, offset int64) (int64, error) {
	left := int64(len(data)) - offset
	if left < groth16.CountBytes {
		return 0, &groth16.KeyError{
			Section: s.Name, Offset: offset,
			Expected: "a count of 4 bytes", Found: fmt.Sprintf("%d bytes (the file is cut short)", left),
		}
	}
	count := int64(binary.BigEndian.Uint32(data[offset:]))
	size := int64(s.Bases.PointBytes())
	left -= groth16.CountBytes
	if count*size > left {
		return 0, &groth16.KeyError{
			Section: s.Name, Offset: offset,
			Expected: fmt.Sprintf("%d points (%d bytes)", count, count*size),
			Found:    fmt.Sprintf("%d bytes (the file is cut short or the count is wrong)", left),
		}
	}
	s.Offset = offset + groth16.CountBytes
	end := s.Offset + count*size
	s.Bases.Encoding = sdk.FileOrder
	s.Bases.Data = data[s.Offset:end:end]
	return end, nil
}

// checkCounts holds the counts against each other: h is one short of a power of
// two, a and b take from the inputs and from the variables that l has.
func checkCounts(ic int, s []Section) error {
	h, l, a, b1, b2 := s[0].Bases.Len(), s[1].Bases.Len(), s[2].Bases.Len(), s[3].Bases.Len(), s[4].Bases.Len()
	bad := func(i int, expected string) error {
		return &groth16.KeyError{
			Section: s[i].Name, Offset: s[i].Offset - groth16.CountBytes,
			Expected: expected, Found: strconv.Itoa(s[i].Bases.Len()) + " points",
		}
	}
	switch {
	case h == 0 || h&(h+1) != 0:
		return bad(0, "one point fewer than a power of two")
	case h+1 < ic:
		return bad(0, fmt.Sprintf("at least the %d rows of the inputs", ic))
	case a < ic || a > ic+l:
		return bad(2, fmt.Sprintf("from %d to %d points (%d inputs, %d other variables)", ic, ic+l, ic, l))
	case b1 > ic+l:
		return bad(3, fmt.Sprintf("at most %d points (%d inputs, %d other variables)", ic+l, ic, l))
	case b2 != b1:
		return bad(4, fmt.Sprintf("%d points as in b_g1", b1))
	}
	return nil
}

// checkLooks recognizes what is no key at all: an empty file, a web server's
// error page saved under the key's name.
func checkLooks(data []byte) error {
	if len(data) == 0 {
		return &groth16.KeyError{Section: "header", Expected: "a key", Found: "an empty file (0 bytes)"}
	}
	head := bytes.ToLower(bytes.TrimLeft(data[:min(len(data), 512)], " \t\r\n\ufeff"))
	for _, tag := range []string{"<!doctype", "<html", "<head", "<?xml", "<body"} {
		if bytes.HasPrefix(head, []byte(tag)) {
			return &groth16.KeyError{
				Section: "header", Expected: "points", Found: "text that looks like an HTML error page, not parameters",
			}
		}
	}
	return nil
}
