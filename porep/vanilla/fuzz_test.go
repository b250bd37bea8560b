package vanilla

import (
	"bytes"
	"testing"
)

// seeds adds whole and damaged inputs to a fuzz target.
func seeds(f *testing.F, inputs ...[]byte) {
	f.Helper()
	for _, data := range inputs {
		f.Add(data)
		f.Add(data[:len(data)/2])
		f.Add(append([]byte("\xef\xbb\xbf"), data...))
		f.Add(append(bytes.Clone(data), 0))
	}
	f.Add([]byte{})
	f.Add([]byte(`{"registered_proof":"StackedDrg2KiBV1_1","vanilla_proofs":{"StackedDrg2KiBV1":[0,[{}]]}}`))
	f.Add([]byte(`{"a":{"b":[[[[[["\"]}`))
}

// consistent wants a C1 output or an error, and a C1 output that Check can look
// at.
func consistent(t *testing.T, c1 *C1, err error) {
	t.Helper()
	if (c1 == nil) == (err == nil) {
		t.Fatalf("C1 output %v with error %v", c1, err)
	}
	if err != nil {
		if text := err.Error(); bytes.ContainsAny([]byte(text), "\n\r") || len(text) > 1000 {
			t.Fatalf("the error is no short line: %q", text)
		}
		return
	}
	if err := c1.checkShape(); err != nil {
		t.Fatalf("a parsed C1 output has another shape: %v", err)
	}
	_ = c1.Check(t.Context(), nil) // must not panic
}

func FuzzParseC1(f *testing.F) {
	seeds(f, readInput(f, "2k-A.c1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c1, err := ParseC1(data)
		consistent(t, c1, err)
	})
}

func FuzzParseEnvelope(f *testing.F) {
	seeds(f, envelope(readInput(f, "2k-A.c1"), nil), []byte(`{"SectorNum":1,"Phase1Out":"e30=","SectorSize":2048}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		in, err := Parse(data)
		if err != nil {
			consistent(t, nil, err)
			return
		}
		consistent(t, in.C1, nil)
	})
}

func FuzzParseWindowPoStSector(f *testing.F) {
	seeds(f, readPoSt(f, "101"), readPoSt(f, "102"))
	post := windowPoSt(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ParseWindowPoStSector(data, &post.Proof.Shape)
		if (s == nil) == (err == nil) {
			t.Fatalf("sector %v with error %v", s, err)
		}
		if err == nil {
			one := *post
			one.Sectors = []WindowPoStSector{*s}
			_ = one.Check(t.Context()) // must not panic
		}
	})
}

// FuzzCutPartitions puts a text together again from what was cut.
func FuzzCutPartitions(f *testing.F) {
	seeds(f, readInput(f, "2k-A.c1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		cut := cutPartitions(data)
		var whole []byte
		from := int64(0)
		for i, at := range cut.at {
			whole = append(whole, cut.text[from:at]...)
			if got := int64(len(whole)); got != cut.parts[i].offset || got != cut.offset(at) {
				t.Fatalf("part %d is at %d, want %d and %d", i, got, cut.parts[i].offset, cut.offset(at))
			}
			whole = append(whole, cut.parts[i].text...)
			from = at + int64(len(placeholder))
		}
		if whole = append(whole, cut.text[from:]...); !bytes.Equal(whole, data) {
			t.Fatal("what was cut is not the whole")
		}
	})
}
