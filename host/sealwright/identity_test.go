package main

import (
	"encoding/hex"
	"strings"
	"testing"
)

func TestProverOfAddress(t *testing.T) {
	for _, c := range []struct{ in, want, err string }{
		{in: "f01006", want: "ee07"},
		{in: "t01000", want: "e807"},
		{in: "f00", want: "00"},
		{in: "f0127", want: "7f"},
		{in: "f0128", want: "8001"},
		{in: "f018446744073709551615", err: "f018446744073709551615"}, // the address format ends at 2^63-1
		{in: "f09223372036854775807", want: "ffffffffffffffff7f"},
		{in: "1000", err: "want an id address"},
		{in: "f1abjxfbp274xpdqcpuaykwkfb43omjotacm2p3za", err: "no id address"},
		{in: "f0", err: "want an id address"},
	} {
		got, err := proverOfAddress(c.in)
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: error %v, want one with %q", c.in, err, c.err)
			}
		case err != nil:
			t.Errorf("%s: %v", c.in, err)
		default:
			want := c.want + strings.Repeat("0", 64-len(c.want))
			if s := hex.EncodeToString(got[:]); s != want {
				t.Errorf("%s: %s, want %s", c.in, s, want)
			}
		}
	}
}

func TestBytes32(t *testing.T) {
	good := strings.Repeat("0a", 32)
	for _, c := range []struct{ in, err string }{
		{good, ""},
		{"0x" + good, ""},
		{good[2:], "found 31 bytes, want 32"},
		{good + "00", "found 33 bytes, want 32"},
		{"zz" + good[2:], "want 64 hex digits"},
		{good[1:], "want 64 hex digits"},
		{"", "found 0 bytes, want 32"},
	} {
		_, err := bytes32(c.in)
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: error %v, want %q", c.in, err, c.err)
		}
	}
}
