package porep

import (
	"encoding/hex"
	"errors"
	"testing"

	"github.com/sealwright/sealwright/porep/groth16"
	"github.com/sealwright/sealwright/porep/registry"
)

// TestVerifyRealProof verifies a proof that was made by others, under their key,
// from identifiers alone.
func TestVerifyRealProof(t *testing.T) {
	var made struct {
		PorepID  bytes32 `json:"porep_id"`
		ProverID bytes32 `json:"prover_id"`
		Sector   uint64  `json:"sector_id"`
		Ticket   bytes32 `json:"ticket"`
		Seed     bytes32 `json:"seed"`
		CommR    bytes32 `json:"comm_r"`
		CommD    bytes32 `json:"comm_d"`
		Proof    string  `json:"proof"`
	}
	readJSON(t, "groth16/testdata/polka-storage-2k.json", &made)
	proof, err := hex.DecodeString(made.Proof)
	if err != nil {
		t.Fatal(err)
	}
	vk, err := groth16.ParseVerifyingKey(readFile(t, "groth16/testdata/polka-storage-2k.vk"))
	if err != nil {
		t.Fatal(err)
	}
	key, err := vk.Prepare()
	if err != nil {
		t.Fatal(err)
	}
	seal, _ := registry.SealByName("StackedDrg2KiBV1_1")
	statement := SealStatement{
		Seal: seal, PorepID: made.PorepID, ProverID: made.ProverID, Sector: made.Sector,
		Ticket: made.Ticket, Seed: made.Seed, CommR: made.CommR, CommD: made.CommD,
	}
	inputs, err := statement.PublicInputs()
	if err != nil {
		t.Fatal(err)
	}
	if err := Verify(key, proof, inputs); err != nil {
		t.Errorf("the proof is refused: %v", err)
	}
	for _, c := range []struct {
		name   string
		change func(*SealStatement)
	}{
		{"sector", func(s *SealStatement) { s.Sector++ }},
		{"prover", func(s *SealStatement) { s.ProverID[0] ^= 1 }},
		{"ticket", func(s *SealStatement) { s.Ticket[31] ^= 1 }},
		{"seed", func(s *SealStatement) { s.Seed[0] ^= 1 }},
		{"comm_r", func(s *SealStatement) { s.CommR[0] ^= 1 }},
		{"comm_d", func(s *SealStatement) { s.CommD[0] ^= 1 }},
		{"porep_id", func(s *SealStatement) { s.PorepID[0] ^= 1 }},
		{"edition", func(s *SealStatement) { s.Seal.V1_1 = false }},
	} {
		other := statement
		c.change(&other)
		inputs, err := other.PublicInputs()
		if err != nil {
			t.Fatal(err)
		}
		if err := Verify(key, proof, inputs); !errors.Is(err, groth16.ErrRejected) {
			t.Errorf("with another %s the error is %v, want %v", c.name, err, groth16.ErrRejected)
		}
	}
	if err := Verify(key, proof[:191], inputs); err == nil {
		t.Error("a truncated proof is accepted")
	}
}
