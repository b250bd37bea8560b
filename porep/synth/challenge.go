package synth

// challenge is the JSON of one challenged node.
type challenge struct {
	CommDProofs         merkleProof  `json:"comm_d_proofs"`
	CommRLastProof      merkleProof  `json:"comm_r_last_proof"`
	ReplicaColumnProofs columnProofs `json:"replica_column_proofs"`
	LabelingProofs      []labelProof `json:"labeling_proofs"`
	EncodingProof       labelProof   `json:"encoding_proof"`
}

// columnProofs is the JSON of the columns that a challenge opens.
type columnProofs struct {
	CX              columnProof   `json:"c_x"`
	DRGParents      []columnProof `json:"drg_parents"`
	ExpanderParents []columnProof `json:"exp_parents"`
}

type columnProof struct {
	Column         column      `json:"column"`
	InclusionProof merkleProof `json:"inclusion_proof"`
}

type column struct {
	Index uint64    `json:"index"`
	Rows  []Hash    `json:"rows"`
	H     *struct{} `json:"_h"` // always null
}

type labelProof struct {
	Parents    []Hash `json:"parents"`
	LayerIndex int    `json:"layer_index"`
	Node       uint64 `json:"node"`
}

// merkleProof is the JSON of an opening; one of the three is set, by the tree's
// shape.
type merkleProof struct {
	Data struct {
		Single *singleProof `json:",omitempty"`
		Sub    *subProof    `json:",omitempty"`
		Top    *topProof    `json:",omitempty"`
	} `json:"data"`
}

type path struct {
	Path []step `json:"path"`
}

type singleProof struct {
	Root Hash `json:"root"`
	Leaf Hash `json:"leaf"`
	Path path `json:"path"`
}

type subProof struct {
	BaseProof path `json:"base_proof"`
	SubProof  path `json:"sub_proof"`
	Root      Hash `json:"root"`
	Leaf      Hash `json:"leaf"`
}

type topProof struct {
	BaseProof path `json:"base_proof"`
	SubProof  path `json:"sub_proof"`
	TopProof  path `json:"top_proof"`
	Root      Hash `json:"root"`
	Leaf      Hash `json:"leaf"`
}

// challenge opens everything that a challenge of the node needs.
func (s *Sector) challenge(node uint64) challenge {
	c := challenge{CommDProofs: s.openData(node), CommRLastProof: s.open(s.treeR, node)}
	c.ReplicaColumnProofs.CX = s.openColumn(node)
	for _, p := range s.labels.graph.DRGParents(node) {
		c.ReplicaColumnProofs.DRGParents = append(c.ReplicaColumnProofs.DRGParents, s.openColumn(uint64(p)))
	}
	for _, p := range s.labels.graph.ExpanderParents(node) {
		c.ReplicaColumnProofs.ExpanderParents = append(c.ReplicaColumnProofs.ExpanderParents, s.openColumn(uint64(p)))
	}
	for layer := 1; layer <= s.Seal.Shape.Layers; layer++ {
		c.EncodingProof = labelProof{s.labels.parents(layer, node), layer, node}
		c.LabelingProofs = append(c.LabelingProofs, c.EncodingProof)
	}
	return c
}

// openColumn opens a node's column in tree C.
func (s *Sector) openColumn(node uint64) columnProof {
	return columnProof{column{Index: node, Rows: s.labels.column(node)}, s.open(s.treeC, node)}
}

// openData opens a node in tree D.
func (s *Sector) openData(node uint64) merkleProof {
	steps := make([]step, len(s.zeros)-1)
	for h := range steps {
		steps[h] = step{s.zeros[h : h+1], node >> h & 1}
	}
	var p merkleProof
	p.Data.Single = &singleProof{s.CommD, s.zeros[0], path{steps}}
	return p
}

// open opens a node in tree C or R.
func (s *Sector) open(t *tree, node uint64) merkleProof {
	var p merkleProof
	steps, root, leaf := t.open(node), t.root(), t.leaf(node)
	n := len(steps)
	switch shape := s.Seal.Shape.Tree; {
	case shape.Top > 0:
		p.Data.Top = &topProof{path{steps[:n-2]}, path{steps[n-2 : n-1]}, path{steps[n-1:]}, root, leaf}
	case shape.Sub > 0:
		p.Data.Sub = &subProof{path{steps[:n-1]}, path{steps[n-1:]}, root, leaf}
	default:
		p.Data.Single = &singleProof{root, leaf, path{steps}}
	}
	return p
}
