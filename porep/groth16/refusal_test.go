package groth16_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/sealwright/sealwright/porep/groth16"
	"github.com/sealwright/sealwright/porep/groth16/groth16test"
	"github.com/sealwright/sealwright/sdk"
)

func TestCheckPoint(t *testing.T) {
	vk, err := groth16.ParseVerifyingKey(readPolka(t).vk)
	if err != nil {
		t.Fatal(err)
	}
	g1, g2 := vk.AlphaG1.RawBytes(), vk.BetaG2.RawBytes()
	bases1 := sdk.Bases{Group: sdk.GroupG1, Encoding: sdk.FileOrder, Data: append(g1[:], make([]byte, groth16.G1Uncompressed)...)}
	bases2 := sdk.Bases{Group: sdk.GroupG2, Encoding: sdk.FileOrder, Data: g2[:]}
	for _, tt := range []struct {
		name  string
		bases sdk.Bases
		i     int
		want  error
	}{
		{"G1", bases1, 0, nil},
		{"G2", bases2, 0, nil},
		{"zeros are no point", bases1, 1, groth16.ErrNotOnCurve},
		{"past the end", bases2, 1, sdk.ErrInvalidInput},
		{"before the start", bases2, -1, sdk.ErrInvalidInput},
		{"another encoding", sdk.Bases{Group: sdk.GroupG1, Encoding: sdk.Montgomery, Data: g1[:]}, 0, sdk.ErrInvalidInput},
	} {
		if err := groth16.CheckPoint(tt.bases, tt.i); !errors.Is(err, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, err, tt.want)
		}
	}
}

func TestSetupRefusesUnusedVariable(t *testing.T) {
	c := groth16test.Random(1, 24).Circuit
	c.NumAux++ // the last variable is then nobody's
	bufs := new(sdk.HeapBuffers)
	_, err := groth16.Setup(t.Context(), groth16.SetupConfig{
		Circuit: c, Trapdoor: groth16.TrapdoorFromLabel("x"), Device: openCPU(t, bufs), Buffers: bufs,
	}, io.Discard)
	if !errors.Is(err, sdk.ErrInvalidInput) || !strings.Contains(err.Error(), "is in no row") {
		t.Errorf("got %v", err)
	}
	if s := bufs.Stats(sdk.BufferScratch); s.Count != 0 {
		t.Errorf("%d buffers left", s.Count)
	}
}

func TestSetupConfigValidate(t *testing.T) {
	good := groth16.SetupConfig{
		Circuit: new(sdk.Circuit), Trapdoor: groth16.TrapdoorFromLabel("x"),
		Device: openCPU(t, new(sdk.HeapBuffers)), Buffers: new(sdk.HeapBuffers),
	}
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	for _, edit := range []func(*groth16.SetupConfig){
		func(c *groth16.SetupConfig) { c.Circuit = nil },
		func(c *groth16.SetupConfig) { c.Device = nil },
		func(c *groth16.SetupConfig) { c.Buffers = nil },
		func(c *groth16.SetupConfig) { c.Trapdoor.Tau.SetZero() },
	} {
		bad := good
		edit(&bad)
		if err := bad.Validate(); err == nil {
			t.Errorf("%+v: no error", bad)
		}
	}
}
