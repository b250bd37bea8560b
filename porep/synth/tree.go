package synth

import (
	"context"
	"fmt"
	"slices"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"github.com/sealwright/sealwright/porep/poseidon"
)

// tree is a sparse Poseidon tree. A node exists where a leaf below it does; where
// none exists, its level's fillers stand in, one for each place.
type tree struct {
	arities []int    // children of a node of level i+1, the leaves being level 0
	levels  []level  // leaves first, root last
	fillers [][]Hash // of each level but the root's, one a place
}

// level is the nodes of a level that exist, ascending.
type level struct {
	index []uint64
	value []Hash
}

// growTree computes the tree above the given leaves, of which there is at least
// one. index holds their places, ascending.
func growTree(ctx context.Context, arities []int, index []uint64, leaves []Hash, fillers [][]Hash) (*tree, error) {
	t := &tree{arities: arities, levels: []level{{index, leaves}}, fillers: fillers}
	for h, arity := range arities {
		var up level
		for _, i := range t.levels[h].index {
			up.index = append(up.index, i/uint64(arity))
		}
		up.index = slices.Compact(up.index)
		up.value = make([]Hash, len(up.index))
		hasher := poseidon.ForArity(arity)
		err := each(ctx, len(up.index), func(i int) (err error) {
			up.value[i], err = hashNodes(hasher, t.children(h, up.index[i]))
			return err
		})
		if err != nil {
			return nil, err
		}
		t.levels = append(t.levels, up)
	}
	return t, nil
}

// children returns the nodes of level h below a node of the level above.
func (t *tree) children(h int, parent uint64) []Hash {
	children := make([]Hash, t.arities[h])
	for place := range children {
		i, found := slices.BinarySearch(t.levels[h].index, parent*uint64(len(children))+uint64(place))
		if found {
			children[place] = t.levels[h].value[i]
		} else {
			children[place] = t.fillers[h][place]
		}
	}
	return children
}

// root returns the root.
func (t *tree) root() Hash { return t.levels[len(t.levels)-1].value[0] }

// leaf returns a leaf that exists.
func (t *tree) leaf(index uint64) Hash {
	i, _ := slices.BinarySearch(t.levels[0].index, index)
	return t.levels[0].value[i]
}

// step is one level of an opening: the siblings in order, and the own place
// among them.
type step struct {
	Siblings []Hash `json:"hashes"`
	Index    uint64 `json:"index"`
}

// open returns the opening of a leaf, from its siblings up to the root's children.
func (t *tree) open(index uint64) []step {
	path := make([]step, len(t.arities))
	for h, arity := range t.arities {
		place, parent := index%uint64(arity), index/uint64(arity)
		children := t.children(h, parent)
		path[h] = step{slices.Delete(children, int(place), int(place)+1), place}
		index = parent
	}
	return path
}

// hashNodes returns the Poseidon hash of as many nodes as the arity says.
func hashNodes(p *poseidon.Params, nodes []Hash) (Hash, error) {
	elements := make([]fr.Element, len(nodes))
	for i := range nodes {
		var err error
		if elements[i], err = fr.LittleEndian.Element(&nodes[i]); err != nil {
			return Hash{}, fmt.Errorf("hash node %x: %w", nodes[i], err)
		}
	}
	var out Hash
	fr.LittleEndian.PutElement(&out, p.Hash(elements))
	return out, nil
}
