package vanilla

import (
	"fmt"

	"github.com/sealwright/sealwright/porep/graph"
	"github.com/sealwright/sealwright/porep/registry"
)

// parents checks the indices of a node's parents.
func (k *c1Checker) parents(c *Challenge, node uint64) error {
	base, expander := k.graph.DRGParents(node), k.graph.ExpanderParents(node)
	for i := range c.DRG {
		if err := mismatch(fmt.Sprintf("base parent %d: index", i), c.DRG[i].Index, base[i]); err != nil {
			return err
		}
	}
	for i := range c.Expander {
		if err := mismatch(fmt.Sprintf("expander parent %d: index", i), c.Expander[i].Index, expander[i]); err != nil {
			return err
		}
	}
	return nil
}

// edition refuses a sector of the other edition of its size, V1 or V1_1: their
// graphs differ in the order of parents, and their porep ids in everything.
func (k *c1Checker) edition() error {
	if k.fits(k.graph) {
		return nil // or wrong in a way of which parents tell more
	}
	seal := &k.c1.Seal
	for _, other := range registry.Seals() {
		if other.Feature != registry.Interactive || other.VanillaName != seal.VanillaName || other.V1_1 == seal.V1_1 {
			continue
		}
		nodes := seal.Shape.Nodes()
		switch {
		case k.fits(graph.New(other.PorepID(), nodes, other.V1_1)):
			return &CheckError{"registered_proof", other.Name + ", whose graph the parents are of", seal.Name}
		case k.fits(graph.New(seal.PorepID(), nodes, other.V1_1)):
			return &CheckError{"registered_proof", seal.Name + "'s order of parents", "that of " + other.Name}
		}
	}
	return nil
}

// fits tells whether the parents of all challenged nodes are those of a graph.
func (k *c1Checker) fits(g *graph.Graph) bool {
	asked := c1Checker{graph: g}
	for _, partition := range k.c1.Partitions {
		for i := range partition {
			if asked.parents(&partition[i], partition[i].Node()) != nil {
				return false
			}
		}
	}
	return true
}
