package vanilla

import (
	"context"
	"fmt"

	"github.com/sealwright/sealwright/porep/registry"
)

const c1Format = "C1 output"

// ParseC1 reads a C1 output: the JSON of the reference's SealCommitPhase1Output,
// of an interactive proof. It takes no other structure: every key once, every
// array of its length, every node a canonical field element. What the values
// claim is looked at by Check. It borrows nothing of data. Errors are
// *ParseError.
func ParseC1(data []byte) (*C1, error) { return parseC1(data, nil) }

// ParseC1WithShape is ParseC1 for a C1 output that is labelled as another size
// than it has, as small sectors with the trees of large ones are.
func ParseC1WithShape(data []byte, shape *registry.Shape) (*C1, error) { return parseC1(data, shape) }

func parseC1(data []byte, shape *registry.Shape) (*C1, error) {
	cut := cutPartitions(data)
	p := &c1Parser{reader: newReader(c1Format, cut.text), c1: new(C1), shape: shape}
	p.origin = cut.offset
	err := p.whole(data, len(cut.parts))
	if last := len(cut.parts) - 1; err != nil && last >= 0 && !cut.parts[last].closed && p.known() {
		if exact := p.partition(last, &cut.parts[last]); exact != nil {
			err = exact // where in the partition the input ends
		}
	}
	if err != nil {
		return nil, err
	}
	parse := func(k int) error { return p.partition(k, &cut.parts[k]) }
	if err := inParallel(context.Background(), len(cut.parts), parse); err != nil {
		return nil, err
	}
	return p.c1, nil
}

// c1Parser reads a C1 output. Its levels are known once its type is.
type c1Parser struct {
	*reader
	c1         *C1
	shape      *registry.Shape // nil: the registered type's
	treeLevels []int
	dataLevels []int
	name       string // the key of vanilla_proofs
}

// known tells whether the type, and with it the form of partitions, is known.
func (p *c1Parser) known() bool { return p.treeLevels != nil }

// whole reads all but the partitions, so many of which were cut out.
func (p *c1Parser) whole(data []byte, parts int) error {
	if err := p.start(data); err != nil {
		return err
	}
	partitions := 0
	err := p.object(
		field{"registered_proof", p.registeredProof},
		field{"vanilla_proofs", func() (err error) {
			partitions, err = p.vanillaProofs()
			return err
		}},
		field{"comm_r", func() error { return p.hash(&p.c1.CommR) }},
		field{"comm_d", func() error { return p.hash(&p.c1.CommD) }},
		field{"replica_id", func() error { return p.hash(&p.c1.ReplicaID) }},
		field{"seed", func() error { return p.bytes32(&p.c1.Seed) }},
		field{"ticket", func() error { return p.bytes32(&p.c1.Ticket) }},
	)
	if err != nil {
		return err
	}
	if err := p.end(); err != nil {
		return err
	}
	p.trail.key("vanilla_proofs")
	if p.name != p.c1.Seal.VanillaName {
		return p.fail(fmt.Sprintf("the key %q, as the type is %s", p.c1.Seal.VanillaName, p.c1.Seal.Name), "the key "+short(p.name))
	}
	p.trail.key(p.name)
	if want := p.c1.Seal.Shape.Partitions; partitions != want {
		return p.fail(fmt.Sprintf("an array of %d", want), fmt.Sprint(partitions))
	}
	if parts != partitions { // the input has placeholders of its own
		return p.fail("an array of arrays", "a number in it")
	}
	return nil
}

func (p *c1Parser) registeredProof() error {
	name, err := p.text()
	if err != nil {
		return err
	}
	seal, ok := registry.SealByName(name)
	switch {
	case !ok:
		return p.fail("a registered proof such as StackedDrg32GiBV1_1", "the unsupported type "+short(name))
	case seal.Feature != registry.Interactive:
		return p.fail("an interactive proof",
			fmt.Sprintf("%s, which is %s and unsupported", name, seal.Feature))
	}
	if p.shape != nil {
		seal.Shape = *p.shape
	}
	p.c1.Seal = seal
	nodes := seal.Shape.Nodes()
	p.treeLevels = seal.Shape.Tree.Levels(nodes)
	p.dataLevels = registry.Tree{Base: 2}.Levels(nodes)
	p.c1.Partitions = make([][]Challenge, seal.Shape.Partitions)
	return nil
}
