package vanilla

import (
	"fmt"

	"github.com/sealwright/sealwright/porep/registry"
)

// checkShape checks all lengths, so that what follows needs to look at none. A
// parsed C1 output has them; one that was put together may not.
func (c *C1) checkShape() error {
	shape := &c.Seal.Shape
	if err := mismatch("partitions", len(c.Partitions), shape.Partitions); err != nil {
		return err
	}
	if shape.Partitions == 0 || shape.Layers == 0 {
		return &CheckError{"registered proof", "one with partitions and layers", fmt.Sprintf("%q", c.Seal.Name)}
	}
	s := shapeChecker{
		layers: shape.Layers,
		tree:   shape.Tree.Levels(shape.Nodes()),
		data:   registry.Tree{Base: 2}.Levels(shape.Nodes()),
	}
	for i, p := range c.Partitions {
		if err := mismatch(fmt.Sprintf("partition %d: challenges", i), len(p), shape.Challenges); err != nil {
			return err
		}
		for j := range p {
			if err := s.challenge(&p[j]); err != nil {
				return within(fmt.Sprintf("partition %d, challenge %d", i, j), err)
			}
		}
	}
	return nil
}

type shapeChecker struct {
	layers     int
	tree, data []int // arities of the levels
}

func (s *shapeChecker) challenge(c *Challenge) error {
	for _, n := range []struct {
		what        string
		found, want int
	}{
		{"base parents", len(c.DRG), registry.BaseDegree},
		{"expander parents", len(c.Expander), registry.ExpanderDegree},
		{"labeling proofs", len(c.Labels), s.layers},
		{"encoding proof: parents", len(c.Encoding.Parents), registry.LabelParents},
	} {
		if err := mismatch(n.what, n.found, n.want); err != nil {
			return err
		}
	}
	for i := range c.Labels {
		if err := mismatch(fmt.Sprintf("labeling proof %d: parents", i), len(c.Labels[i].Parents), registry.LabelParents); err != nil {
			return err
		}
	}
	if err := within("tree D", c.Data.checkShape(s.data)); err != nil {
		return err
	}
	if err := within("tree R", c.Replica.checkShape(s.tree)); err != nil {
		return err
	}
	for _, columns := range [][]Column{{c.Column}, c.DRG, c.Expander} {
		for i := range columns {
			if err := s.column(&columns[i]); err != nil {
				return within(fmt.Sprintf("column of node %d", columns[i].Index), err)
			}
		}
	}
	return nil
}

func (s *shapeChecker) column(c *Column) error {
	if err := mismatch("rows", len(c.Rows), s.layers); err != nil {
		return err
	}
	return within("tree C", c.Path.checkShape(s.tree))
}
