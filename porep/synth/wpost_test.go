package synth

import (
	"bytes"
	"context"
	"testing"

	"github.com/sealwright/sealwright/porep/vanilla"
)

// parse reads a made-up request as the prover does.
func parse(t *testing.T, w *WindowPoSt) *vanilla.WindowPoSt {
	t.Helper()
	parsed := &vanilla.WindowPoSt{Proof: w.Proof, Randomness: w.Randomness}
	for i, s := range w.Sectors {
		p, err := vanilla.ParseWindowPoStSector(s.Vanilla, &w.Proof.Shape)
		if err != nil {
			t.Fatal(err)
		}
		if p.ID != s.ID || p.CommR != s.CommR {
			t.Errorf("vanilla proof %d is of sector %d, %v", i, p.ID, p.CommR)
		}
		parsed.Sectors = append(parsed.Sectors, *p)
	}
	return parsed
}

func newWindowPoSt(t *testing.T, name string) *WindowPoSt {
	t.Helper()
	w, err := NewWindowPoSt(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestWindowPoSt(t *testing.T) {
	a := newWindowPoSt(t, "a")
	if a.Proof.Number != 10 || len(a.Sectors) != 2 || a.Sectors[0].ID >= a.Sectors[1].ID || a.Miner >= 1<<32 {
		t.Errorf("request is of proof %d, miner %d, %d sectors", a.Proof.Number, a.Miner, len(a.Sectors))
	}
	if a.ProverID != vanilla.MinerProverID(a.Miner) {
		t.Errorf("prover id is %x", a.ProverID)
	}
	if err := parse(t, a).Check(context.Background()); err != nil {
		t.Error(err)
	}
	if a.Sectors[0].CommR == a.Sectors[1].CommR {
		t.Error("both sectors are the same")
	}
}

func TestWindowPoStFollowsFromName(t *testing.T) {
	a, again, other := newWindowPoSt(t, "a"), newWindowPoSt(t, "a"), newWindowPoSt(t, "b")
	if !bytes.Equal(a.Sectors[1].Vanilla, again.Sectors[1].Vanilla) || a.Miner != again.Miner || a.Randomness != again.Randomness {
		t.Error("the same name gives another request")
	}
	if a.Miner == other.Miner || a.Randomness == other.Randomness || a.Sectors[0].CommR == other.Sectors[0].CommR {
		t.Error("another name gives the same request")
	}
}

func TestWindowPoStWithoutName(t *testing.T) {
	if _, err := NewWindowPoSt(context.Background(), ""); err == nil || err.Error() != "validate name: it is empty" {
		t.Errorf("error is %v", err)
	}
}
