package registry

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/filecoin-project/go-state-types/abi"
)

// TestSealsAgreeWithABI holds numbers and sizes to go-state-types.
func TestSealsAgreeWithABI(t *testing.T) {
	seals := Seals()
	if len(seals) != len(abi.SealProofInfos) {
		t.Errorf("there are %d seal proofs, want %d", len(seals), len(abi.SealProofInfos))
	}
	for i, s := range seals {
		info, ok := abi.SealProofInfos[abi.RegisteredSealProof(s.Number)]
		if !ok || s.Number != uint64(i) {
			t.Errorf("seal proof %d has number %d", i, s.Number)
			continue
		}
		if s.Shape.SectorSize != uint64(info.SectorSize) {
			t.Errorf("%s has sectors of %d bytes, want %d", s.Name, s.Shape.SectorSize, info.SectorSize)
		}
		if s.Feature == Interactive && uint64(192*s.Shape.Partitions) != info.ProofSize {
			t.Errorf("%s has %d partitions, want %d bytes of proof", s.Name, s.Shape.Partitions, info.ProofSize)
		}
		if id := s.PorepID(); binary.LittleEndian.Uint64(id[:]) != s.Number || [24]byte(id[8:]) != [24]byte{} {
			t.Errorf("%s has porep id %x", s.Name, id)
		}
	}
}

func TestLookups(t *testing.T) {
	for _, s := range Seals() {
		if byName, ok := SealByName(s.Name); !ok || byName != s {
			t.Errorf("%s is found as %v", s.Name, byName)
		}
		if byNumber, ok := SealByNumber(s.Number); !ok || byNumber != s {
			t.Errorf("seal proof %d is found as %v", s.Number, byNumber)
		}
	}
	for _, c := range []struct {
		number  uint64
		name    string
		v1_1    bool
		feature Feature
	}{
		{8, "StackedDrg32GiBV1_1", true, Interactive},
		{3, "StackedDrg32GiBV1", false, Interactive},
		{13, "StackedDrg32GiBV1_1_Feat_SyntheticPoRep", true, Synthetic},
		{19, "StackedDrg64GiBV1_2_Feat_NonInteractivePoRep", true, NonInteractive},
	} {
		s, ok := SealByNumber(c.number)
		if !ok || s.Name != c.name || s.V1_1 != c.v1_1 || s.Feature != c.feature {
			t.Errorf("seal proof %d is %+v", c.number, s)
		}
	}
	if s, ok := SealByNumber(20); ok {
		t.Errorf("seal proof 20 is %+v", s)
	}
	if s, ok := SealByName("StackedDrg32GiBV1_2"); ok {
		t.Errorf("an unknown name is %+v", s)
	}
	if s, ok := ShapeOf("porep-1k"); ok {
		t.Errorf("an unknown circuit is %+v", s)
	}
	for _, p := range WindowPoSts() {
		if byNumber, ok := WindowPoStByNumber(p.Number); !ok || byNumber != p {
			t.Errorf("WindowPoSt proof %d is found as %v", p.Number, byNumber)
		}
		if _, ok := abi.PoStProofInfos[abi.RegisteredPoStProof(p.Number)]; !ok {
			t.Errorf("%s has number %d", p.Name, p.Number)
		}
	}
	if p, ok := WindowPoStByNumber(0); ok {
		t.Errorf("WindowPoSt proof 0 is %+v", p)
	}
}

func TestShapes(t *testing.T) {
	for _, c := range []struct {
		circuit string
		inputs  int
		levels  []int
		tree    string
	}{
		{"porep-2k", 40, []int{8, 8}, "8-0-0"},
		{"porep-16k-sub8", 40, []int{8, 8, 8}, "8-8-0"},
		{"porep-32k-top2", 40, []int{8, 8, 8, 2}, "8-8-2"},
		{"porep-8m", 40, slices.Repeat([]int{8}, 6), "8-0-0"},
		{"porep-512m", 40, slices.Repeat([]int{8}, 8), "8-0-0"},
		{"porep-32g", 328, slices.Repeat([]int{8}, 10), "8-8-0"},
		{"porep-64g", 328, append(slices.Repeat([]int{8}, 10), 2), "8-8-2"},
		{"wpost-2k", 23, []int{8, 8}, "8-0-0"},
	} {
		s, ok := ShapeOf(c.circuit)
		if !ok || s.CircuitID != c.circuit {
			t.Errorf("%s is found as %+v", c.circuit, s)
			continue
		}
		if got := s.Inputs(); got != c.inputs {
			t.Errorf("%s has %d inputs, want %d", c.circuit, got, c.inputs)
		}
		if got := s.Tree.Levels(s.Nodes()); !slices.Equal(got, c.levels) {
			t.Errorf("%s has levels %v, want %v", c.circuit, got, c.levels)
		}
		if got := s.Tree.String(); got != c.tree {
			t.Errorf("%s has tree %s, want %s", c.circuit, got, c.tree)
		}
		leaves := uint64(1)
		for _, arity := range c.levels {
			leaves *= uint64(arity)
		}
		if leaves != s.Nodes() {
			t.Errorf("%s has %d leaves, want %d", c.circuit, leaves, s.Nodes())
		}
		if shapeOnly := c.circuit == "porep-16k-sub8" || c.circuit == "porep-32k-top2"; s.Production() == shapeOnly {
			t.Errorf("%s has key %q", c.circuit, s.KeyName)
		}
	}
}
