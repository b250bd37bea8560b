package circuit

import (
	"errors"
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

// WindowPoStSecrets gathers the secrets of a partition of a WindowPoSt. A
// circuit with room for more sectors takes the last again.
func WindowPoStSecrets(w *vanilla.WindowPoSt) (*Secrets, error) {
	if len(w.Sectors) == 0 {
		return nil, errors.New("gather secrets: no sectors")
	}
	g := gatherer{}
	g.endSection() // nothing is shared
	for i := range max(w.Proof.Shape.Sectors, len(w.Sectors)) {
		g.sector(&w.Sectors[min(i, len(w.Sectors)-1)])
		g.endSection()
	}
	return g.finish()
}

func (g *gatherer) sector(s *vanilla.WindowPoStSector) {
	g.hashes(s.CommRLast, s.CommC, s.CommR)
	for i := range s.Paths {
		g.hashes(s.Paths[i].Leaf)
		g.path(&s.Paths[i])
	}
}
