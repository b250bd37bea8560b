package porep

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/sealwright/sealwright/porep/circuit"
	"github.com/sealwright/sealwright/sdk"
)

const (
	c1File       = "vanilla/testdata/2k-A.c1.json.gz"
	envelopeFile = "vanilla/testdata/gevulot-8m.envelope.json.gz"
	largeFile    = "vanilla/testdata/c1/c1-32g.json.gz"
)

// TestParseEnvelope reads a real miner's envelope, whose job is that of the bare
// C1 output in it.
func TestParseEnvelope(t *testing.T) {
	prover := ProverID(1006)
	job, err := Parse(t.Context(), KindPoRep, [][]byte{readFile(t, envelopeFile)}, Claims{ProverID: &prover})
	if err != nil {
		t.Fatal(err)
	}
	if job.Kind() != KindPoRep || job.CircuitID() != "porep-8m" || !job.IdentityChecked() {
		t.Errorf("job is %s of %s, identity checked %t", job.Kind(), job.CircuitID(), job.IdentityChecked())
	}
	bare := job.Parts()
	if len(bare) != 1 || !bytes.Equal(bare[0], readFile(t, "vanilla/testdata/gevulot-8m.c1.json.gz")) {
		t.Error("the job's part is not the bare C1 output")
	}
	again, err := Parse(t.Context(), KindPoRep, bare, Claims{})
	if err != nil {
		t.Fatal(err)
	}
	if again.IdentityChecked() {
		t.Error("without an identity the identity is checked")
	}
}

func TestPoRepRefusals(t *testing.T) {
	number := func(n uint64) *uint64 { return &n }
	prover, other := ProverID(1006), ProverID(1007)
	for _, c := range []struct {
		name   string
		kind   Kind
		parts  [][]byte
		claims Claims
		want   string
	}{
		{"no part", KindPoRep, nil, Claims{}, "read parts: found 0, expected 1"},
		{"two parts", KindPoRep, [][]byte{nil, nil}, Claims{}, "read parts: found 2, expected 1"},
		{"unknown kind", 9, [][]byte{nil}, Claims{}, "found Kind(9), expected a kind of proof that is supported"},
		{"empty", KindPoRep, [][]byte{nil}, Claims{}, "found an empty input"},
		{"another type", KindPoRep, [][]byte{readFile(t, c1File)}, Claims{RegisteredProof: number(0)},
			"check registered proof: found StackedDrg2KiBV1_1 (number 5), expected number 0"},
		{"another size", KindPoRep, [][]byte{readFile(t, c1File)}, Claims{SectorSize: 8 << 20},
			"check sector size: found 2048, as the input is StackedDrg2KiBV1_1, expected 8388608"},
		{"another sector", KindPoRep, [][]byte{readFile(t, envelopeFile)}, Claims{Sector: number(7)},
			"check sector: found 1498 in the envelope, expected 7"},
		{"another miner", KindPoRep, [][]byte{readFile(t, envelopeFile)}, Claims{ProverID: &other}, "replica_id of sector 1498 of prover ef07"},
		{"another bare sector", KindPoRep, [][]byte{readFile(t, "vanilla/testdata/gevulot-8m.c1.json.gz")},
			Claims{ProverID: &prover, Sector: number(1499)}, "replica_id of sector 1499 of prover ee07"},
	} {
		t.Run(c.name, func(t *testing.T) {
			job, err := Parse(t.Context(), c.kind, c.parts, c.claims)
			if err == nil || job != nil {
				t.Fatal("it is accepted")
			}
			if !errors.Is(err, sdk.ErrInvalidInput) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error is %q, want one line about %q", err, c.want)
			}
		})
	}
}

// TestParseCancelled tells a context's end from a bad input.
func TestParseCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := ParsePoRep(ctx, readFile(t, c1File), nil)
	if !errors.Is(err, context.Canceled) || errors.Is(err, sdk.ErrInvalidInput) {
		t.Errorf("the error is %v, want %v", err, context.Canceled)
	}
}

// TestJobWitness computes witnesses whose public inputs are the job's, and which
// satisfy the circuit: also where one sector fills two places.
func TestJobWitness(t *testing.T) {
	seal, err := ParsePoRep(t.Context(), readFile(t, c1File), nil)
	if err != nil {
		t.Fatal(err)
	}
	jobs := []*Job{madeUp(t, "a"), windowPoSt(t, nil), windowPoSt(t, func(p [][]byte) [][]byte { return p[:2] })}
	if !testing.Short() {
		jobs = append(jobs, seal)
	}
	for _, job := range jobs {
		program, err := circuit.Compile(t.Context(), job.CircuitID())
		if err != nil {
			t.Fatal(err)
		}
		w, err := job.Witness(t.Context(), program, 0, heap{})
		if err != nil {
			t.Fatal(err)
		}
		inputs, err := job.PublicInputs(0)
		if err != nil {
			t.Fatal(err)
		}
		public := w.PublicInputs()
		if len(public) != len(inputs) {
			t.Fatalf("%s: %d public inputs, want %d", job.CircuitID(), len(public), len(inputs))
		}
		for i := range inputs {
			if public[i] != sdk.Fr(inputs[i]) {
				t.Errorf("%s: public input %d differs", job.CircuitID(), i)
			}
		}
		if err := circuit.Check(t.Context(), program.Circuit, &w.Witness); err != nil {
			t.Errorf("%s: %v", job.CircuitID(), err)
		}
		if _, err := seal.Witness(t.Context(), program, 0, heap{}); job.CircuitID() != seal.CircuitID() && err == nil {
			t.Errorf("%s makes a witness of another circuit's job", job.CircuitID())
		}
		w.Release()
	}
}

// heap is sdk.Buffers on Go's heap.
type heap struct{}

func (heap) Get(kind sdk.BufferKind, bytes int64) (*sdk.Buffer, error) {
	return &sdk.Buffer{Kind: kind, Data: make([]byte, bytes)}, nil
}

func (heap) Release(*sdk.Buffer) {}

// TestParseMemory bounds all that is ever allocated for a 32 GiB C1 output, so
// whatever the collector does.
func TestParseMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const most = 8 // times the input
	data := readFile(t, largeFile)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := ParsePoRep(t.Context(), data, nil); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	used := after.TotalAlloc - before.TotalAlloc + uint64(len(data))
	t.Logf("%.1f times the input of %.1f MB", float64(used)/float64(len(data)), float64(len(data))/1e6)
	if used > most*uint64(len(data)) {
		t.Errorf("%d bytes were used, want at most %d times %d", used, most, len(data))
	}
	envelope, err := json.Marshal(map[string]any{"SectorNum": 1, "Phase1Out": data, "SectorSize": uint64(32 << 30)})
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&before)
	if _, err := ParsePoRep(t.Context(), envelope, nil); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	used = after.TotalAlloc - before.TotalAlloc + uint64(len(envelope))
	t.Logf("%.1f times the envelope of %.1f MB", float64(used)/float64(len(envelope)), float64(len(envelope))/1e6)
	if used > most*uint64(len(envelope)) {
		t.Errorf("%d bytes were used for an envelope, want at most %d times %d", used, most, len(envelope))
	}
}

// BenchmarkParsePoRep reads and checks a 32 GiB C1 output, 38.6 MB.
func BenchmarkParsePoRep(b *testing.B) {
	data := readFile(b, largeFile)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	runtime.GC()
	for b.Loop() {
		if _, err := ParsePoRep(b.Context(), data, nil); err != nil {
			b.Fatal(err)
		}
	}
}
