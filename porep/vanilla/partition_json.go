package vanilla

import (
	"encoding/json"
	"fmt"
)

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
		switch {
		case t == json.Delim('['):
			return 0, p.fail(fmt.Sprintf("at most %d partitions", mostParts), "more")
		case t != json.Number(placeholder):
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
