package synth

import (
	"encoding/binary"
	"slices"

	"github.com/sealwright/sealwright/porep/graph"
	"github.com/sealwright/sealwright/porep/registry"
)

// labels holds the columns of the nodes that exist: the challenged ones and
// their parents.
type labels struct {
	graph   *graph.Graph
	replica Hash
	nodes   []uint64 // ascending
	columns [][]Hash // of each node, one label a layer
}

// makeLabels computes the labels of a sector whose challenges are known. Labels
// of challenged nodes are real; those that are only parents are hashed from rng.
func makeLabels(s *Sector, rng Hash) *labels {
	l := &labels{
		graph:   graph.New(s.Seal.PorepID(), s.Seal.Shape.Nodes(), s.Seal.V1_1),
		replica: s.ReplicaID,
	}
	challenged := make(map[uint64]bool)
	for _, v := range slices.Concat(s.challenges...) {
		challenged[v] = true
		drg, expander := l.graph.DRGParents(v), l.graph.ExpanderParents(v)
		l.nodes = append(l.nodes, v)
		for _, p := range slices.Concat(drg[:], expander[:]) {
			l.nodes = append(l.nodes, uint64(p))
		}
	}
	slices.Sort(l.nodes)
	l.nodes = slices.Compact(l.nodes)
	l.columns = make([][]Hash, len(l.nodes))

	// In this order all parents of a label exist before it: those of its own layer
	// are smaller nodes, the others are of the layer before.
	for layer := 1; layer <= s.Seal.Shape.Layers; layer++ {
		for i, v := range l.nodes {
			label := hashOf([]byte("c1synth/label"), rng[:], be4(layer), be8(v))
			if challenged[v] {
				label = l.label(layer, v)
			}
			l.columns[i] = append(l.columns[i], label)
		}
	}
	return l
}

// column returns the labels of a node that exists, as far as they are made.
func (l *labels) column(node uint64) []Hash {
	i, _ := slices.BinarySearch(l.nodes, node)
	return l.columns[i]
}

// parents returns the labels that the label of a challenged node is hashed from,
// in order. Layers count from 1.
func (l *labels) parents(layer int, node uint64) []Hash {
	var distinct []Hash
	for _, p := range l.graph.DRGParents(node) {
		distinct = append(distinct, l.column(uint64(p))[layer-1])
	}
	if layer > 1 {
		for _, p := range l.graph.ExpanderParents(node) {
			distinct = append(distinct, l.column(uint64(p))[layer-2])
		}
	}
	return slices.Repeat(distinct, registry.LabelParents/len(distinct)+1)[:registry.LabelParents]
}

// label returns the label of a challenged node.
func (l *labels) label(layer int, node uint64) Hash {
	preimage := make([]byte, 64, 64+registry.LabelParents*registry.NodeBytes)
	copy(preimage, l.replica[:])
	binary.BigEndian.PutUint32(preimage[32:], uint32(layer))
	binary.BigEndian.PutUint64(preimage[36:], node)
	for _, p := range l.parents(layer, node) {
		preimage = append(preimage, p[:]...)
	}
	return graph.NodeHash(preimage)
}
