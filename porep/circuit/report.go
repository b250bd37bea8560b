package circuit

import (
	"math/bits"

	"github.com/sealwright/sealwright/sdk"
)

// DigestReport is what is published of a circuit to compare it by. Rows are
// counted without the input-consistency rows unless a name says otherwise.
type DigestReport struct {
	Circuit         string     `json:"circuit"`
	NumInputs       uint32     `json:"num_inputs"` // with the constant one
	NumAux          uint32     `json:"num_aux"`
	NumConstraints  uint32     `json:"num_constraints"`
	NumWithInputs   uint32     `json:"num_constraints_with_input_consistency"`
	DomainLog2      int        `json:"domain_log2"`
	NNZ             PerMatrix  `json:"nnz"`
	MaxTerms        PerMatrix  `json:"max_terms_per_constraint"`
	Density         Density    `json:"density"`
	Lengths         KeyLengths `json:"lengths"`
	ParamsBytes     int64      `json:"expected_params_bytes"`
	VKBytes         int64      `json:"expected_vk_bytes"`
	BytesHashed     int64      `json:"bytes_hashed"`
	SHA256          string     `json:"sha256"`
	CheckpointEvery int        `json:"checkpoint_every"`
	Checkpoints     []string   `json:"checkpoints"`

	Templates     int   `json:"templates"`
	Instances     int   `json:"instances"`
	CompiledBytes int64 `json:"compiled_bytes"` // of the circuit as templates and instances
}

// PerMatrix is a number for each of A, B, C.
type PerMatrix struct {
	A, B, C int64
}

// Density counts the distinct variables with a coefficient somewhere in a
// matrix, as a Groth16 prover's density trackers have it.
type Density struct {
	AAux   int64 `json:"a_aux"`
	BInput int64 `json:"b_input"`
	BAux   int64 `json:"b_aux"`
}

// KeyLengths are the numbers of points in the sections of a proving key.
type KeyLengths struct {
	H   int64 `json:"h"`
	L   int64 `json:"l"`
	A   int64 `json:"a"`
	BG1 int64 `json:"b_g1"`
	BG2 int64 `json:"b_g2"`
	IC  int64 `json:"ic"`
}

// fill derives what follows from the counts.
func (r *DigestReport) fill(c *sdk.Circuit) {
	r.Circuit = c.ID
	r.NumInputs, r.NumAux, r.NumConstraints = c.NumInputs, c.NumAux, c.NumRows
	r.NumWithInputs = c.NumRows + c.NumInputs
	r.DomainLog2 = bits.Len32(r.NumWithInputs - 1)
	inputs := int64(c.NumInputs)
	b := r.Density.BInput + r.Density.BAux
	r.Lengths = KeyLengths{
		H: 1<<r.DomainLog2 - 1, L: int64(c.NumAux), A: inputs + r.Density.AAux, BG1: b, BG2: b, IC: inputs,
	}
	const g1, g2, count = int64(sdk.G1Bytes), int64(sdk.G2Bytes), 4
	r.VKBytes = 3*g1 + 3*g2 + count + inputs*g1
	l := r.Lengths
	r.ParamsBytes = r.VKBytes + 5*count + (l.H+l.L+l.A+l.BG1)*g1 + l.BG2*g2
	r.Templates, r.Instances, r.CompiledBytes = len(c.Templates), len(c.Instances), c.Bytes()
}

// countTerms adds up the numbers of terms.
func (r *DigestReport) countTerms(c *sdk.Circuit) {
	uses := make([]int64, len(c.Templates))
	for i := range c.Instances {
		uses[c.Instances[i].Template]++
	}
	count := func(m *sdk.Matrix, uses int64, nnz, most *int64) {
		*nnz += uses * int64(len(m.Terms))
		for i := 1; i < len(m.Start); i++ {
			*most = max(*most, int64(m.Start[i]-m.Start[i-1]))
		}
	}
	for i := range c.Templates {
		t := &c.Templates[i]
		count(&t.A, uses[i], &r.NNZ.A, &r.MaxTerms.A)
		count(&t.B, uses[i], &r.NNZ.B, &r.MaxTerms.B)
		count(&t.C, uses[i], &r.NNZ.C, &r.MaxTerms.C)
	}
}
