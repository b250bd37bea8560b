package vanilla

import (
	"runtime"
	"testing"
)

// BenchmarkParseC1 reads a 32 GiB C1 output, 38.6 MB.
func BenchmarkParseC1(b *testing.B) {
	data := readInput(b, "c1/c1-32g")
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	runtime.GC()
	for b.Loop() {
		if _, err := ParseC1(data); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCheckC1 checks a 32 GiB C1 output.
func BenchmarkCheckC1(b *testing.B) {
	c1 := readC1(b, "c1/c1-32g", "")
	b.ReportAllocs()
	for b.Loop() {
		if err := c1.Check(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
	}
}
