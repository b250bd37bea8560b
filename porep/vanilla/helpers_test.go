package vanilla

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/sealwright/sealwright/porep/graph"
	"github.com/sealwright/sealwright/porep/registry"
)

// c1s are the C1 outputs in testdata and, where it is not the registered type's,
// their shape.
var c1s = []struct{ name, circuit string }{
	{"2k-A.c1", ""}, {"2k-B.c1", ""},
	{"8m-seed-8.c1", ""}, {"gevulot-8m.c1", ""},
	{"16k-sub8.c1", "porep-16k-sub8"}, {"32k-top2.c1", "porep-32k-top2"},
	{"c1/c1-2k", ""}, {"c1/c1-8m", ""}, {"c1/c1-512m", ""},
	{"c1/m1000-s1-2k", ""}, {"c1/m1000-s2-2k", ""},
}

// readInput returns a gzipped JSON of testdata.
func readInput(t testing.TB, name string) []byte {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name+".json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// readC1 parses a C1 output of testdata; an empty circuit leaves it the
// registered shape.
func readC1(t testing.TB, name, circuit string) *C1 {
	t.Helper()
	data := readInput(t, name)
	if circuit == "" {
		c1, err := ParseC1(data)
		if err != nil {
			t.Fatal(err)
		}
		return c1
	}
	shape, ok := registry.ShapeOf(circuit)
	if !ok {
		t.Fatalf("no shape %s", circuit)
	}
	c1, err := ParseC1WithShape(data, &shape)
	if err != nil {
		t.Fatal(err)
	}
	return c1
}

// vectorHash returns what the vectors derive from a label: SHA-256 with the two
// top bits cleared.
func vectorHash(label string) Hash { return graph.NodeHash([]byte(label)) }
