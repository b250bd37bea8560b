package vanilla

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/sealwright/sealwright/porep/registry"
	"pgregory.net/rapid"
)

func TestParseC1(t *testing.T) {
	for _, c := range c1s {
		t.Run(c.name, func(t *testing.T) {
			c1 := readC1(t, c.name, c.circuit)
			shape := &c1.Seal.Shape
			if len(c1.Partitions) != shape.Partitions || len(c1.Partitions[0]) != shape.Challenges {
				t.Fatalf("%d partitions, want %d", len(c1.Partitions), shape.Partitions)
			}
			first := &c1.Partitions[0][0]
			if got, want := first.Column.Path.Index(), first.Node(); got != want {
				t.Errorf("the opening of tree C is at %d, want %d", got, want)
			}
		})
	}
}

// edit is a change to a C1 output's text.
type edit func(t *testing.T, text string) string

// swap replaces the n-th (from 0) of a text.
func swap(from, to string, n int) edit {
	return func(t *testing.T, text string) string {
		t.Helper()
		at := 0
		for range n + 1 {
			next := strings.Index(text[at:], from)
			if next < 0 {
				t.Fatalf("no %q", from)
			}
			at += next + len(from)
		}
		return text[:at-len(from)] + to + text[at:]
	}
}

// inTree changes the JSON as a value: fn gets the first challenge.
func inTree(fn func(top, challenge map[string]any)) edit {
	return func(t *testing.T, text string) string {
		t.Helper()
		var top map[string]any
		if err := json.Unmarshal([]byte(text), &top); err != nil {
			t.Fatal(err)
		}
		partitions := top["vanilla_proofs"].(map[string]any)["StackedDrg2KiBV1"].([]any)
		fn(top, partitions[0].([]any)[0].(map[string]any))
		out, err := json.Marshal(top)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
}

// at returns the value at the end of a way of keys and indices.
func at(v any, way ...any) any {
	for _, step := range way {
		switch step := step.(type) {
		case string:
			v = v.(map[string]any)[step]
		case int:
			v = v.([]any)[step]
		}
	}
	return v
}

// notCanonical is r itself.
func notCanonical() []any {
	h := Hash{0x01, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xfe, 0x5b, 0xfe, 0xff, 0x02, 0xa4, 0xbd, 0x53,
		0x05, 0xd8, 0xa1, 0x09, 0x08, 0xd8, 0x39, 0x33, 0x48, 0x7d, 0x9d, 0x29, 0x53, 0xa7, 0xed, 0x73}
	list := make([]any, len(h))
	for i := range h {
		list[i] = h[i]
	}
	return list
}

const (
	single = "StackedDrg2KiBV1[0][0]"
	hashes = "vanilla_proofs." + single + ".comm_d_proofs.data.Single.path.path[0].hashes"
)

func TestParseC1Refuses(t *testing.T) {
	for _, c := range []struct {
		name string
		edit edit
		want string // in the error
	}{
		{"empty", func(*testing.T, string) string { return "" }, "at byte 0: found an empty input, expected a JSON object"},
		{"blank", func(*testing.T, string) string { return " \n" }, "found the end of the input, expected an object"},
		{"byte order mark", func(_ *testing.T, s string) string { return "\xef\xbb\xbf" + s }, "found a byte order mark"},
		{"NUL", func(_ *testing.T, s string) string { return "\x00" + s }, "bad JSON"},
		{"NUL inside", swap(`"comm_r"`, "\x00\"comm_r\"", 0), "bad JSON"},
		{"HTML", func(*testing.T, string) string { return "<html></html>" }, "bad JSON"},
		{"array", func(*testing.T, string) string { return "[]" }, "found an array, expected an object"},
		{"string", func(*testing.T, string) string { return `"c1"` }, `found the string "c1", expected an object`},
		{"null", func(*testing.T, string) string { return "null" }, "found null, expected an object"},
		{"trailing byte", func(_ *testing.T, s string) string { return s + "x" }, "found trailing bytes, expected the end of the input"},
		{"trailing object", func(_ *testing.T, s string) string { return s + "{}" }, "found trailing bytes, an object"},
		{"twice", func(_ *testing.T, s string) string { return s + s }, "found trailing bytes"},
		{"unknown type", swap("StackedDrg2KiBV1_1", "StackedDrg4KiBV1_1", 0), `registered_proof: at byte 40: found the unsupported type "StackedDrg4KiBV1_1"`},
		{"synthetic", swap("StackedDrg2KiBV1_1", "StackedDrg2KiBV1_1_Feat_SyntheticPoRep", 0), "which is synthetic and unsupported"},
		{"non-interactive", swap("StackedDrg2KiBV1_1", "StackedDrg2KiBV1_2_Feat_NonInteractivePoRep", 0), "which is non-interactive and unsupported"},
		{"another size", swap("StackedDrg2KiBV1_1", "StackedDrg8MiBV1_1", 0), `found the key "StackedDrg2KiBV1", expected the key "StackedDrg8MiBV1"`},
		{"wrong vanilla key", swap(`"StackedDrg2KiBV1"`, `"StackedDrg2KiBV1_1"`, 0), `vanilla_proofs: `},
		{"two vanilla keys", swap(`"StackedDrg2KiBV1":`, `"StackedDrg2KiBV1":[],"X":`, 0), "expected the object's end, there being one key"},
		{"no vanilla key", inTree(func(top, _ map[string]any) { top["vanilla_proofs"] = map[string]any{} }), "vanilla_proofs: "},
		{"no partition", inTree(func(top, _ map[string]any) { top["vanilla_proofs"] = map[string]any{"StackedDrg2KiBV1": []any{}} }), "StackedDrg2KiBV1: at byte"},
		{"partition a number", inTree(func(top, _ map[string]any) { top["vanilla_proofs"] = map[string]any{"StackedDrg2KiBV1": []any{0}} }), "found a number in it"},
		{"partition an object", inTree(func(top, _ map[string]any) {
			top["vanilla_proofs"] = map[string]any{"StackedDrg2KiBV1": []any{map[string]any{}}}
		}), "StackedDrg2KiBV1[0]: at byte"},
		{"two partitions", inTree(func(top, _ map[string]any) {
			v := top["vanilla_proofs"].(map[string]any)
			list := v["StackedDrg2KiBV1"].([]any)
			v["StackedDrg2KiBV1"] = append(list, list[0])
		}), "found 2, expected an array of 1"},
		{"thousands of partitions", swap(`[[{`, "["+strings.Repeat("[],", 5000)+"[{", 0), "found more, expected at most 256 partitions"},
		{"three challenges", inTree(func(top, _ map[string]any) {
			list := at(top, "vanilla_proofs", "StackedDrg2KiBV1").([]any)
			list[0] = append(list[0].([]any), list[0].([]any)[0])
		}), "StackedDrg2KiBV1[0]: at byte"},
		{"unknown key", swap(`"comm_r":`, `"extra":1,"comm_r":`, 0), `found the key "extra", expected one of registered_proof, `},
		{"key in another case", swap(`"comm_r":`, `"Comm_R":`, 0), `found the key "Comm_R"`},
		{"repeated key", swap(`"comm_r":`, `"seed":[],"comm_r":`, 0), "seed: at byte"},
		{"key again", func(_ *testing.T, s string) string {
			return strings.TrimSuffix(s, "}") + `,"registered_proof":"StackedDrg2KiBV1_1"}`
		}, `found the key "registered_proof" again, expected each key once`},
		{"missing key", inTree(func(top, _ map[string]any) { delete(top, "ticket") }), `expected the key "ticket"`},
		{"missing key inside", inTree(func(_, c map[string]any) { delete(c, "encoding_proof") }), `expected the key "encoding_proof"`},
		{"unknown key inside", inTree(func(_, c map[string]any) { c["x"] = 1 }), "vanilla_proofs." + single + ": at byte"},
		{"hash of 31", inTree(func(top, _ map[string]any) { top["comm_r"] = top["comm_r"].([]any)[1:] }), "comm_r: at byte"},
		{"hash of 33", inTree(func(top, _ map[string]any) { top["comm_r"] = append(top["comm_r"].([]any), 1) }), "found more, expected 32 bytes"},
		{"hash of 0", inTree(func(top, _ map[string]any) { top["comm_r"] = []any{} }), "found 0, expected 32 bytes"},
		{"hash a string", inTree(func(top, _ map[string]any) { top["comm_r"] = "00" }), "comm_r: at byte"},
		{"hash null", inTree(func(top, _ map[string]any) { top["comm_r"] = nil }), "found null, expected an array of 32 bytes"},
		{"byte of 256", inTree(func(top, _ map[string]any) { top["seed"].([]any)[5] = 256 }), "seed: at byte"},
		{"byte of -1", inTree(func(top, _ map[string]any) { top["seed"].([]any)[5] = -1 }), "found -1 at place 5, expected a byte"},
		{"byte of 1.5", inTree(func(top, _ map[string]any) { top["seed"].([]any)[31] = 1.5 }), "found 1.5 at place 31, expected a byte"},
		{"byte of 1e1", func(t *testing.T, s string) string { return swap(`"seed":[`, `"seed":[1e1,`, 0)(t, s) }, "found 1e1 at place 0, expected a byte"},
		{"byte a string", inTree(func(top, _ map[string]any) { top["seed"].([]any)[0] = "1" }), "found a string at place 0"},
		{"commitment of r", inTree(func(top, _ map[string]any) { top["comm_d"] = notCanonical() }), "expected a field element below r"},
		{"sibling of r", inTree(func(_, c map[string]any) {
			at(c, "comm_d_proofs", "data", "Single", "path", "path", 0, "hashes").([]any)[0] = notCanonical()
		}), hashes + "[0]: at byte"},
		{"sibling of 31", inTree(func(_, c map[string]any) {
			at(c, "comm_r_last_proof", "data", "Single", "path", "path", 1, "hashes").([]any)[3] = []any{1}
		}), single + ".comm_r_last_proof.data.Single.path.path[1].hashes[3]: at byte"},
		{"sibling missing", inTree(func(_, c map[string]any) {
			step := at(c, "comm_r_last_proof", "data", "Single", "path", "path", 1).(map[string]any)
			step["hashes"] = step["hashes"].([]any)[1:]
		}), "hashes: at byte"},
		{"siblings null", inTree(func(_, c map[string]any) {
			at(c, "comm_r_last_proof", "data", "Single", "path", "path", 1).(map[string]any)["hashes"] = nil
		}), "found 0, expected an array of 7 hashes"},
		{"place of 8", inTree(func(_, c map[string]any) {
			at(c, "comm_r_last_proof", "data", "Single", "path", "path", 1).(map[string]any)["index"] = 8
		}), "found the number 8, expected an integer from 0 to 7"},
		{"place of 1.0", func(t *testing.T, s string) string { return swap(`"index":0`, `"index":0.0`, 0)(t, s) }, "found the number 0.0"},
		{"level missing", inTree(func(_, c map[string]any) {
			path := at(c, "comm_d_proofs", "data", "Single", "path").(map[string]any)
			path["path"] = path["path"].([]any)[1:]
		}), "found 5, expected an array of 6"},
		{"sub tree", swap(`"Single"`, `"Sub"`, 1), `found the key "Sub", expected one of Single`},
		{"column of r rows", inTree(func(_, c map[string]any) {
			at(c, "replica_column_proofs", "c_x", "column", "rows").([]any)[1] = notCanonical()
		}), "replica_column_proofs.c_x.column.rows[1]: at byte"},
		{"_h", inTree(func(_, c map[string]any) {
			at(c, "replica_column_proofs", "drg_parents", 2, "column").(map[string]any)["_h"] = 1
		}), "drg_parents[2].column._h: at byte"},
		{"column beyond", inTree(func(_, c map[string]any) {
			at(c, "replica_column_proofs", "exp_parents", 7, "column").(map[string]any)["index"] = 1 << 32
		}), "expected an integer from 0 to 4294967295"},
		{"node a string", inTree(func(_, c map[string]any) { at(c, "labeling_proofs", 0).(map[string]any)["node"] = "1" }), "labeling_proofs[0].node: at byte"},
		{"layer negative", inTree(func(_, c map[string]any) { c["encoding_proof"].(map[string]any)["layer_index"] = -1 }), "encoding_proof.layer_index: at byte"},
		{"label missing", inTree(func(_, c map[string]any) { c["labeling_proofs"] = c["labeling_proofs"].([]any)[1:] }), "found 1, expected an array of 2"},
		{"parent missing", inTree(func(_, c map[string]any) {
			l := at(c, "labeling_proofs", 1).(map[string]any)
			l["parents"] = l["parents"].([]any)[1:]
		}), "found 36, expected an array of 37 hashes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse([]byte(c.edit(t, string(readInput(t, "2k-A.c1")))))
			checkRefusal(t, err, c.want)
		})
	}
}

