package groth16_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/porep/graph"
	"github.com/sealwright/sealwright/porep/groth16"
)

// sealProof is a real 2 KiB PoRep proof with its key and public inputs, as bytes.
type sealProof struct {
	proof, vk []byte
	inputs    [][]byte // 32 bytes little-endian each
}

// readPolka reads the proof of another project's 2 KiB sector, made under its own
// random setup.
func readPolka(tb testing.TB) sealProof {
	tb.Helper()
	var j struct {
		PorepID  string `json:"porep_id"`
		ProverID string `json:"prover_id"`
		Sector   uint64 `json:"sector_id"`
		Ticket   string `json:"ticket"`
		Seed     string `json:"seed"`
		CommR    string `json:"comm_r"`
		CommD    string `json:"comm_d"`
		Proof    string `json:"proof"`
	}
	readReference(tb, "testdata/polka-storage-2k.json", &j)
	array := func(text string) (out [32]byte) {
		copy(out[:], unhex(tb, text))
		return out
	}
	commD, commR, porepID := array(j.CommD), array(j.CommR), array(j.PorepID)
	replicaID := graph.ReplicaID(array(j.ProverID), j.Sector, array(j.Ticket), commD, porepID)
	s := sealProof{proof: unhex(tb, j.Proof), inputs: [][]byte{replicaID[:], commD[:], commR[:]}}
	number := func(n uint64) {
		s.inputs = append(s.inputs, slices.Concat([]byte{byte(n)}, make([]byte, 31)))
	}
	const nodes = 64
	g := graph.New(porepID, nodes, true)
	for _, c := range graph.Challenges(replicaID, array(j.Seed), nodes, 2, 0) {
		number(c)
		for _, p := range g.DRGParents(c) {
			number(uint64(p))
		}
		for _, p := range g.ExpanderParents(c) {
			number(uint64(p))
		}
		number(c)
		number(c)
		number(c)
	}
	var err error
	if s.vk, err = os.ReadFile("testdata/polka-storage-2k.vk"); err != nil {
		tb.Fatal(err)
	}
	return s
}

func unhex(tb testing.TB, text string) []byte {
	tb.Helper()
	raw, err := hex.DecodeString(text)
	if err != nil {
		tb.Fatal(err)
	}
	return raw
}

// verify reads everything from bytes, as a verifier does.
func (s *sealProof) verify() error {
	proof, err := groth16.ParseProof(s.proof)
	if err != nil {
		return err
	}
	vk, err := groth16.ParseVerifyingKey(s.vk)
	if err != nil {
		return err
	}
	k, err := vk.Prepare()
	if err != nil {
		return err
	}
	inputs := make([]fr.Element, len(s.inputs))
	for i, raw := range s.inputs {
		if inputs[i], err = fr.LittleEndian.Element((*[fr.Bytes]byte)(raw)); err != nil {
			return err
		}
	}
	return k.Verify(proof, inputs)
}

// TestRealProofFlips flips single bits of a real proof, of its key and of its
// public inputs; each must be refused. Only bits of whole values are flipped: all of the
// proof, all of the key's points, all of the inputs.
func TestRealProofFlips(t *testing.T) {
	s := readPolka(t)
	if err := s.verify(); err != nil {
		t.Fatalf("untouched: %v", err)
	}
	flips := 250
	if testing.Short() {
		flips = 25
	}
	rng := rand.New(rand.NewPCG(1, 2))
	flip := func(name string, data []byte) {
		t.Helper()
		bit := rng.IntN(len(data) * 8)
		data[bit/8] ^= 1 << (bit % 8)
		if err := s.verify(); err == nil {
			t.Errorf("%s: bit %d flipped and still accepted", name, bit)
		}
		data[bit/8] ^= 1 << (bit % 8)
	}
	for range flips {
		flip("proof", s.proof)
		flip("key", s.vk)
		flip("input", s.inputs[rng.IntN(len(s.inputs))])
	}
	if err := s.verify(); err != nil {
		t.Fatalf("put back: %v", err)
	}
}

// TestRealProofInputs changes each public input by one, and swaps two.
func TestRealProofInputs(t *testing.T) {
	s := readPolka(t)
	for i := range s.inputs {
		was := s.inputs[i]
		s.inputs[i] = bytes.Clone(was)
		s.inputs[i][0] ^= 1
		if err := s.verify(); !errors.Is(err, groth16.ErrRejected) {
			t.Errorf("input %d: got %v", i, err)
		}
		s.inputs[i] = was
	}
	s.inputs[1], s.inputs[2] = s.inputs[2], s.inputs[1]
	if err := s.verify(); !errors.Is(err, groth16.ErrRejected) {
		t.Errorf("comm_d and comm_r swapped: got %v", err)
	}
}
