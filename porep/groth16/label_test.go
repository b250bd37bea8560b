package groth16

import (
	"testing"

	"github.com/sealwright/sealwright/sdk"
)

func TestTrapdoorFromLabel(t *testing.T) {
	var want struct {
		Trapdoor map[string]string `json:"trapdoor_le_hex"`
	}
	readJSON(t, "porep-2k.params.json", &want)
	got := TrapdoorFromLabel("fpref")
	for name, v := range map[string]any{
		"alpha": got.Alpha, "beta": got.Beta, "gamma": got.Gamma, "delta": got.Delta, "tau": got.Tau,
	} {
		if w := littleEndianFr(t, want.Trapdoor[name]); v != w {
			t.Errorf("%s = %v, want %v", name, v, w)
		}
	}
	if err := got.validate(); err != nil {
		t.Error(err)
	}
	got.Delta.SetZero()
	if err := got.validate(); err == nil {
		t.Error("delta of zero: no error")
	}
}

func TestBlindingFromLabel(t *testing.T) {
	var want struct {
		R string `json:"r_le_hex"`
		S string `json:"s_le_hex"`
	}
	readJSON(t, "gevulot-8m.p0.json", &want)
	got := BlindingFromLabel("gevulot-8m", 0)
	if got.R != littleEndianFr(t, want.R) || got.S != littleEndianFr(t, want.S) {
		t.Errorf("got %v", got)
	}
}

func TestRandomBlindingDiffers(t *testing.T) {
	a, err := RandomBlinding()
	if err != nil {
		t.Fatal(err)
	}
	b, err := RandomBlinding()
	if err != nil {
		t.Fatal(err)
	}
	if a.R == b.R || a.S == b.S || a.R == a.S || a.R.IsZero() || a.S.IsZero() {
		t.Error("blinding repeats")
	}
}

func TestMontgomeryOne(t *testing.T) {
	if one := elements([]sdk.Fr{montgomeryOne})[0]; !one.IsOne() {
		t.Errorf("it is %v", one)
	}
}
