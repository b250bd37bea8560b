package host

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/filecoin-project/go-state-types/abi"
	"github.com/sealwright/sealwright/porep/circuit"
	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/porep/srs"
	"github.com/sealwright/sealwright/sdk"
	"github.com/sealwright/sealwright/sdk/cpu"
)

// knownSector is sector 1 of miner 1000, made up; its proof under fixed blinding
// was computed in the exponent by another program (see testdata/README.md).
var knownSector = SectorRef{
	ID: abi.SectorID{Miner: 1000, Number: 1}, ProofType: abi.RegisteredSealProof_StackedDrg2KiBV1_1,
}

const (
	knownSectorBlinding = "m1000-s1-2k"
	knownSectorProof    = "testdata/m1000-s1-2k.p0.proof"
)

func knownSectorC1(t *testing.T) Commit1Out {
	t.Helper()
	f, err := os.Open("../porep/vanilla/testdata/c1/m1000-s1-2k.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
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

// porepKeys returns the folder with the porep-2k key of the label fpref in the
// user's cache, made there where it is missing (minutes).
func porepKeys(t *testing.T) string {
	t.Helper()
	program, err := circuit.Compile(t.Context(), "porep-2k")
	if err != nil {
		t.Fatal(err)
	}
	shape, _ := registry.ShapeOf("porep-2k")
	buffers := new(sdk.HeapBuffers)
	device, err := cpu.Open(sdk.DeviceConfig{Buffers: buffers})
	if err != nil {
		t.Fatal(err)
	}
	file, err := srs.DevKey(t.Context(), srs.DevKeyConfig{
		Label: "fpref", Shape: shape, Circuit: program.Circuit, Device: device, Buffers: buffers,
	})
	if err := errors.Join(err, device.Close()); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	dir, err := srs.DevKeyDir("fpref")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestSealCommit2 is a full seal proof by the miner's own method.
func TestSealCommit2(t *testing.T) {
	if testing.Short() {
		t.Skip("a full 2 KiB seal proof")
	}
	keys := porepKeys(t)
	h := realHost(t, func(o *Options) {
		o.ParamsDir, o.Blinding = keys, knownSectorBlinding
		o.HostBytes = 1 << 30
	})
	proof, err := h.SealCommit2(t.Context(), knownSector, knownSectorC1(t))
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(knownSectorProof)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(proof, want) {
		t.Errorf("proof %x, expected %x", proof, want)
	}
}

func TestSealCommit2RefusesAnotherSector(t *testing.T) {
	h := fakeHost(t, "", func(o *Options) { o.EnginePath = "/nowhere" })
	h.check = checkRequest
	for name, c := range map[string]struct {
		change func(*SectorRef)
		text   string
	}{
		"miner":  {func(s *SectorRef) { s.ID.Miner++ }, "replica_id"},
		"sector": {func(s *SectorRef) { s.ID.Number++ }, "replica_id"},
		"type":   {func(s *SectorRef) { s.ProofType = abi.RegisteredSealProof_StackedDrg8MiBV1_1 }, "number 6"},
		"V1":     {func(s *SectorRef) { s.ProofType = abi.RegisteredSealProof_StackedDrg2KiBV1 }, "number 0"},
	} {
		sector := knownSector
		c.change(&sector)
		_, err := h.SealCommit2(t.Context(), sector, knownSectorC1(t))
		if !errors.Is(err, sdk.ErrInvalidInput) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("another %s: %v", name, err)
		}
	}
	if _, err := h.SealCommit2(t.Context(), knownSector, knownSectorC1(t)); !errors.Is(err, ErrKey) {
		t.Errorf("the sector itself, without a key: %v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := h.SealCommit2(ctx, knownSector, knownSectorC1(t)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestProverID(t *testing.T) {
	if id := ProverID(1006); id != [32]byte{0xee, 0x07} {
		t.Errorf("prover id of f01006 is %x", id)
	}
}
