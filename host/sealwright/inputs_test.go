package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// goodInputs returns the fields of an inputs file that is right.
func goodInputs() map[string]any {
	return map[string]any{
		"registered_proof": "StackedDrg2KiBV1_1",
		"miner":            "t01002",
		"sector":           1,
		"ticket":           strings.Repeat("c3", 32),
		"seed":             strings.Repeat("62", 32),
		"comm_r":           "bagboea4b5abcbnym7z3pgc64fk5wwsk3nsmz62jamgaa3pekzelmm3fv5q6g6zji",
		"comm_d":           "baga6ea4seaqpy7usqklokfx2vxuynmupslkeutzexe2uqurdg5vhtebhxqmpqmy",
	}
}

func TestParseInputs(t *testing.T) {
	hex32 := strings.Repeat("07", 32)
	for _, c := range []struct {
		name   string
		change map[string]any // nil removes
		err    string
	}{
		{"as it is", nil, ""},
		{"type by number", map[string]any{"registered_proof": 5}, ""},
		{"type by porep_id", map[string]any{"registered_proof": nil, "porep_id": "05" + strings.Repeat("0", 62)}, ""},
		{"type beside another porep_id", map[string]any{"porep_id": strings.Repeat("7f", 32)}, ""},
		{"prover id", map[string]any{"miner": nil, "prover_id": hex32}, ""},
		{"commitment in hex", map[string]any{"comm_r": hex32}, ""},
		{"commitment in hex that looks like a CID", map[string]any{"comm_d": "b" + hex32[1:]}, ""},

		{"no type", map[string]any{"registered_proof": nil}, "registered_proof: missing"},
		{"unknown type", map[string]any{"registered_proof": "StackedDrg1KiBV1"}, `registered_proof: found "StackedDrg1KiBV1", want`},
		{"wrong type of type", map[string]any{"registered_proof": []int{1}}, "registered_proof: found [1], want"},
		{"synthetic", map[string]any{"registered_proof": 10}, "synthetic proof, which is unsupported"},
		{"foreign porep_id alone", map[string]any{"registered_proof": nil, "porep_id": strings.Repeat("7f", 32)}, "porep_id: its first 8 bytes"},
		{"short porep_id", map[string]any{"porep_id": "05"}, "porep_id: found 1 bytes, want 32"},
		{"no miner", map[string]any{"miner": nil}, "prover_id: missing"},
		{"miner and prover", map[string]any{"prover_id": hex32}, "miner: found beside prover_id"},
		{"no sector", map[string]any{"sector": nil}, "sector: missing"},
		{"negative sector", map[string]any{"sector": -1}, "sector"},
		{"no ticket", map[string]any{"ticket": nil}, "ticket: missing"},
		{"ticket as a CID", map[string]any{"ticket": goodInputs()["comm_r"]}, "ticket: read"},
		{"comm_d's CID as comm_r", map[string]any{"comm_r": goodInputs()["comm_d"]}, "comm_r: read CID"},
		{"broken CID", map[string]any{"comm_r": "bagboea4b5"}, "comm_r: read CID"},
		{"unknown field", map[string]any{"tiket": hex32}, "tiket"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fields := goodInputs()
			for k, v := range c.change {
				if fields[k] = v; v == nil {
					delete(fields, k)
				}
			}
			data, err := json.Marshal(fields)
			if err != nil {
				t.Fatal(err)
			}
			_, err = parseInputs(data)
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("error %v, want %q", err, c.err)
			}
		})
	}
}

func TestParseInputsReadsWholeFile(t *testing.T) {
	for _, text := range []string{"", "null", "[]", "{", "{}x", "\ufeff{}"} {
		if _, err := parseInputs([]byte(text)); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

// FuzzInputs holds that an inputs file of any bytes gives values or an error.
func FuzzInputs(f *testing.F) {
	good, err := json.Marshal(goodInputs())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{"registered_proof":null,"porep_id":"` + strings.Repeat("00", 32) + `"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		in, err := parseInputs(data)
		if err == nil && in.Seal.Name == "" {
			t.Error("no error and no registered proof")
		}
	})
}
