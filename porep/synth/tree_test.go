package synth

import (
	"context"
	"slices"
	"testing"
)

// TestOpenings recomputes roots from openings in every shape of tree; the 64 GiB
// one has no file to compare with.
func TestOpenings(t *testing.T) {
	for _, size := range []uint64{2 << 10, 8 << 20, 64 << 30} {
		if testing.Short() && size > 1<<30 {
			continue
		}
		s, err := New(context.Background(), Options{SectorSize: size, Name: "openings"})
		if err != nil {
			t.Fatal(err)
		}
		for _, tree := range []*tree{s.treeC, s.treeR} {
			for _, v := range s.labels.nodes[:10] {
				value, index, stride := tree.leaf(v), uint64(0), uint64(1)
				for _, step := range tree.open(v) {
					index += step.Index * stride
					stride *= uint64(len(step.Siblings) + 1)
					value = mustHash(t, slices.Insert(step.Siblings, int(step.Index), value))
				}
				if value != tree.root() || index != v || stride != s.Seal.Shape.Nodes() {
					t.Errorf("%s: opening of leaf %d is of leaf %d and leads to %x", s.Seal.Name, v, index, value)
				}
			}
		}
		if got := mustHash(t, []Hash{s.CommC, s.CommRLast}); got != s.CommR {
			t.Errorf("%s: comm_r is %x, want %x", s.Seal.Name, s.CommR, got)
		}
	}
}

// TestNonCanonicalNode: a tree never grows over a node that is no field element.
func TestNonCanonicalNode(t *testing.T) {
	leaves := make([]Hash, 8)
	for i := range leaves[5] {
		leaves[5][i] = 0xff
	}
	if _, err := growTree(context.Background(), []int{8}, []uint64{0, 1, 2, 3, 4, 5, 6, 7}, leaves, nil); err == nil {
		t.Error("a tree grew")
	}
}
