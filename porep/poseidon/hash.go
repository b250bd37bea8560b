package poseidon

import "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

// state is room for the widest state; Params.Width says how much is in use.
type state [maxWidth]fr.Element

// Hash returns the hash of Arity elements. It allocates nothing, keeps no state
// and is safe for concurrent use. Like an index out of range, another number of
// elements is a programmer's mistake and panics.
func (p *Params) Hash(in []fr.Element) fr.Element {
	if len(in) != p.Arity {
		panic("poseidon: number of elements differs from the arity")
	}
	var s state
	s[0] = p.DomainTag
	copy(s[1:], in)

	keys := p.CompressedRoundConstants
	for i := range p.Width {
		s[i].Add(&s[i], &keys[i])
	}
	keys = keys[p.Width:]
	for r := range p.FullRounds / 2 {
		m := p.MDS
		if r == p.FullRounds/2-1 {
			m = p.PreSparse
		}
		sboxes(&s, keys[:p.Width])
		mix(&s, m)
		keys = keys[p.Width:]
	}
	for r := range p.Sparse {
		sbox(&s[0])
		s[0].Add(&s[0], &keys[r])
		mixSparse(&s, &p.Sparse[r])
	}
	keys = keys[len(p.Sparse):]
	for range p.FullRounds/2 - 1 {
		sboxes(&s, keys[:p.Width])
		mix(&s, p.MDS)
		keys = keys[p.Width:]
	}
	return p.last(&s)
}

// last returns element 1 after the last round, which adds no constants.
func (p *Params) last(s *state) fr.Element {
	var out, t fr.Element
	for i := range p.Width {
		sbox(&s[i])
		t.Mul(&s[i], &p.MDS[i][1])
		out.Add(&out, &t)
	}
	return out
}

// sbox raises x to the fifth power.
func sbox(x *fr.Element) {
	var t fr.Element
	t.Square(x)
	t.Square(&t)
	x.Mul(x, &t)
}

// sboxes applies the S-box to each element and adds its key, one an element.
func sboxes(s *state, keys []fr.Element) {
	for i := range keys {
		sbox(&s[i])
		s[i].Add(&s[i], &keys[i])
	}
}

// mix multiplies the state by a dense matrix of its width.
func mix(s *state, m [][]fr.Element) {
	var out state
	var t fr.Element
	for j := range m[0] {
		out[j].Mul(&s[0], &m[0][j])
	}
	for i, row := range m[1:] {
		x := &s[i+1]
		for j := range row {
			t.Mul(x, &row[j])
			out[j].Add(&out[j], &t)
		}
	}
	*s = out
}

// mixSparse multiplies the state by a sparse matrix of its width.
func mixSparse(s *state, m *SparseMatrix) {
	var first, t fr.Element
	first.Mul(&s[0], &m.WHat[0])
	x := s[0]
	for i := range m.VRest {
		y := &s[i+1]
		t.Mul(y, &m.WHat[i+1])
		first.Add(&first, &t)
		t.Mul(&x, &m.VRest[i])
		y.Add(y, &t)
	}
	s[0] = first
}
