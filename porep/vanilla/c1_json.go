package vanilla

import (
	"bytes"
	"encoding/json"
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
	p := c1Parser{reader: newReader(c1Format, data), c1: new(C1), shape: shape}
	if err := p.start(data); err != nil {
		return nil, err
	}
	err := p.object(
		field{"registered_proof", p.registeredProof},
		field{"vanilla_proofs", p.vanillaProofs},
		field{"comm_r", func() error { return p.hash(&p.c1.CommR) }},
		field{"comm_d", func() error { return p.hash(&p.c1.CommD) }},
		field{"replica_id", func() error { return p.hash(&p.c1.ReplicaID) }},
		field{"seed", func() error { return p.bytes32(&p.c1.Seed) }},
		field{"ticket", func() error { return p.bytes32(&p.c1.Ticket) }},
	)
	if err != nil {
		return nil, err
	}
	if err := p.end(); err != nil {
		return nil, err
	}
	if err := p.delayed(); err != nil {
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

	late       json.RawMessage // vanilla_proofs, where it came before the type
	lateOffset int64
}

// start refuses what is no JSON object in words of its own.
func (r *reader) start(data []byte) error {
	const object = "a JSON object"
	switch {
	case len(data) == 0:
		return r.fail(object, "an empty input")
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return r.fail(object, "a byte order mark")
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
	return nil
}

// vanillaProofs reads the partitions, or keeps them until the type is known.
func (p *c1Parser) vanillaProofs() error {
	if p.treeLevels != nil {
		return p.object(field{p.c1.Seal.VanillaName, p.partitions})
	}
	if err := p.dec.Decode(&p.late); err != nil {
		return p.wrong(err, "an object")
	}
	p.lateOffset = p.base + p.dec.InputOffset() - int64(len(p.late))
	return nil
}

// delayed reads the partitions that came before the type.
func (p *c1Parser) delayed() error {
	if p.late == nil {
		return nil
	}
	p.reader = newReader(c1Format, p.late)
	p.base = p.lateOffset
	p.trail.key("vanilla_proofs")
	return p.vanillaProofs()
}

func (p *c1Parser) partitions() error {
	shape := &p.c1.Seal.Shape
	p.c1.Partitions = make([][]Challenge, shape.Partitions)
	return p.array(shape.Partitions, func(k int) error {
		p.c1.Partitions[k] = make([]Challenge, shape.Challenges)
		return p.array(shape.Challenges, func(i int) error { return p.challenge(&p.c1.Partitions[k][i]) })
	})
}

// The longest numbers of each kind.
const (
	mostLayers = 1 << 8
	mostNodes  = 1 << 32
)

// place reads a node's place among its siblings.
func (p *c1Parser) place(arity int, index *uint8) error {
	n, err := p.number(uint64(arity - 1))
	*index = uint8(n)
	return err
}

func (p *c1Parser) layer(layer *uint32) error {
	n, err := p.number(mostLayers)
	*layer = uint32(n)
	return err
}

func (p *c1Parser) node(node *uint64) (err error) {
	*node, err = p.number(mostNodes - 1)
	return err
}

func (p *c1Parser) column32(index *uint32) error {
	n, err := p.number(mostNodes - 1)
	*index = uint32(n)
	return err
}

// firstKey returns the first key of a JSON object, or nothing.
func firstKey(data []byte) string {
	dec := json.NewDecoder(bytes.NewReader(data))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return ""
	}
	t, err := dec.Token()
	if err != nil {
		return ""
	}
	key, _ := t.(string)
	return key
}