// checkRefusal wants one line about something.
func checkRefusal(t *testing.T, err error, want string) {
	t.Helper()
	var parseErr *ParseError
	if !errors.As(err, &parseErr) {
		t.Fatalf("the error is %v, want a ParseError", err)
	}
	if text := err.Error(); !strings.Contains(text, want) || strings.ContainsAny(text, "\n\r") {
		t.Errorf("the error is %q, want one line about %q", text, want)
	}
}

// TestParseC1Truncated cuts a C1 output in thousands of places.
func TestParseC1Truncated(t *testing.T) {
	data := readInput(t, "2k-A.c1")
	step := 37
	if testing.Short() {
		step = 197
	}
	for n := 0; n < len(data); n += step {
		if c1, err := ParseC1(data[:n]); err == nil || c1 != nil {
			t.Fatalf("cut to %d bytes it is accepted", n)
		}
	}
	_, err := ParseC1(data[:len(data)/2])
	checkRefusal(t, err, single[:len(single)-2]+"1]")
	checkRefusal(t, err, "found the end of the input")
}

// TestParseC1AnyForm reads the same from other spellings of the same JSON.
func TestParseC1AnyForm(t *testing.T) {
	data := readInput(t, "2k-A.c1")
	want, err := ParseC1(data)
	if err != nil {
		t.Fatal(err)
	}
	var tree any
	if err := json.Unmarshal(data, &tree); err != nil {
		t.Fatal(err)
	}
	sorted, err := json.Marshal(tree) // keys by name: vanilla_proofs last
	if err != nil {
		t.Fatal(err)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, data, "", "\t"); err != nil {
		t.Fatal(err)
	}
	first := strings.Replace(string(data), `"registered_proof":"StackedDrg2KiBV1_1",`, "", 1)
	first = strings.TrimSuffix(first, "}") + `,"registered_proof":"StackedDrg2KiBV1_1"}`
	for name, text := range map[string][]byte{
		"sorted": sorted, "indented": indented.Bytes(), "partitions first": []byte(first), "newline": append(bytes.Clone(data), "\r\n\t "...),
		"escaped": bytes.Replace(data, []byte(`"comm_r"`), []byte(`"comm_\u0072"`), 1),
	} {
		got, err := ParseC1(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: it reads otherwise", name)
		}
	}
}

