package vanilla

import (
	"bytes"
	"context"
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
	cut := cutPartitions(data)
	p := &c1Parser{reader: newReader(c1Format, cut.text), c1: new(C1), shape: shape}
	p.origin = cut.offset
	err := p.whole(data, len(cut.parts))
	if last := len(cut.parts) - 1; err != nil && last >= 0 && !cut.parts[last].closed && p.known() {
		err = p.partition(last, &cut.parts[last]) // where the input ends, more exactly
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
	p.c1.Partitions = make([][]Challenge, seal.Shape.Partitions)
	return nil
}

// vanillaProofs reads the object of one key around the partitions, of which only
// placeholders are left, and returns their number.
func (p *c1Parser) vanillaProofs() (partitions int, err error) {
	if err := p.open('{', "an object"); err != nil {
		return 0, err
	}
	t, err := p.token("a key")
	if err != nil {
		return 0, err
	}
	name, ok := t.(string)
	if !ok {
		return 0, p.fail("one key", describeToken(t))
	}
	p.name = name
	p.trail.key(name)
	if err := p.open('[', "an array"); err != nil {
		return 0, err
	}
	for ; p.dec.More(); partitions++ {
		p.trail.at(partitions)
		t, err := p.token("an array")
		if err != nil {
			return 0, err
		}
		if t != json.Number(placeholder) {
			return 0, p.fail("an array", describeToken(t))
		}
		p.trail.up()
	}
	if err := p.open(']', "an array or the array's end"); err != nil {
		return 0, err
	}
	p.trail.up()
	return partitions, p.open('}', "the object's end, there being one key")
}

// partition reads what was cut out as partition k. It may run beside others.
func (p *c1Parser) partition(k int, cut *part) error {
	q := *p
	q.reader = newReader(c1Format, cut.text)
	q.origin = func(at int64) int64 { return cut.offset + at }
	q.trail.key("vanilla_proofs")
	q.trail.key(p.c1.Seal.VanillaName)
	q.trail.at(k)
	if k >= len(p.c1.Partitions) {
		return q.fail(fmt.Sprintf("an array of %d", len(p.c1.Partitions)), "more")
	}
	challenges := make([]Challenge, p.c1.Seal.Shape.Challenges)
	p.c1.Partitions[k] = challenges
	if err := q.array(len(challenges), func(i int) error { return q.challenge(&challenges[i]) }); err != nil {
		return err
	}
	return q.end()
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
