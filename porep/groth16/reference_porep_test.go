package groth16_test

import (
	"bytes"
	"encoding/hex"
	"os"
	"testing"

	"github.com/sealwright/sealwright/porep/circuit"
	"github.com/sealwright/sealwright/porep/srs"
	"github.com/sealwright/sealwright/sdk"
)

func TestProveWindowPoSt(t *testing.T) {
	p := compile(t, "wpost-2k")
	params, _ := wpostParams(t, p.Circuit, new(sdk.HeapBuffers))
	var all struct{ Partitions []referenceProof }
	readReference(t, "testdata/windowpost-2k.json", &all)
	proveReference(t, p, openBytes(t, params), readWindowPoSt(t), "windowpost-2k", all.Partitions[0].referenceResult)
}

// TestPoRep2K makes the key of the 2 KiB PoRep (minutes; it is kept in the user's
// cache folder) and proves both reference sectors.
func TestPoRep2K(t *testing.T) {
	if testing.Short() {
		t.Skip("a whole 2 KiB proof takes a 1.1 GB key and half a minute")
	}
	p := compile(t, "porep-2k")
	f := devKey(t, p)
	t.Run("key", func(t *testing.T) { checkParams(t, f, p) })
	for _, name := range []string{"2k-A", "2k-B"} {
		secrets := readC1(t, "../vanilla/testdata/"+name+".c1.json.gz")
		want := readPartition(t, "testdata/"+name+".proofs.json")
		t.Run(name, func(t *testing.T) {
			proveReference(t, p, f, secrets, name, want.referenceResult)
		})
	}
	t.Run("checkpoints", func(t *testing.T) {
		checkVectors(t, p, readC1(t, "../vanilla/testdata/2k-A.c1.json.gz"), readPartition(t, "testdata/2k-A.proofs.json"))
	})
}

// checkParams holds the key against the digests of the reference's.
func checkParams(t *testing.T, f *srs.File, p *circuit.Program) {
	t.Helper()
	var want struct {
		SHA256 string `json:"params_sha256"`
		Digest string `json:"params_digest_parameters_json_style"`
		VK     string `json:"vk_sha256"`
	}
	readReference(t, "testdata/porep-2k.params.json", &want)
	sum, err := srs.FileSHA256(t.Context(), f.Path(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := hex.EncodeToString(sum[:]); got != want.SHA256 {
		t.Errorf("%s: SHA-256 %s, want %s", p.Circuit.ID, got, want.SHA256)
	}
	digest, err := srs.FileDigest(t.Context(), f.Path(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if digest.String() != want.Digest {
		t.Errorf("digest %s, want %s", digest, want.Digest)
	}
	if err := f.CheckPoints(t.Context(), 1000); err != nil {
		t.Error(err)
	}
}

// checkVectors holds A·z, B·z and the quotient against the reference.
func checkVectors(t *testing.T, p *circuit.Program, s *circuit.Secrets, want referenceProof) {
	t.Helper()
	bufs := new(sdk.HeapBuffers)
	w := makeWitness(t, p, s, bufs)
	l := layOut(t, p.Circuit, bufs)
	rows, err := l.Assign(t.Context(), &w.Witness, bufs)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Release()
	a, b := rows.A.Frs(), rows.B.Frs()
	want.Rows.A.check(t, "A·z", a)
	want.Rows.B.check(t, "B·z", b)
	if err := openCPU(t, bufs).Quotient(t.Context(), a, b); err != nil {
		t.Fatal(err)
	}
	want.H.Coefficients.check(t, "h", a)
	if a[len(a)-1] != (sdk.Fr{}) {
		t.Error("the quotient's last coefficient is not zero")
	}
}

// TestPoRep8M proves the real 8 MiB C1 output of miner 1006, sector 1498.
func TestPoRep8M(t *testing.T) {
	if testing.Short() {
		t.Skip("an 8 MiB proof takes a 1.3 GB key and half a minute")
	}
	p := compile(t, "porep-8m")
	f := devKey(t, p)
	vk, err := os.ReadFile("testdata/gevulot-8m.vk")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(f.VKBytes(), vk) {
		t.Error("verifying key differs from the vectors'")
	}
	var want referenceResult
	readReference(t, "testdata/gevulot-8m.p0.json", &want)
	proveReference(t, p, f, readC1(t, "../vanilla/testdata/gevulot-8m.c1.json.gz"), "gevulot-8m", want)
}
