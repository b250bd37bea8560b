package circuit

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/porep/vanilla"
	"github.com/sealwright/sealwright/sdk"
)

// referenceVector is the reference's digest of a vector of scalars: SHA-256 of
// its canonical 32-byte little-endian elements, whole and of its prefixes.
type referenceVector struct {
	Len         int      `json:"len"`
	PrefixEvery int      `json:"prefix_every"`
	Prefixes    []string `json:"prefix_sha256"`
	SHA256      string   `json:"sha256"`
}

// referenceWitness is what the reference publishes of a partition.
type referenceWitness struct {
	Witness struct {
		Aux    referenceVector `json:"aux"`
		Inputs referenceVector `json:"inputs"`
	} `json:"witness"`
	Rows *struct{ A, B, C referenceVector } `json:"rows"`
}

func readWitnesses(t testing.TB) map[string]referenceWitness {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "witness", "reference.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]referenceWitness
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// compare digests elements as they come and compares with the reference.
func (v *referenceVector) compare(t *testing.T, name string, elements func(yield func(fr.Element) bool)) {
	t.Helper()
	h := sha256.New()
	var buf [fr.Bytes]byte
	n := 0
	for e := range elements {
		fr.LittleEndian.PutElement(&buf, e)
		h.Write(buf[:])
		n++
		if v.PrefixEvery > 0 && n%v.PrefixEvery == 0 && n/v.PrefixEvery <= len(v.Prefixes) {
			if got := hex.EncodeToString(h.Sum(nil)); got != v.Prefixes[n/v.PrefixEvery-1] {
				t.Fatalf("%s: the first %d elements digest to %s, expected %s", name, n, got, v.Prefixes[n/v.PrefixEvery-1])
			}
		}
	}
	if got := hex.EncodeToString(h.Sum(nil)); n != v.Len || got != v.SHA256 {
		t.Fatalf("%s: %d elements digest to %s, expected %d and %s", name, n, got, v.Len, v.SHA256)
	}
}

// auxOf goes through a witness's aux variables in order.
func auxOf(c *sdk.Circuit, w *sdk.Witness) func(yield func(fr.Element) bool) {
	return func(yield func(fr.Element) bool) {
		for i := range c.Instances {
			in := &c.Instances[i]
			bit, field := in.Bit, in.Field
			for _, l := range localsOf(&c.Templates[in.Template]) {
				var e fr.Element
				if l.kind == sdk.Field {
					e = fr.Element(w.Fields[field])
					field++
				} else {
					e.SetUint64(bitOf(w.Bit(bit)))
					bit++
				}
				if !yield(e) {
					return
				}
			}
		}
	}
}

func elementsOf(fields []sdk.Fr) func(yield func(fr.Element) bool) {
	return func(yield func(fr.Element) bool) {
		for _, e := range fields {
			if !yield(fr.Element(e)) {
				return
			}
		}
	}
}

// rowsOf goes through one matrix's rows times the witness, the input-consistency
// rows last.
func rowsOf(c *sdk.Circuit, w *sdk.Witness, pick func(*sdk.Template) *sdk.Matrix) func(yield func(fr.Element) bool) {
	return func(yield func(fr.Element) bool) {
		e := newEvaluator(c, w)
		for i := range c.Instances {
			e.at(i)
			for row := range e.template.Rows {
				if !yield(e.row(pick(e.template), row)) {
					return
				}
			}
		}
		var blank sdk.Template
		for i := range c.NumInputs {
			value := fr.Element{}
			if pick(&blank) == &blank.A {
				value = fr.Element(w.Fields[i])
			}
			if !yield(value) {
				return
			}
		}
	}
}

// poRepCases are the sectors whose witnesses the reference publishes.
var poRepCases = []struct{ name, circuit string }{
	{"2k-A", "porep-2k"},
	{"2k-B", "porep-2k"},
	{"16k-sub8", "porep-16k-sub8"},
	{"32k-top2", "porep-32k-top2"},
}

func TestPoRepWitnessesEqualReference(t *testing.T) {
	reference := readWitnesses(t)
	for _, test := range poRepCases {
		t.Run(test.name, func(t *testing.T) {
			p := compile(t, test.circuit)
			want := reference[test.name]
			if testing.Short() && test.name != "2k-A" {
				want.Rows = nil
			}
			compareWitness(t, p, poRepSecrets(t, test.name+".c1.json.gz"), want)
		})
	}
}

func TestWindowPoStWitnessEqualsReference(t *testing.T) {
	compareWitness(t, compile(t, "wpost-2k"), windowPoStSecrets(t), readWitnesses(t)["windowpost-2k"])
}

// windowPoStSecrets are those of the reference's two sectors.
func windowPoStSecrets(t testing.TB) *Secrets {
	t.Helper()
	secrets, err := WindowPoStSecrets(readWindowPoSt(t))
	if err != nil {
		t.Fatal(err)
	}
	return secrets
}

func readWindowPoSt(t testing.TB) *vanilla.WindowPoSt {
	t.Helper()
	proof, ok := registry.WindowPoStByNumber(10)
	if !ok {
		t.Fatal("no WindowPoSt of 2 KiB")
	}
	w := &vanilla.WindowPoSt{Proof: proof}
	for _, sector := range []string{"101", "102"} {
		data, err := os.ReadFile(filepath.Join(vanillaData, "windowpost-2k.sector"+sector+".vanilla.bincode"))
		if err != nil {
			t.Fatal(err)
		}
		s, err := vanilla.ParseWindowPoStSector(data, &proof.Shape)
		if err != nil {
			t.Fatal(err)
		}
		w.Sectors = append(w.Sectors, *s)
	}
	return w
}

// compareWitness computes a witness, compares it and its rows with the reference
// and checks that it satisfies the circuit.
func compareWitness(t *testing.T, p *Program, secrets *Secrets, want referenceWitness) {
	t.Helper()
	var bufs sdk.HeapBuffers
	w, err := p.Witness(t.Context(), secrets, &bufs)
	if err != nil {
		t.Fatal(err)
	}
	want.Witness.Inputs.compare(t, "inputs", elementsOf(w.Fields[:p.Circuit.NumInputs]))
	want.Witness.Aux.compare(t, "aux", auxOf(p.Circuit, &w.Witness))
	if err := Check(t.Context(), p.Circuit, &w.Witness); err != nil {
		t.Error(err)
	}
	if rows := want.Rows; rows != nil {
		rows.A.compare(t, "A·z", rowsOf(p.Circuit, &w.Witness, func(t *sdk.Template) *sdk.Matrix { return &t.A }))
		rows.B.compare(t, "B·z", rowsOf(p.Circuit, &w.Witness, func(t *sdk.Template) *sdk.Matrix { return &t.B }))
		rows.C.compare(t, "C·z", rowsOf(p.Circuit, &w.Witness, func(t *sdk.Template) *sdk.Matrix { return &t.C }))
	}
	w.Release()
	if s := bufs.Stats(sdk.BufferSynth); s.Count != 0 || s.Bytes != 0 {
		t.Errorf("%d buffers of %d bytes are left after Release", s.Count, s.Bytes)
	}
}

func compile(t testing.TB, id string) *Program {
	t.Helper()
	p, err := Compile(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// vanillaData is where package vanilla keeps its test data.
var vanillaData = filepath.Join("..", "vanilla", "testdata")

// readC1 parses a compressed C1 output. Those of the shape circuits are labelled
// as other sizes.
func readC1(t testing.TB, name string) *vanilla.C1 {
	t.Helper()
	f, err := os.Open(filepath.Join(vanillaData, filepath.FromSlash(name)))
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
	parse := vanilla.ParseC1
	if shape, ok := registry.ShapeOf("porep-" + strings.TrimSuffix(name, ".c1.json.gz")); ok {
		parse = func(data []byte) (*vanilla.C1, error) { return vanilla.ParseC1WithShape(data, &shape) }
	}
	c1, err := parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return c1
}

// poRepSecrets are those of a C1 output's partition 0.
func poRepSecrets(t testing.TB, name string) *Secrets {
	t.Helper()
	secrets, err := PoRepSecrets(readC1(t, name), 0)
	if err != nil {
		t.Fatal(err)
	}
	return secrets
}
