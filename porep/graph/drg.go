package graph

import "math/bits"

// sample draws the parents of a node other than its predecessor, len(parents)
// of them, by bucket sampling in the metagraph: each node stands for as many
// metanodes as parents are drawn, a bucket of distances [2^(b-1), 2^b] is chosen
// first, then a distance in it. The node must be at least 2.
func (g *Graph) sample(node uint64, parents []uint32) {
	degree := uint64(len(parents))
	meta := node * degree
	buckets := uint64(bits.Len64(meta - 1)) // log2 of meta, rounded up
	random := g.stream(node)
	for i := range parents {
		bucket := random.next()%buckets + 1
		far := min(meta, 1<<bucket)
		near := max(2, far>>1)
		distance := near + random.next()%(far-near+1)
		parent := (meta - distance) / degree
		if parent == node {
			parent--
		}
		parents[i] = uint32(parent)
	}
}
