package groth16_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/porep/circuit"
	"github.com/sealwright/sealwright/porep/groth16"
	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/porep/srs"
	"github.com/sealwright/sealwright/porep/vanilla"
	"github.com/sealwright/sealwright/sdk"
)

// referenceProof is what the reference publishes of a partition's proof.
type referenceProof struct {
	referenceResult
	Rows struct{ A, B referenceVector }
	H    struct {
		Coefficients referenceVector `json:"coefficients"`
	} `json:"h"`
}

// referenceResult is a proof and the sums that it is made of.
type referenceResult struct {
	Proof string            `json:"proof_hex"`
	MSM   map[string]string `json:"msm_compressed_hex"`
}

// referenceVector is a digest of field elements: SHA-256 of 32 bytes
// little-endian each.
type referenceVector struct {
	Len    int    `json:"len"`
	SHA256 string `json:"sha256"`
}

func readReference(tb testing.TB, path string, into any) {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		tb.Fatalf("parse %s: %v", path, err)
	}
}

// readPartition returns the first partition of a reference file.
func readPartition(tb testing.TB, path string) referenceProof {
	tb.Helper()
	var all struct{ Partitions []referenceProof }
	readReference(tb, path, &all)
	return all.Partitions[0]
}

func (v *referenceVector) check(tb testing.TB, name string, elements []sdk.Fr) {
	tb.Helper()
	h := sha256.New()
	var buf [fr.Bytes]byte
	for _, e := range elements[:v.Len] {
		fr.LittleEndian.PutElement(&buf, fr.Element(e))
		h.Write(buf[:])
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != v.SHA256 {
		tb.Errorf("%s: digest %s, want %s", name, got, v.SHA256)
	}
}

func checkSums(tb testing.TB, sums *groth16.Sums, want map[string]string) {
	tb.Helper()
	a, b1, l, h, b2 := sums.A.Bytes(), sums.B1.Bytes(), sums.L.Bytes(), sums.H.Bytes(), sums.B2.Bytes()
	for name, got := range map[string][]byte{"a": a[:], "b_g1": b1[:], "l": l[:], "h": h[:], "b_g2": b2[:]} {
		if text, ok := want[name]; ok && hex.EncodeToString(got) != text {
			tb.Errorf("sum %s = %x, want %s", name, got, text)
		}
	}
}

// readC1 returns the secrets of a C1 output's first partition.
func readC1(tb testing.TB, path string) *circuit.Secrets {
	tb.Helper()
	packed, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		tb.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		tb.Fatal(err)
	}
	c1, err := vanilla.ParseC1(data)
	if err != nil {
		tb.Fatal(err)
	}
	s, err := circuit.PoRepSecrets(c1, 0)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func readWindowPoSt(tb testing.TB) *circuit.Secrets {
	tb.Helper()
	post := vanilla.WindowPoSt{Proof: registry.WindowPoSts()[0]}
	for _, id := range []int{101, 102} {
		data, err := os.ReadFile(fmt.Sprintf("../vanilla/testdata/windowpost-2k.sector%d.vanilla.bincode", id))
		if err != nil {
			tb.Fatal(err)
		}
		s, err := vanilla.ParseWindowPoStSector(data, &post.Proof.Shape)
		if err != nil {
			tb.Fatal(err)
		}
		post.Sectors = append(post.Sectors, *s)
	}
	secrets, err := circuit.WindowPoStSecrets(&post)
	if err != nil {
		tb.Fatal(err)
	}
	return secrets
}

func shapeOf(tb testing.TB, id string) registry.Shape {
	tb.Helper()
	shape, ok := registry.ShapeOf(id)
	if !ok {
		tb.Fatalf("no shape of %s", id)
	}
	return shape
}

// devKey opens the vectors' development key of a circuit, which is made once in
// the user's cache folder.
func devKey(tb testing.TB, p *circuit.Program) *srs.File {
	tb.Helper()
	bufs := new(sdk.HeapBuffers)
	f, err := srs.DevKey(tb.Context(), srs.DevKeyConfig{
		Label: "fpref", Shape: shapeOf(tb, p.Circuit.ID), Circuit: p.Circuit, Device: openCPU(tb, bufs), Buffers: bufs,
	})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := f.Close(); err != nil {
			tb.Error(err)
		}
	})
	return f
}

func makeWitness(tb testing.TB, p *circuit.Program, s *circuit.Secrets, bufs sdk.Buffers) *circuit.Witness {
	tb.Helper()
	w, err := p.Witness(context.Background(), s, bufs)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(w.Release)
	return w
}

// proveReference proves with the vectors' blinding and holds proof and sums
// against theirs; the proof is verified too.
func proveReference(t *testing.T, p *circuit.Program, f *srs.File, s *circuit.Secrets, name string, want referenceResult) {
	t.Helper()
	bufs := new(sdk.HeapBuffers)
	w := makeWitness(t, p, s, bufs)
	l := layOut(t, p.Circuit, bufs)
	if err := f.Match(l.Counts); err != nil {
		t.Fatal(err)
	}
	proof, sums, report := prove(t, l, openCPU(t, bufs), f, &w.Witness, groth16.BlindingFromLabel(name, 0), bufs)
	t.Logf("%s: %s; total %s", name, report, report.Total())
	checkSums(t, sums, want.MSM)
	if got := proof.Bytes(); hex.EncodeToString(got[:]) != want.Proof {
		t.Errorf("proof %x, want %s", got, want.Proof)
	}
	k, err := f.Key().VK.Prepare()
	if err != nil {
		t.Fatal(err)
	}
	inputs := make([]fr.Element, k.Inputs())
	for i, v := range w.PublicInputs() {
		inputs[i] = fr.Element(v)
	}
	if err := k.Verify(proof, inputs); err != nil {
		t.Error(err)
	}
	fresh, err := groth16.RandomBlinding()
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Verify(groth16.Finish(sums, f.Key().VK, fresh), inputs); err != nil {
		t.Errorf("fresh blinding: %v", err)
	}
}
