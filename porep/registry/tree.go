package registry

import "fmt"

// Tree is the shape of trees C and R: a base of arity Base, topped by one level
// of arity Sub and one of arity Top where those are not 0.
type Tree struct{ Base, Sub, Top int }

// String returns the shape as file names spell it, "8-8-2".
func (t Tree) String() string { return fmt.Sprintf("%d-%d-%d", t.Base, t.Sub, t.Top) }

// Levels returns the arity of each level from the leaves up, for a sector of
// the given number of nodes (a power of two that the shape fits).
func (t Tree) Levels(nodes uint64) []int {
	for _, a := range []int{t.Sub, t.Top} {
		if a > 0 {
			nodes /= uint64(a)
		}
	}
	var levels []int
	for ; nodes > 1; nodes /= uint64(t.Base) {
		levels = append(levels, t.Base)
	}
	for _, a := range []int{t.Sub, t.Top} {
		if a > 0 {
			levels = append(levels, a)
		}
	}
	return levels
}
