package circuit

import (
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/porep/poseidon"
)

// maxWidth is the widest Poseidon state: arity 11.
const maxWidth = 12

// poseidonExpander hashes the elements of its wires.
type poseidonExpander struct{ params *poseidon.Params }

func (e *poseidonExpander) expand(x *expansion) {
	var preimage [maxWidth]fr.Element
	n := e.params.Arity
	for i := range n {
		preimage[i] = x.wireField(i)
	}
	x.putPoseidon(e.params, preimage[:n])
}

// poseidonRun runs the hash and appends the variables of poseidonRecorder.
type poseidonRun struct {
	*expansion
	params *poseidon.Params
	state  []fr.Element
	next   []fr.Element // scratch of the same length
	keys   []fr.Element // round keys to come
}

// putPoseidon appends the variables of a hash.
func (x *expansion) putPoseidon(params *poseidon.Params, preimage []fr.Element) {
	var state, next [maxWidth]fr.Element
	width := params.Width
	p := poseidonRun{
		expansion: x, params: params, state: state[:width], next: next[:width], keys: params.CompressedRoundConstants,
	}
	p.firstRound(preimage)
	half := params.FullRounds / 2
	for round := 1; round < half; round++ {
		p.fullRound(true)
		if round < half-1 {
			p.multiply(params.MDS)
		} else {
			p.multiply(params.PreSparse)
		}
	}
	for i := range params.PartialRounds {
		p.sbox(0, &p.keys[0])
		p.keys = p.keys[1:]
		p.multiplySparse(&params.Sparse[i])
	}
	for range half - 1 {
		p.fullRound(true)
		p.multiply(params.MDS)
	}
	p.fullRound(false)
	p.multiply(params.MDS)
	p.putField(&p.state[1])
}

func (p *poseidonRun) firstRound(preimage []fr.Element) {
	width := p.params.Width
	before, after := p.keys[:width], p.keys[width:2*width]
	p.keys = p.keys[2*width:]
	p.state[0].Add(&p.params.DomainTag, &before[0])
	p.state[0] = fifthPower(&p.state[0])
	p.state[0].Add(&p.state[0], &after[0])
	for i := range preimage {
		p.state[i+1].Add(&preimage[i], &before[i+1])
		p.power(i+1, &after[i+1])
	}
	p.multiply(p.params.MDS)
}

func (p *poseidonRun) fullRound(keyed bool) {
	zero := fr.Element{}
	for i := range p.state {
		if keyed {
			p.sbox(i, &p.keys[i])
		} else {
			p.sbox(i, &zero)
		}
	}
	if keyed {
		p.keys = p.keys[len(p.state):]
	}
}

// sbox appends element i, then its powers.
func (p *poseidonRun) sbox(i int, key *fr.Element) {
	p.putField(&p.state[i])
	p.power(i, key)
}

// power replaces element i by its fifth power plus key and appends what the
// circuit has variables for.
func (p *poseidonRun) power(i int, key *fr.Element) {
	x := &p.state[i]
	var square, fourth fr.Element
	square.Square(x)
	fourth.Square(&square)
	x.Mul(x, &fourth)
	x.Add(x, key)
	p.putField(&square)
	p.putField(&fourth)
	p.putField(x)
}

func (p *poseidonRun) multiply(matrix [][]fr.Element) {
	var product fr.Element
	for j := range p.next {
		p.next[j].Mul(&p.state[0], &matrix[0][j])
		for i := 1; i < len(p.state); i++ {
			product.Mul(&p.state[i], &matrix[i][j])
			p.next[j].Add(&p.next[j], &product)
		}
	}
	p.state, p.next = p.next, p.state
}

func (p *poseidonRun) multiplySparse(matrix *poseidon.SparseMatrix) {
	var first, product fr.Element
	for i := range p.state {
		product.Mul(&p.state[i], &matrix.WHat[i])
		first.Add(&first, &product)
	}
	for j := 1; j < len(p.state); j++ {
		product.Mul(&p.state[0], &matrix.VRest[j-1])
		p.state[j].Add(&p.state[j], &product)
	}
	p.state[0] = first
}
