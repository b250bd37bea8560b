package vanilla

import "github.com/sealwright/sealwright/porep/registry"

func (p *c1Parser) challenge(c *Challenge) error {
	layers := p.c1.Seal.Shape.Layers
	c.DRG = make([]Column, registry.BaseDegree)
	c.Expander = make([]Column, registry.ExpanderDegree)
	c.Labels = make([]Label, layers)
	return p.object(
		field{"comm_d_proofs", func() error { return p.opening(&c.Data, registry.Tree{Base: 2}, p.dataLevels) }},
		field{"comm_r_last_proof", func() error { return p.opening(&c.Replica, p.c1.Seal.Shape.Tree, p.treeLevels) }},
		field{"replica_column_proofs", func() error { return p.columns(c) }},
		field{"labeling_proofs", func() error {
			return p.array(layers, func(i int) error { return p.label(&c.Labels[i]) })
		}},
		field{"encoding_proof", func() error { return p.label(&c.Encoding) }},
	)
}

func (p *c1Parser) columns(c *Challenge) error {
	return p.object(
		field{"c_x", func() error { return p.column(&c.Column) }},
		field{"drg_parents", func() error {
			return p.array(len(c.DRG), func(i int) error { return p.column(&c.DRG[i]) })
		}},
		field{"exp_parents", func() error {
			return p.array(len(c.Expander), func(i int) error { return p.column(&c.Expander[i]) })
		}},
	)
}

func (p *c1Parser) column(c *Column) error {
	return p.object(
		field{"column", func() error {
			return p.object(
				field{"index", func() error { return p.column32(&c.Index) }},
				field{"rows", func() (err error) {
					c.Rows, err = p.hashes(p.c1.Seal.Shape.Layers)
					return err
				}},
				field{"_h", p.null},
			)
		}},
		field{"inclusion_proof", func() error { return p.opening(&c.Path, p.c1.Seal.Shape.Tree, p.treeLevels) }},
	)
}

func (p *c1Parser) label(l *Label) error {
	return p.object(
		field{"parents", func() (err error) {
			l.Parents, err = p.hashes(registry.LabelParents)
			return err
		}},
		field{"layer_index", func() error { return p.layer(&l.Layer) }},
		field{"node", func() error { return p.node(&l.Node) }},
	)
}

// opening reads an opening of a tree of the given shape, whose levels from the
// leaves up have the given arities. The input spells the levels of base, sub and
// top trees apart.
func (p *c1Parser) opening(path *Path, tree registry.Tree, levels []int) error {
	path.Steps = make([]Step, len(levels))
	base := len(levels)
	for _, arity := range []int{tree.Sub, tree.Top} {
		if arity > 0 {
			base--
		}
	}
	part := func(name string, from, to int) field {
		return field{name, func() error { return p.steps(path.Steps[from:to], levels[from:to]) }}
	}
	kind, parts := "Single", []field{part("path", 0, base)}
	switch {
	case tree.Top > 0:
		kind = "Top"
		parts = []field{part("base_proof", 0, base), part("sub_proof", base, base+1), part("top_proof", base+1, base+2)}
	case tree.Sub > 0:
		kind = "Sub"
		parts = []field{part("base_proof", 0, base), part("sub_proof", base, base+1)}
	}
	parts = append(parts,
		field{"root", func() error { return p.hash(&path.Root) }},
		field{"leaf", func() error { return p.hash(&path.Leaf) }})
	return p.object(field{"data", func() error {
		return p.object(field{kind, func() error { return p.object(parts...) }})
	}})
}

func (p *c1Parser) steps(steps []Step, levels []int) error {
	return p.object(field{"path", func() error {
		return p.array(len(steps), func(i int) error {
			s, arity := &steps[i], levels[i]
			return p.object(
				field{"hashes", func() (err error) {
					s.Siblings, err = p.hashes(arity - 1)
					return err
				}},
				field{"index", func() error { return p.place(arity, &s.Index) }},
			)
		})
	}})
}

// The longest numbers of each kind.
const (
	mostLayers = 1 << 8
	mostNodes  = 1 << 32
)

// place reads a node's place among its siblings.
func (p *c1Parser) place(arity int, index *uint8) error {
	n, err := p.number(uint64(arity - 1))
	*index = uint8(n)
	return err
}

func (p *c1Parser) layer(layer *uint32) error {
	n, err := p.number(mostLayers)
	*layer = uint32(n)
	return err
}

func (p *c1Parser) node(node *uint64) (err error) {
	*node, err = p.number(mostNodes - 1)
	return err
}

func (p *c1Parser) column32(index *uint32) error {
	n, err := p.number(mostNodes - 1)
	*index = uint32(n)
	return err
}