// TestParseC1Labelled refuses a small sector that is labelled as a large one.
func TestParseC1Labelled(t *testing.T) {
	data := readInput(t, "16k-sub8.c1")
	_, err := ParseC1(data)
	checkRefusal(t, err, "found 1, expected an array of 10")
	shape, _ := registry.ShapeOf("porep-16k-sub8")
	shape.Tree = registry.Tree{Base: 8}
	_, err = ParseC1WithShape(data, &shape)
	checkRefusal(t, err, `found the key "Sub", expected one of Single`)
}

// TestHashJSON reads every hash that encoding/json writes, in any spacing.
func TestHashJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := Hash(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "hash"))
		list := make([]int, len(want))
		for i, b := range want {
			list[i] = int(b)
		}
		data, err := json.MarshalIndent(list, "", rapid.SampledFrom([]string{"", " ", "\t\t"}).Draw(t, "indent"))
		if err != nil {
			t.Fatal(err)
		}
		var got Hash
		if err := json.Unmarshal(data, &got); err != nil || got != want {
			t.Fatalf("%s reads as %s, %v", data, got, err)
		}
		if e, ok := want.Element(); ok != want.canonical() || (ok && hashOf(&e) != want) {
			t.Fatalf("%s: canonical is %t and %t", want, ok, want.canonical())
		}
	})
}
