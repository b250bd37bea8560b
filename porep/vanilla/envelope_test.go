package vanilla

import (
	"encoding/base64"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// envelope puts a C1 output into the form that miners send.
func envelope(c1 []byte, change func(map[string]any)) []byte {
	fields := map[string]any{"SectorNum": 7, "Phase1Out": base64.StdEncoding.EncodeToString(c1), "SectorSize": 2048}
	if change != nil {
		change(fields)
	}
	data, _ := json.Marshal(fields)
	return data
}

// TestParseEnvelope reads a real miner's envelope and what is in it alike.
func TestParseEnvelope(t *testing.T) {
	in, err := Parse(readInput(t, "gevulot-8m.envelope"))
	if err != nil {
		t.Fatal(err)
	}
	if want := (Envelope{Sector: 1498, SectorSize: 8 << 20}); in.Envelope == nil || *in.Envelope != want {
		t.Errorf("the envelope is %+v, want %+v", in.Envelope, want)
	}
	bare, err := Parse(in.Bare)
	if err != nil {
		t.Fatal(err)
	}
	if bare.Envelope != nil || !reflect.DeepEqual(bare.C1, in.C1) {
		t.Error("the bare C1 output reads otherwise")
	}
	id := MinerIdentity(1006, in.Envelope.Sector)
	if err := in.C1.Check(t.Context(), &id); err != nil {
		t.Error(err)
	}
}

func TestParseEnvelopeRefuses(t *testing.T) {
	c1 := readInput(t, "2k-A.c1")
	text := func(encode func([]byte) string) func(map[string]any) {
		return func(f map[string]any) { f["Phase1Out"] = encode(c1) }
	}
	for _, c := range []struct {
		name   string
		change func(map[string]any)
		want   string
	}{
		{"another size", func(f map[string]any) { f["SectorSize"] = 4096 }, "SectorSize: at byte"},
		{"no size", func(f map[string]any) { delete(f, "SectorSize") }, `expected the key "SectorSize"`},
		{"size a string", func(f map[string]any) { f["SectorSize"] = "2048" }, `found the string "2048"`},
		{"negative sector", func(f map[string]any) { f["SectorNum"] = -1 }, "SectorNum: at byte"},
		{"sector beyond", func(f map[string]any) { f["SectorNum"] = uint64(1) << 63 }, "SectorNum: at byte"},
		{"no sector", func(f map[string]any) { delete(f, "SectorNum") }, `expected the key "SectorNum"`},
		{"unknown key", func(f map[string]any) { f["Extra"] = 1 }, `found the key "Extra"`},
		{"no output", func(f map[string]any) { f["Phase1Out"] = "" }, "Phase1Out: parse C1 output: at byte 0: found an empty input"},
		{"output null", func(f map[string]any) { f["Phase1Out"] = nil }, "Phase1Out: at byte"},
		{"output bare", func(f map[string]any) { f["Phase1Out"] = json.RawMessage(c1) }, "found an object, expected a string"},
		{"truncated output", func(f map[string]any) {
			f["Phase1Out"] = base64.StdEncoding.EncodeToString(c1[:5000])
		}, "found the end of the input"},
		{"base64url", text(func(b []byte) string {
			return strings.NewReplacer("+", "-", "/", "_").Replace(base64.StdEncoding.EncodeToString(append([]byte("\xff\xff\xfe"), b...)))
		}), "found something else at character 0"},
		{"no padding", text(func(b []byte) string {
			return base64.RawStdEncoding.EncodeToString(b[:len(b)-len(b)%3-1])
		}), "expected padded standard base64"},
		{"line breaks", text(func(b []byte) string {
			s := base64.StdEncoding.EncodeToString(b)
			return s[:76] + "\r\n" + s[76:]
		}), "found a line break at character 76"},
		{"an envelope in it", text(func(b []byte) string {
			return base64.StdEncoding.EncodeToString(envelope(b, nil))
		}), "Phase1Out: parse C1 output"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse(envelope(c1, c.change))
			checkRefusal(t, err, c.want)
		})
	}
	_, err := Parse(append(envelope(c1, nil), '!'))
	checkRefusal(t, err, "found trailing bytes")
	_, err = Parse([]byte(strings.Replace(string(envelope(c1, nil)), `"SectorNum"`, `"SectorSize":2048,"SectorNum"`, 1)))
	checkRefusal(t, err, "again, expected each key once")
}
