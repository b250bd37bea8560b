package main

import "testing"

func TestByteSizes(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "1073741824": 1 << 30, "256GiB": 256 << 30, "1.5 GiB": 3 << 29, "2KiB": 2048, "17B": 17, " 1MiB ": 1 << 20,
	} {
		if got, err := parseByteSize("memory", text); err != nil || got != want {
			t.Errorf("%q: %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "GiB", "-1", "1GB", "1e30", "NaN", "Inf", "2 KB", "8EiB"} {
		if got, err := parseByteSize("memory", text); err == nil || codeOf(err) != exitEnvironment {
			t.Errorf("%q: %d, %v, want wrong use", text, got, err)
		}
	}
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1024: "1.0 KiB", 3 << 29: "1.5 GiB"} {
		if got := byteSize(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
