package circuit

import (
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/porep/poseidon"
	"github.com/sealwright/sealwright/sdk"
)

// poseidonHash hashes as many field elements as it has wires. Output: the hash.
func (s *assembler) poseidonHash(arity int) *gadget {
	return s.gadget("poseidon "+decimal(arity), func(r *recorder) expander {
		params := poseidon.ForArity(arity)
		r.poseidon(params, r.fieldPorts(arity))
		return &poseidonExpander{params}
	})
}

// poseidonRecorder records the hash round by round. It is neptune's first
// circuit ("legacy"): every S-box has a variable for its input, and what lies
// between S-boxes is a linear combination.
type poseidonRecorder struct {
	*recorder
	params *poseidon.Params
	state  []lc
	keys   []fr.Element // round keys to come
}

// poseidon records the hash of the preimage and exports it.
func (r *recorder) poseidon(params *poseidon.Params, preimage []sdk.Column) {
	p := poseidonRecorder{recorder: r, params: params, keys: params.CompressedRoundConstants}
	p.firstRound(preimage)
	half := params.FullRounds / 2
	for round := 1; round < half; round++ {
		p.fullRound(p.takeKeys(params.Width))
		if round < half-1 {
			p.multiply(params.MDS)
		} else {
			p.multiply(params.PreSparse)
		}
	}
	for i := range params.PartialRounds {
		p.state[0] = p.sbox(p.state[0], &p.takeKeys(1)[0])
		p.multiplySparse(&params.Sparse[i])
	}
	for range half - 1 {
		p.fullRound(p.takeKeys(params.Width))
		p.multiply(params.MDS)
	}
	p.fullRound(nil)
	p.multiply(params.MDS)
	p.exportNext(sdk.Field)
	p.allocate(p.state[1])
}

func (p *poseidonRecorder) takeKeys(n int) []fr.Element {
	keys := p.keys[:n]
	p.keys = p.keys[n:]
	return keys
}

// allocate makes a variable of a linear combination.
func (p *poseidonRecorder) allocate(sum lc) sdk.Column {
	v := p.field()
	p.enforce(append(lc(nil), sum...), lc{}.plus(one), lc{}.plus(v))
	return v
}

// firstRound adds keys before and after the S-box. The domain tag is a constant,
// so its S-box is computed here.
func (p *poseidonRecorder) firstRound(preimage []sdk.Column) {
	width := p.params.Width
	before, after := p.takeKeys(width), p.takeKeys(width)
	tag := p.params.DomainTag
	tag.Add(&tag, &before[0])
	tag = fifthPower(&tag)
	tag.Add(&tag, &after[0])
	p.state = append(p.state, lc{}.plusTimes(one, tag))
	for i, v := range preimage {
		p.state = append(p.state, p.power(lc{}.plus(v).plusTimes(one, before[i+1]), &after[i+1]))
	}
	p.multiply(p.params.MDS)
}

// fullRound puts the whole state through the S-box and adds keys, if any.
func (p *poseidonRecorder) fullRound(keys []fr.Element) {
	for i := range p.state {
		var key *fr.Element
		if keys != nil {
			key = &keys[i]
		}
		p.state[i] = p.sbox(p.state[i], key)
	}
}

// sbox returns sum⁵ + key, with a variable for the sum.
func (p *poseidonRecorder) sbox(sum lc, key *fr.Element) lc {
	return p.power(lc{}.plus(p.allocate(sum)), key)
}

// power returns x⁵ + key: rows x·x = x², x²·x² = x⁴, x·x⁴ = y - key.
func (p *poseidonRecorder) power(x lc, key *fr.Element) lc {
	copyOf := func(l lc) lc { return append(lc(nil), l...) }
	square := p.field()
	p.enforce(copyOf(x), copyOf(x), lc{}.plus(square))
	fourth := p.field()
	p.enforce(lc{}.plus(square), lc{}.plus(square), lc{}.plus(fourth))
	y := p.field()
	right := lc{}.plus(y)
	if key != nil {
		var minus fr.Element
		right = right.plusTimes(one, *minus.Neg(key))
	}
	p.enforce(copyOf(x), lc{}.plus(fourth), right)
	return lc{}.plus(y)
}

// multiply replaces the state by itself times a matrix, given by rows.
func (p *poseidonRecorder) multiply(matrix [][]fr.Element) {
	product := make([]lc, len(p.state))
	for j := range product {
		for i, sum := range p.state {
			product[j] = product[j].plusScaled(sum, matrix[i][j])
		}
		product[j] = product[j].merged()
	}
	p.state = product
}

// multiplySparse replaces the state by itself times a sparse matrix: a dense
// first row and column, ones on the rest of the diagonal.
func (p *poseidonRecorder) multiplySparse(matrix *poseidon.SparseMatrix) {
	var first lc
	for i, sum := range p.state {
		first = first.plusScaled(sum, matrix.WHat[i])
	}
	for j := 1; j < len(p.state); j++ {
		p.state[j] = append(lc(nil), p.state[j]...).plusScaled(p.state[0], matrix.VRest[j-1]).merged()
	}
	p.state[0] = first.merged()
}

func fifthPower(x *fr.Element) fr.Element {
	var y fr.Element
	y.Square(x)
	y.Square(&y)
	return *y.Mul(&y, x)
}
