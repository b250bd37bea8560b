package circuit

import (
	"fmt"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/porep/vanilla"
)

// Secrets are what a partition's witness is computed from, in the order in which
// the circuit takes them. They are good for any number of witnesses.
type Secrets struct{ tapes []tape } // by section

// PoRepSecrets gathers the secrets of one partition of a C1 output. It takes only
// what the circuit takes: labels' parents, the encoding proof and the challenged
// column's rows are computed. That the openings fit each other is not looked at
// here (see package vanilla): a C1 output that does not fit gives a witness that
// does not satisfy the circuit.
func PoRepSecrets(c1 *vanilla.C1, partition int) (*Secrets, error) {
	if partition < 0 || partition >= len(c1.Partitions) {
		return nil, fmt.Errorf("gather secrets: no partition %d, there are %d", partition, len(c1.Partitions))
	}
	challenges := c1.Partitions[partition]
	if len(challenges) == 0 {
		return nil, fmt.Errorf("gather secrets: partition %d has no challenges", partition)
	}
	g := gatherer{}
	first := &challenges[0]
	g.hashes(c1.ReplicaID, c1.CommD, c1.CommR, first.Replica.Root, first.Column.Path.Root)
	g.endSection()
	for i := range challenges {
		g.challenge(&challenges[i])
		g.endSection()
	}
	return g.finish()
}

// gatherer writes secrets down, tape after tape.
type gatherer struct {
	secrets Secrets
	tape    tape
	err     error
}

// hashes puts down field elements.
func (g *gatherer) hashes(hashes ...vanilla.Hash) {
	for i := range hashes {
		e, err := fr.LittleEndian.Element((*[fr.Bytes]byte)(&hashes[i]))
		if err != nil && g.err == nil {
			g.err = fmt.Errorf("gather secrets: section %d: %x is no canonical field element", len(g.secrets.tapes), hashes[i])
		}
		g.tape.fields = append(g.tape.fields, e)
	}
}

func (g *gatherer) number(n uint64) { g.tape.numbers = append(g.tape.numbers, n) }

// path puts down an opening's places and siblings.
func (g *gatherer) path(p *vanilla.Path) {
	for i := range p.Steps {
		g.number(uint64(p.Steps[i].Index))
		g.hashes(p.Steps[i].Siblings...)
	}
}

func (g *gatherer) challenge(c *vanilla.Challenge) {
	g.hashes(c.Data.Leaf)
	g.path(&c.Data)
	for _, parents := range [][]vanilla.Column{c.DRG, c.Expander} {
		for i := range parents {
			g.hashes(parents[i].Rows...)
			g.path(&parents[i].Path)
		}
	}
	if len(c.Labels) > 0 {
		g.number(c.Node())
	}
	g.path(&c.Replica)
	g.path(&c.Column.Path)
}

func (g *gatherer) endSection() {
	g.secrets.tapes = append(g.secrets.tapes, g.tape)
	g.tape = tape{}
}

func (g *gatherer) finish() (*Secrets, error) {
	if g.err != nil {
		return nil, g.err
	}
	return &g.secrets, nil
}

// PoStSector is what a PoSt takes of one sector.
type PoStSector struct {
	CommR, CommC, CommRLast vanilla.Hash
	Openings                []vanilla.Path // of tree R, one a challenge
}

// WindowPoStSecrets gathers the secrets of one partition of a WindowPoSt. Where
// there are fewer sectors than the circuit has, the caller repeats the last.
func WindowPoStSecrets(sectors []PoStSector) (*Secrets, error) {
	g := gatherer{}
	g.endSection() // nothing is shared
	for i := range sectors {
		s := &sectors[i]
		g.hashes(s.CommRLast, s.CommC, s.CommR)
		for j := range s.Openings {
			g.hashes(s.Openings[j].Leaf)
			g.path(&s.Openings[j])
		}
		g.endSection()
	}
	return g.finish()
}
