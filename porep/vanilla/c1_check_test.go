package vanilla

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/sealwright/sealwright/porep/registry"
)

func TestCheckC1(t *testing.T) {
	for _, c := range c1s {
		t.Run(c.name, func(t *testing.T) {
			if err := readC1(t, c.name, c.circuit).Check(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestCheckC1Large checks 32 GiB C1 outputs.
func TestCheckC1Large(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	id := MinerIdentity(1000, 3)
	if err := readC1(t, "c1/m1000-s3-32g", "").Check(t.Context(), &id); err != nil {
		t.Error(err)
	}
	c1 := readC1(t, "c1/c1-32g", "")
	c1.Partitions[7][11].Expander[3].Path.Steps[9].Siblings[2][0] ^= 1
	checkCheck(t, c1.Check(t.Context(), nil),
		"partition 7, challenge 11: expander parent 3: tree C: level 10, recomputed from the leaf: found ")
}

// identity2KA is the sector of 2k-A.
func identity2KA() *Identity {
	return &Identity{ProverID: vectorHash("fpref/2k-A/prover_id"), Sector: 1}
}

func TestCheckC1Refuses(t *testing.T) {
	first := func(c1 *C1) *Challenge { return &c1.Partitions[0][0] }
	flip := func(h *Hash) { h[0] ^= 1 }
	for _, c := range []struct {
		name   string
		change func(*C1, *Identity)
		want   string
	}{
		{"prover", func(_ *C1, id *Identity) { id.ProverID[0] ^= 1 }, "replica_id of sector 1 of prover "},
		{"sector", func(_ *C1, id *Identity) { id.Sector++ }, "replica_id of sector 2 of prover "},
		{"ticket", func(c *C1, _ *Identity) { flip(&c.Ticket) }, "replica_id of sector 1 of prover "},
		{"replica_id", func(c *C1, _ *Identity) { flip(&c.ReplicaID) }, "replica_id of sector 1 of prover "},
		{"seed", func(c *C1, _ *Identity) { flip(&c.Seed) }, "partition 0, challenge 0: challenged node: found 5, expected "},
		{"comm_r", func(c *C1, _ *Identity) { flip(&c.CommR) }, "comm_r against the roots of trees C and R"},
		{"comm_d", func(c *C1, _ *Identity) { flip(&c.CommD) }, "replica_id"},
		{"node", func(c *C1, _ *Identity) { first(c).Labels[0].Node++ }, "challenged node: found 6, expected 5"},
		{"node of layer 2", func(c *C1, _ *Identity) { first(c).Labels[1].Node++ }, "labeling proof 1: node: found 6, expected 5"},
		{"layer", func(c *C1, _ *Identity) { first(c).Labels[1].Layer = 1 }, "labeling proof 1: layer: found 1, expected 2"},
		{"label's parent", func(c *C1, _ *Identity) { flip(&first(c).Labels[1].Parents[36]) }, "labeling proof 1: parent 36: found "},
		{"encoding node", func(c *C1, _ *Identity) { first(c).Encoding.Node-- }, "encoding proof: node: found 4, expected 5"},
		{"encoding layer", func(c *C1, _ *Identity) { first(c).Encoding.Layer = 1 }, "encoding proof: layer"},
		{"encoding parent", func(c *C1, _ *Identity) { flip(&first(c).Encoding.Parents[0]) }, "encoding proof: parent 0"},
		{"column index", func(c *C1, _ *Identity) { first(c).Column.Index++ }, "challenged column: index: found 6, expected 5"},
		{"row", func(c *C1, _ *Identity) { flip(&first(c).Column.Rows[1]) }, "challenged column: tree C: leaf against the rows: found "},
		{"parent's row", func(c *C1, _ *Identity) { flip(&first(c).DRG[2].Rows[0]) }, "base parent 2: tree C: leaf against the rows: found "},
		{"base parent", func(c *C1, _ *Identity) { first(c).DRG[3].Index++ }, "base parent 3: index: found 2, expected 1"},
		{"expander parent", func(c *C1, _ *Identity) { first(c).Expander[7].Index++ }, "expander parent 7: index: found 13, expected 12"},
		{"tree C root", func(c *C1, _ *Identity) { flip(&c.Partitions[0][1].Expander[0].Path.Root) }, "expander parent 0: tree C: root: found "},
		{"tree C leaf", func(c *C1, _ *Identity) { flip(&first(c).Expander[4].Path.Leaf) }, "expander parent 4: tree C: leaf against the rows"},
		{"tree C sibling", func(c *C1, _ *Identity) { flip(&first(c).Column.Path.Steps[1].Siblings[3]) }, "challenged column: tree C: level 2, recomputed from the leaf: found "},
		{"tree C place", func(c *C1, _ *Identity) { first(c).Column.Path.Steps[1].Index ^= 1 }, "challenged column: tree C: index: found "},
		{"tree D root", func(c *C1, _ *Identity) { flip(&c.Partitions[0][1].Data.Root) }, "partition 0, challenge 1: tree D: root: found "},
		{"tree D leaf", func(c *C1, _ *Identity) { flip(&first(c).Data.Leaf) }, "tree D: level 6, recomputed from the leaf: found "},
		{"tree D sibling", func(c *C1, _ *Identity) { flip(&first(c).Data.Steps[5].Siblings[0]) }, "tree D: level 6, recomputed from the leaf: found "},
		{"tree D place", func(c *C1, _ *Identity) { first(c).Data.Steps[0].Index ^= 1 }, "tree D: index: found 4, expected 5"},
		{"tree R root", func(c *C1, _ *Identity) { flip(&c.Partitions[0][1].Replica.Root) }, "challenge 1: tree R: root: found "},
		{"tree R leaf", func(c *C1, _ *Identity) { flip(&first(c).Replica.Leaf) }, "tree R: leaf against data and last label: found "},
		{"tree R sibling", func(c *C1, _ *Identity) { flip(&first(c).Replica.Steps[0].Siblings[6]) }, "tree R: level 2, recomputed from the leaf: found "},
		{"tree R place", func(c *C1, _ *Identity) { first(c).Replica.Steps[0].Index ^= 1 }, "tree R: index: found 4, expected 5"},
		{"sibling beyond r", func(c *C1, _ *Identity) { first(c).Replica.Steps[0].Siblings[6][31] = 0xff }, "tree R: level 0: node: found "},
		{"partition missing", func(c *C1, _ *Identity) { c.Partitions = nil }, "partitions: found 0, expected 1"},
		{"challenge missing", func(c *C1, _ *Identity) { c.Partitions[0] = c.Partitions[0][:1] }, "partition 0: challenges: found 1, expected 2"},
		{"parent missing", func(c *C1, _ *Identity) { first(c).DRG = first(c).DRG[:5] }, "base parents: found 5, expected 6"},
		{"label missing", func(c *C1, _ *Identity) { first(c).Labels = nil }, "labeling proofs: found 0, expected 2"},
		{"label's parents missing", func(c *C1, _ *Identity) { first(c).Labels[0].Parents = nil }, "labeling proof 0: parents: found 0, expected 37"},
		{"row missing", func(c *C1, _ *Identity) { first(c).DRG[0].Rows = first(c).DRG[0].Rows[:1] }, "rows: found 1, expected 2"},
		{"level missing", func(c *C1, _ *Identity) { first(c).Data.Steps = first(c).Data.Steps[:5] }, "tree D: levels: found 5, expected 6"},
		{"place beyond", func(c *C1, _ *Identity) { first(c).Replica.Steps[0].Index = 8 }, "tree R: level 0: index: found 8, expected below 8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c1, id := readC1(t, "2k-A.c1", ""), identity2KA()
			c.change(c1, id)
			checkCheck(t, c1.Check(t.Context(), id), c.want)
		})
	}
}

// TestCheckC1LooksAtAll changes one bit of every hash and number of a C1 output
// in turn: each is refused.
func TestCheckC1LooksAtAll(t *testing.T) {
	c1, id := readC1(t, "2k-A.c1", ""), identity2KA()
	if err := c1.Check(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	n := 0
	walk(reflect.ValueOf(c1).Elem(), "c1", func(place string, v reflect.Value) {
		n++
		if testing.Short() && n%10 != 0 {
			return
		}
		old := reflect.New(v.Type()).Elem()
		old.Set(v)
		if v.CanUint() {
			v.SetUint(v.Uint() ^ 1)
		} else {
			b := v.Index(n % v.Len())
			b.SetUint(b.Uint() ^ 1<<(n%5))
		}
		if err := c1.Check(t.Context(), id); err == nil {
			t.Errorf("%s is not looked at", place)
		}
		v.Set(old)
	})
	if n < 900 {
		t.Errorf("only %d values were changed", n)
	}
}

// walk visits every hash and number of partitions and commitments.
func walk(v reflect.Value, place string, visit func(string, reflect.Value)) {
	switch {
	case v.Type() == reflect.TypeFor[registry.Seal]():
	case v.Type() == reflect.TypeFor[Hash](), v.CanUint():
		visit(place, v)
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			walk(v.Field(i), place+"."+v.Type().Field(i).Name, visit)
		}
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), fmt.Sprintf("%s[%d]", place, i), visit)
		}
	}
}

// TestCheckC1Edition tells V1 from V1_1 by the graph and names both.
func TestCheckC1Edition(t *testing.T) {
	relabel := func(c1 *C1, name string) {
		t.Helper()
		seal, ok := registry.SealByName(name)
		if !ok {
			t.Fatalf("no seal %s", name)
		}
		seal.Shape = c1.Seal.Shape
		c1.Seal = seal
	}
	for _, c := range []struct{ c1, label, is string }{
		{"2k-A.c1", "StackedDrg2KiBV1", "StackedDrg2KiBV1_1"},
		{"gevulot-8m.c1", "StackedDrg8MiBV1", "StackedDrg8MiBV1_1"},
	} {
		c1 := readC1(t, c.c1, "")
		relabel(c1, c.label)
		checkCheck(t, c1.Check(t.Context(), nil), fmt.Sprintf(
			"registered_proof: found %s, expected %s, whose graph the parents are of", c.label, c.is))
	}
	c1 := readC1(t, "2k-A.c1", "")
	for i := range c1.Partitions[0] {
		drg := c1.Partitions[0][i].DRG
		c1.Partitions[0][i].DRG = slices.Concat(drg[1:], drg[:1])
	}
	checkCheck(t, c1.Check(t.Context(), nil),
		"registered_proof: found that of StackedDrg2KiBV1, expected StackedDrg2KiBV1_1's order of parents")
}

func TestCheckC1Cancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := readC1(t, "2k-A.c1", "").Check(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v, want %v", err, context.Canceled)
	}
}
