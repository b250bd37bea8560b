package vanilla

import (
	"context"
	"fmt"

	"github.com/sealwright/sealwright/porep/graph"
)

// Check recomputes what each sector's vanilla proof claims: comm_r, the
// challenges and every opening of tree R. Where it returns nil, the partition's
// witness satisfies the circuit with the public inputs that a verifier derives.
// Errors are *CheckError, or the context's.
func (w *WindowPoSt) Check(ctx context.Context) error {
	shape := &w.Proof.Shape
	if n := len(w.Sectors); n == 0 || n > shape.Sectors {
		return &CheckError{"sectors", fmt.Sprintf("1 to %d", shape.Sectors), fmt.Sprint(n)}
	}
	return inParallel(ctx, len(w.Sectors), func(i int) error {
		return within(fmt.Sprintf("sector %d (number %d)", i, w.Sectors[i].ID), w.checkSector(i))
	})
}

// Challenges returns the leaves of tree R that are challenged in sector i.
func (w *WindowPoSt) Challenges(i int) []uint64 {
	shape := &w.Proof.Shape
	place := int(w.Partition)*shape.Sectors + i
	return graph.WindowPoStChallenges(w.Randomness, w.Sectors[i].ID, shape.Nodes(), w.Proof.V1_1, place, shape.Challenges)
}

func (w *WindowPoSt) checkSector(i int) error {
	s, shape := &w.Sectors[i], &w.Proof.Shape
	commR, err := poseidonHash([]Hash{s.CommC, s.CommRLast})
	if err != nil {
		return within("comm_c or comm_r_last", err)
	}
	if err := mismatch("comm_r against comm_c and comm_r_last", s.CommR, commR); err != nil {
		return err
	}
	if err := mismatch("openings", len(s.Paths), shape.Challenges); err != nil {
		return err
	}
	levels := shape.Tree.Levels(shape.Nodes())
	hash := remembered(poseidonHash)
	for n, node := range w.Challenges(i) {
		p := &s.Paths[n]
		err := p.checkShape(levels)
		if err == nil {
			err = p.check(hash, node, s.CommRLast)
		}
		if err != nil {
			return within(fmt.Sprintf("challenge %d (node %d): tree R", n, node), err)
		}
	}
	return nil
}
