package groth16_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"

	"github.com/sealwright/sealwright/porep/circuit"
	"github.com/sealwright/sealwright/porep/groth16"
	"github.com/sealwright/sealwright/sdk"
	"github.com/sealwright/sealwright/sdk/cpu"
)

// openCPU opens the reference device.
func openCPU(tb testing.TB, bufs sdk.Buffers) *cpu.Device {
	tb.Helper()
	dev, err := cpu.Open(sdk.DeviceConfig{Buffers: bufs, Progress: new(sdk.Progress)})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := dev.Close(); err != nil {
			tb.Error(err)
		}
	})
	return dev
}

func compile(tb testing.TB, id string) *circuit.Program {
	tb.Helper()
	p, err := circuit.Compile(tb.Context(), id)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// wpostParams makes the WindowPoSt key of the vectors.
func wpostParams(tb testing.TB, c *sdk.Circuit, bufs sdk.Buffers) ([]byte, *groth16.SetupResult) {
	tb.Helper()
	var out bytes.Buffer
	result, err := groth16.Setup(tb.Context(), groth16.SetupConfig{
		Circuit: c, Trapdoor: groth16.TrapdoorFromLabel("fpref"), Device: openCPU(tb, bufs), Buffers: bufs,
	}, &out)
	if err != nil {
		tb.Fatal(err)
	}
	return out.Bytes(), result
}

func TestSetupWindowPoSt(t *testing.T) {
	var want struct {
		Params struct {
			Bytes  int    `json:"bytes"`
			SHA256 string `json:"sha256"`
		} `json:"params"`
	}
	data, err := os.ReadFile("testdata/windowpost-2k.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	params, result := wpostParams(t, compile(t, "wpost-2k").Circuit, new(sdk.HeapBuffers))
	if len(params) != want.Params.Bytes || int64(len(params)) != result.Counts.Bytes() {
		t.Errorf("%d bytes, want %d; counts say %d", len(params), want.Params.Bytes, result.Counts.Bytes())
	}
	if sum := sha256.Sum256(params); hex.EncodeToString(sum[:]) != want.Params.SHA256 {
		t.Errorf("SHA-256 %x, want %s", sum, want.Params.SHA256)
	}
}
