package vanilla

import (
	"encoding/binary"
	"fmt"

	"github.com/sealwright/sealwright/porep/graph"
	"github.com/sealwright/sealwright/porep/registry"
)

// labels recomputes the node's label in every layer from its parents' columns.
func (k *c1Checker) labels(c *Challenge, node uint64) error {
	for i := range c.Labels {
		l := &c.Labels[i]
		place := fmt.Sprintf("labeling proof %d", i)
		if err := within(place, checkLabel(c, l, i, node)); err != nil {
			return err
		}
		if err := mismatch(fmt.Sprintf("challenged column: row %d against the recomputed label", i),
			c.Column.Rows[i], l.hash(k.c1.ReplicaID)); err != nil {
			return err
		}
	}
	return within("encoding proof", checkLabel(c, &c.Encoding, len(c.Labels)-1, node))
}

// checkLabel checks the proof of a label against the columns of the node's
// parents. Layers are counted from 0.
func checkLabel(c *Challenge, l *Label, layer int, node uint64) error {
	if err := mismatch("layer", l.Layer, uint32(layer+1)); err != nil {
		return err
	}
	if err := mismatch("node", l.Node, node); err != nil {
		return err
	}
	var parents [registry.BaseDegree + registry.ExpanderDegree]*Hash
	n := 0
	for i := range c.DRG {
		parents[n] = &c.DRG[i].Rows[layer]
		n++
	}
	if layer > 0 {
		for i := range c.Expander {
			parents[n] = &c.Expander[i].Rows[layer-1]
			n++
		}
	}
	for i := range l.Parents {
		if err := mismatch(fmt.Sprintf("parent %d", i), l.Parents[i], *parents[i%n]); err != nil {
			return err
		}
	}
	return nil
}

// Where the parts of a label's preimage begin: replica id, layer, node, zeros,
// parents.
const (
	preimageLayer   = 32
	preimageNode    = preimageLayer + 4
	preimageParents = 64
	preimageBytes   = preimageParents + 32*registry.LabelParents
)

// hash returns the label of a proof.
func (l *Label) hash(replicaID Hash) Hash {
	var in [preimageBytes]byte
	copy(in[:], replicaID[:])
	binary.BigEndian.PutUint32(in[preimageLayer:], l.Layer)
	binary.BigEndian.PutUint64(in[preimageNode:], l.Node)
	for i := range l.Parents {
		copy(in[preimageParents+32*i:], l.Parents[i][:])
	}
	return graph.NodeHash(in[:])
}

// encoding checks that the replica's node is the data's plus the last label.
func (k *c1Checker) encoding(c *Challenge) error {
	key, ok := c.Column.Rows[len(c.Column.Rows)-1].Element()
	data, okData := c.Data.Leaf.Element()
	if !ok || !okData {
		return &CheckError{"tree D: leaf", "a field element below r", c.Data.Leaf.String()}
	}
	key.Add(&key, &data)
	return mismatch("tree R: leaf against data and last label", c.Replica.Leaf, hashOf(&key))
}
