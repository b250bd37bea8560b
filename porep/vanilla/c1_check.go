package vanilla

import (
	"context"
	"fmt"

	"github.com/sealwright/sealwright/porep/graph"
)

// Check recomputes everything that a C1 output claims, on all cores: replica_id
// where id is not nil, comm_r, the challenges, parents, labels and the encoding,
// and every opening of trees C, D and R. Where it returns nil, each partition's
// witness satisfies the circuit with the public inputs that a verifier derives.
// It needs about 0.3 KB for each distinct node on the way.
//
// Errors are *CheckError, or the context's.
func (c *C1) Check(ctx context.Context, id *Identity) error {
	if err := c.checkShape(); err != nil {
		return err
	}
	k := newC1Checker(c)
	for _, check := range []func() error{
		k.edition,
		func() error { return k.replicaID(id) },
		k.replicaCommitment,
	} {
		if err := check(); err != nil {
			return err
		}
	}
	shape := &c.Seal.Shape
	each := shape.Challenges
	return inParallel(ctx, shape.Partitions*each, func(n int) error {
		i, j := n/each, n%each
		node := graph.Challenges(c.ReplicaID, c.Seed, shape.Nodes(), each, i)[j]
		return within(fmt.Sprintf("partition %d, challenge %d", i, j), k.challenge(&c.Partitions[i][j], node))
	})
}

// c1Checker holds what the checks of a C1 output share.
type c1Checker struct {
	c1           *C1
	graph        *graph.Graph
	commC, commR Hash // roots of trees C and R
	treeHash     hasher
}

func newC1Checker(c *C1) *c1Checker {
	first := &c.Partitions[0][0]
	return &c1Checker{
		c1:       c,
		graph:    graph.New(c.Seal.PorepID(), c.Seal.Shape.Nodes(), c.Seal.V1_1),
		commC:    first.Column.Path.Root,
		commR:    first.Replica.Root,
		treeHash: remembered(poseidonHash),
	}
}

// replicaID recomputes replica_id where the sector is known.
func (k *c1Checker) replicaID(id *Identity) error {
	if id == nil {
		return nil
	}
	c := k.c1
	want := graph.ReplicaID(id.ProverID, id.Sector, c.Ticket, c.CommD, c.Seal.PorepID())
	where := fmt.Sprintf("replica_id of sector %d of prover %x", id.Sector, id.ProverID)
	return mismatch(where, c.ReplicaID, Hash(want))
}

// replicaCommitment recomputes comm_r from the roots that the openings claim.
func (k *c1Checker) replicaCommitment() error {
	got, err := poseidonHash([]Hash{k.commC, k.commR})
	if err != nil {
		return within("comm_r from the roots of trees C and R", err)
	}
	return mismatch("comm_r against the roots of trees C and R", k.c1.CommR, got)
}

// challenge checks all that is opened for the challenge that falls on a node.
func (k *c1Checker) challenge(c *Challenge, node uint64) error {
	if err := mismatch("challenged node", c.Node(), node); err != nil {
		return err
	}
	if err := k.parents(c, node); err != nil {
		return err
	}
	if err := k.columns(c, node); err != nil {
		return err
	}
	if err := within("tree D", c.Data.check(pairHash, node, k.c1.CommD)); err != nil {
		return err
	}
	if err := k.labels(c, node); err != nil {
		return err
	}
	if err := k.encoding(c); err != nil {
		return err
	}
	return within("tree R", c.Replica.check(k.treeHash, node, k.commR))
}

// columns checks the challenged column and those of its parents.
func (k *c1Checker) columns(c *Challenge, node uint64) error {
	if err := mismatch("challenged column: index", uint64(c.Column.Index), node); err != nil {
		return err
	}
	if err := within("challenged column", k.column(&c.Column)); err != nil {
		return err
	}
	for i := range c.DRG {
		if err := within(fmt.Sprintf("base parent %d", i), k.column(&c.DRG[i])); err != nil {
			return err
		}
	}
	for i := range c.Expander {
		if err := within(fmt.Sprintf("expander parent %d", i), k.column(&c.Expander[i])); err != nil {
			return err
		}
	}
	return nil
}

// column checks that a column hashes to its leaf of tree C. Columns of one index
// are then one column, as the leaf is.
func (k *c1Checker) column(c *Column) error {
	leaf, err := poseidonHash(c.Rows)
	if err != nil {
		return within("rows", err)
	}
	if err := mismatch("tree C: leaf against the rows", c.Path.Leaf, leaf); err != nil {
		return err
	}
	return within("tree C", c.Path.check(k.treeHash, uint64(c.Index), k.commC))
}
