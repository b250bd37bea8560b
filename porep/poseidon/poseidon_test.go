package poseidon

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"pgregory.net/rapid"
)

// vectors is testdata/poseidon.json, made with neptune 11.0.0. Elements are 32
// bytes little-endian, canonical.
type vectors struct {
	Instances []struct {
		Arity         int
		Width         int
		FullRounds    int    `json:"full_rounds"`
		PartialRounds int    `json:"partial_rounds"`
		DomainTag     string `json:"domain_tag_le_hex"`
		Note          string
		Constants     map[string]json.RawMessage
		Cases         []struct {
			Name     string
			Preimage []string `json:"preimage_le_hex"`
			Digest   string   `json:"digest_le_hex"`
		}
	}
}

func readVectors(t testing.TB) vectors {
	t.Helper()
	data, err := os.ReadFile("testdata/poseidon.json")
	if err != nil {
		t.Fatal(err)
	}
	var v vectors
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func element(t testing.TB, leHex string) fr.Element {
	t.Helper()
	b, err := hex.DecodeString(leHex)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(b)
	var e fr.Element
	if err := e.SetBytesCanonical(b); err != nil {
		t.Fatal(err)
	}
	return e
}

func leHex(e fr.Element) string {
	b := e.Bytes()
	slices.Reverse(b[:])
	return hex.EncodeToString(b[:])
}

func digest(rows ...[]fr.Element) string {
	h := sha256.New()
	for _, row := range rows {
		for i := range row {
			b := row[i].Bytes()
			slices.Reverse(b[:])
			h.Write(b[:])
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// updateTag is the domain tag of the sector update proof's instance, which is
// not one of ours.
const updateTag = "0000000000010000000000000000000000000000000000000000000000000000"

func TestConstants(t *testing.T) {
	tested := 0
	for _, v := range readVectors(t).Instances {
		if v.DomainTag == updateTag {
			continue
		}
		tested++
		t.Run(fmt.Sprint("arity ", v.Arity), func(t *testing.T) {
			p := ForArity(v.Arity)
			if p.Width != v.Width || p.FullRounds != v.FullRounds || p.PartialRounds != v.PartialRounds {
				t.Errorf("width and rounds are %d, %d, %d", p.Width, p.FullRounds, p.PartialRounds)
			}
			if got := leHex(p.DomainTag); got != v.DomainTag {
				t.Errorf("domain tag is %s", got)
			}
			var sparse [][]fr.Element
			for _, m := range p.Sparse {
				sparse = append(sparse, m.WHat, m.VRest)
			}
			for name, rows := range map[string][][]fr.Element{
				"round_constants":            roundConstants(p.Width, p.FullRounds, p.PartialRounds),
				"compressed_round_constants": {p.CompressedRoundConstants},
				"mds_rows":                   p.MDS,
				"pre_sparse_rows":            p.PreSparse,
				"sparse":                     sparse,
			} {
				var want struct{ SHA256 string }
				if err := json.Unmarshal(v.Constants[name], &want); err != nil {
					t.Fatal(name, err)
				}
				if got := digest(rows...); got != want.SHA256 {
					t.Errorf("digest of %s is %s, want %s", name, got, want.SHA256)
				}
			}
		})
	}
	if tested != 4 {
		t.Errorf("tested %d arities, want 4", tested)
	}
}

func TestHash(t *testing.T) {
	for _, v := range readVectors(t).Instances {
		p := ForArity(v.Arity)
		if v.DomainTag == updateTag {
			other := *p
			other.DomainTag = element(t, v.DomainTag)
			p = &other
		}
		for _, c := range v.Cases {
			in := make([]fr.Element, len(c.Preimage))
			for i, s := range c.Preimage {
				in[i] = element(t, s)
			}
			if got := leHex(p.Hash(in)); got != c.Digest {
				t.Errorf("arity %d, %s: %s, want %s", v.Arity, c.Name, got, c.Digest)
			}
		}
	}
}

func TestForArityUnknown(t *testing.T) {
	for _, n := range []int{-1, 0, 1, 3, 12, 64} {
		if ForArity(n) != nil {
			t.Errorf("arity %d has constants", n)
		}
	}
}

// textbook is Poseidon as the paper defines it: keys before every S-box layer,
// the MDS matrix in every round.
func textbook(p *Params, in []fr.Element) fr.Element {
	s := append([]fr.Element{p.DomainTag}, in...)
	for r, keys := range roundConstants(p.Width, p.FullRounds, p.PartialRounds) {
		s = sum(s, keys)
		partial := r >= p.FullRounds/2 && r < p.FullRounds/2+p.PartialRounds
		for i := range s {
			if i == 0 || !partial {
				sbox(&s[i])
			}
		}
		s = apply(p.MDS, s)
	}
	return s[1]
}

func TestOptimisedEqualsTextbook(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := ForArity(rapid.SampledFrom([]int{2, 4, 8, 11}).Draw(t, "arity"))
		in := make([]fr.Element, p.Arity)
		for i := range in {
			in[i].SetBytes(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "element"))
		}
		if got, want := p.Hash(in), textbook(p, in); got != want {
			t.Fatalf("hash is %s, want %s", leHex(got), leHex(want))
		}
	})
}

func TestHashConcurrently(t *testing.T) {
	p := ForArity(8)
	in := make([]fr.Element, 8)
	want := p.Hash(in)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				if p.Hash(in) != want {
					t.Error("hashes differ")
				}
			}
		})
	}
	wg.Wait()
}

func TestHashAllocatesNothing(t *testing.T) {
	p := ForArity(11)
	in := make([]fr.Element, 11)
	if n := testing.AllocsPerRun(10, func() { p.Hash(in) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkHash(b *testing.B) {
	for _, arity := range []int{2, 8, 11} {
		b.Run(fmt.Sprint(arity), func(b *testing.B) {
			p := ForArity(arity)
			in := make([]fr.Element, arity)
			for b.Loop() {
				in[0] = p.Hash(in)
			}
		})
	}
}
