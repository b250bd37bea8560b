package vanilla

import (
	"fmt"
	"slices"
	"sync"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/porep/graph"
	"github.com/sealwright/sealwright/porep/poseidon"
)

// hasher hashes children to their parent. It is safe for concurrent use.
type hasher func(children []Hash) (Hash, error)

// pairHash is the hasher of tree D.
func pairHash(children []Hash) (Hash, error) {
	left, right := [32]byte(children[0]), [32]byte(children[1])
	return graph.PairHash(&left, &right), nil
}

// poseidonHash is the hasher of trees C and R, of columns and of comm_r.
func poseidonHash(children []Hash) (Hash, error) {
	params := poseidon.ForArity(len(children))
	if params == nil {
		return Hash{}, fmt.Errorf("hash nodes: no Poseidon of arity %d", len(children))
	}
	in := make([]fr.Element, len(children))
	for i := range children {
		var ok bool
		if in[i], ok = children[i].Element(); !ok {
			return Hash{}, &CheckError{"node", "a field element below r", children[i].String()}
		}
	}
	out := params.Hash(in)
	return hashOf(&out), nil
}

// remembered returns a hasher that hashes equal children once: the upper nodes
// of a tree are on many paths. The memory is that of the nodes, 0.3 KB each.
func remembered(hash hasher) hasher {
	const mostArity = 8
	var mu sync.Mutex
	known := make(map[[mostArity]Hash]Hash)
	return func(children []Hash) (Hash, error) {
		if len(children) != mostArity {
			return hash(children)
		}
		key := [mostArity]Hash(children)
		mu.Lock()
		parent, ok := known[key]
		mu.Unlock()
		if ok {
			return parent, nil
		}
		parent, err := hash(children)
		if err == nil {
			mu.Lock()
			known[key] = parent
			mu.Unlock()
		}
		return parent, err
	}
}

// checkShape tells whether an opening has the given levels.
func (p *Path) checkShape(levels []int) error {
	if err := mismatch("levels", len(p.Steps), len(levels)); err != nil {
		return err
	}
	for i := range p.Steps {
		s := &p.Steps[i]
		if err := mismatch(fmt.Sprintf("level %d: siblings", i), len(s.Siblings), levels[i]-1); err != nil {
			return err
		}
		if int(s.Index) >= levels[i] {
			return &CheckError{fmt.Sprintf("level %d: index", i), fmt.Sprintf("below %d", levels[i]), fmt.Sprint(s.Index)}
		}
	}
	return nil
}

// check recomputes an opening: its leaf is the one at index, and leads to root.
// Its shape is right.
func (p *Path) check(hash hasher, index uint64, root Hash) error {
	if err := mismatch("root", p.Root, root); err != nil {
		return err
	}
	if err := mismatch("index", p.Index(), index); err != nil {
		return err
	}
	at := p.Leaf
	children := make([]Hash, 0, 16)
	for i := range p.Steps {
		s := &p.Steps[i]
		children = append(children[:0], s.Siblings...)
		children = slices.Insert(children, int(s.Index), at)
		var err error
		if at, err = hash(children); err != nil {
			return within(fmt.Sprintf("level %d", i), err)
		}
	}
	return mismatch(fmt.Sprintf("level %d, recomputed from the leaf", len(p.Steps)), at, root)
}
