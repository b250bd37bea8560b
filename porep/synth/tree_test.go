package synth

import (
	"context"
	"testing"
)

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
