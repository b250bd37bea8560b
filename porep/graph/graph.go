// Package graph is the graph that a sector's labels are computed over, and what
// is drawn from hashes beside it: challenges, replica ids.
//
// A node has 6 parents in its own layer, drawn by bucket sampling (DRSample), and
// 8 in the layer before, drawn through a permutation (Chung's expander). Parents
// follow from the porep id alone, so a prover's claim about them can be checked
// without the sector.
//
// Sources: Fisch, "Tight Proofs of Space and Replication"; Alwen, Blocki,
// Harsha, "Practical Graphs for Optimal Side-Channel Resistant Memory-Hard
// Functions" (DRSample); the Filecoin specification, "Stacked DRG". Orders and
// corner cases are those of rust-fil-proofs.
package graph

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/sealwright/sealwright/porep/registry"
)

// Tags that separate the two halves of the graph when seeds are drawn from the
// porep id.
const (
	drgTag      = "Filecoin_DRSample"
	expanderTag = "Filecoin_Feistel"
)

// Graph gives the parents of a sector's nodes. It is read-only and safe for
// concurrent use.
type Graph struct {
	nodes uint64
	v1_1  bool
	seed  [28]byte // of the DRG
	perm  feistel
}

// New returns the graph of a porep id with the given number of nodes, at most
// 2^32. v1_1 tells the two editions apart; graphs of the first edition (false),
// before API version 1.1.0,
//   - put the immediate predecessor last among the DRG parents, not first;
//   - cut permuted indices to 32 bits, a defect that shows from 2^29 nodes on:
//     expander parents then all lie below node 2^29.
func New(porepID [32]byte, nodes uint64, v1_1 bool) *Graph {
	g := &Graph{nodes: nodes, v1_1: v1_1}
	seed := domainSeed(drgTag, porepID)
	copy(g.seed[:], seed[:])
	g.perm = newFeistel(nodes*registry.ExpanderDegree, domainSeed(expanderTag, porepID))
	return g
}

// domainSeed hashes a tag and a porep id.
func domainSeed(tag string, porepID [32]byte) [32]byte {
	return sha256.Sum256(append([]byte(tag), porepID[:]...))
}

// Nodes returns the number of nodes.
func (g *Graph) Nodes() uint64 { return g.nodes }

// DRGParents returns the parents of a node in its own layer, all smaller than
// the node, in the order that labels hash them; some may be equal. Nodes 0 and 1
// have node 0 six times.
func (g *Graph) DRGParents(node uint64) [registry.BaseDegree]uint32 {
	var parents [registry.BaseDegree]uint32
	if node < 2 {
		return parents
	}
	predecessor, drawn := 0, parents[1:]
	if !g.v1_1 {
		predecessor, drawn = len(drawn), parents[:len(drawn)]
	}
	g.sample(node, drawn)
	parents[predecessor] = uint32(node - 1)
	return parents
}

// ExpanderParents returns the parents of a node in the layer before, in the
// order that labels hash them. They may be any nodes, repeated, the node itself
// too.
func (g *Graph) ExpanderParents(node uint64) [registry.ExpanderDegree]uint32 {
	var parents [registry.ExpanderDegree]uint32
	for i := range parents {
		to := g.perm.permute(node*registry.ExpanderDegree + uint64(i))
		if !g.v1_1 {
			to = uint64(uint32(to))
		}
		parents[i] = uint32(to / registry.ExpanderDegree)
	}
	return parents
}

// stream returns the random words of a node's DRG parents.
func (g *Graph) stream(node uint64) chacha8 {
	var key [32]byte
	copy(key[:], g.seed[:])
	binary.LittleEndian.PutUint32(key[len(g.seed):], uint32(node))
	return newChaCha8(key)
}
