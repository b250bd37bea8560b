package circuit

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/porep/poseidon"
	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/sdk"
	"pgregory.net/rapid"
)

func ctxOf(failer) context.Context { return context.Background() }

// sha256Number is SHA-256 of elements' bytes with the two top bits cleared.
func sha256Number(messages ...[]byte) fr.Element {
	h := sha256.New()
	for _, m := range messages {
		h.Write(m)
	}
	digest := [fr.Bytes]byte(h.Sum(nil))
	digest[fr.Bytes-1] &= 0x3f
	e, _ := fr.LittleEndian.Element(&digest)
	return e
}

func bytesOf(e fr.Element) []byte {
	var b [fr.Bytes]byte
	fr.LittleEndian.PutElement(&b, e)
	return b[:]
}

func TestNodeHashIsSHA256(t *testing.T) {
	p := mini(t, 0, func(s *assembler) {
		in := run(s.place(s.secrets(2)).out(0), 2)
		left, right := s.place(s.toBits(), in[0]).out(0), s.place(s.toBits(), in[1]).out(0)
		state := s.place(s.nodeBlock(), left, right).out(0)
		s.place(s.digestNumber(), s.place(s.nodePadding(), state).out(0))
	})
	rapid.Check(t, func(t *rapid.T) {
		in := randomElements(2).Draw(t, "children")
		want := sha256Number(bytesOf(in[0]), bytesOf(in[1]))
		if got := last(solve(t, p, in, nil)); got != want {
			t.Fatalf("hash is %x, expected %x", bytesOf(got), bytesOf(want))
		}
	})
}

func TestLabelIsSHA256(t *testing.T) {
	const layer = 7
	p := mini(t, 1, func(s *assembler) {
		wires := run(s.place(s.secrets(3)).out(0), 3)
		for i, w := range wires {
			wires[i] = s.place(s.toBits(), w).out(0)
		}
		g := porep{assembler: s, replicaID: wires[0]}
		g.label(layer, s.place(s.integer()).out(0), wires[1:])
	})
	rapid.Check(t, func(t *rapid.T) {
		in, node := randomElements(3).Draw(t, "replica id, parents"), rapid.Uint64().Draw(t, "node")
		message := bytesOf(in[0])
		message = append(message, 0, 0, 0, layer)
		for shift := 56; shift >= 0; shift -= 8 {
			message = append(message, byte(node>>shift))
		}
		message = append(message, make([]byte, 64-len(message))...)
		for i := range registry.LabelParents {
			message = append(message, bytesOf(in[1+i%2])...)
		}
		w := solve(t, p, in, []uint64{node})
		if got, want := last(w), sha256Number(message); got != want {
			t.Fatalf("label is %x, expected %x", bytesOf(got), bytesOf(want))
		}
		var public fr.Element
		public.SetUint64(node)
		if got := w.PublicInputs(); len(got) != 1 || fr.Element(got[0]) != public {
			t.Fatalf("public inputs are %v, expected node %d", got, node)
		}
	})
}

func TestPoseidonEqualsNative(t *testing.T) {
	for _, arity := range []int{2, 8, 11} {
		t.Run(decimal(arity), func(t *testing.T) {
			p := mini(t, 0, func(s *assembler) {
				s.place(s.poseidonHash(arity), run(s.place(s.secrets(arity)).out(0), arity)...)
			})
			rapid.Check(t, func(t *rapid.T) {
				in := randomElements(arity).Draw(t, "preimage")
				want := poseidon.ForArity(arity).Hash(in)
				if got := last(solve(t, p, in, nil)); got != want {
					t.Fatalf("hash is %x, expected %x", bytesOf(got), bytesOf(want))
				}
			})
		})
	}
}

// TestMerkleSteps climbs one level from every place, in a tree of each arity.
func TestMerkleSteps(t *testing.T) {
	binary := func(children []fr.Element) fr.Element {
		return sha256Number(bytesOf(children[0]), bytesOf(children[1]))
	}
	for _, test := range []struct {
		name  string
		arity int
		hash  func([]fr.Element) fr.Element
		path  func(s *assembler, leaf, root sdk.Wire)
	}{
		{"binary", 2, binary, func(s *assembler, leaf, root sdk.Wire) { s.binaryPath(1, leaf, root) }},
		{"poseidon 2", 2, poseidon.ForArity(2).Hash, func(s *assembler, leaf, root sdk.Wire) {
			s.poseidonPath([]int{2}, leaf, root)
		}},
		{"poseidon 8", 8, poseidon.ForArity(8).Hash, func(s *assembler, leaf, root sdk.Wire) {
			s.poseidonPath([]int{8}, leaf, root)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := mini(t, 1, func(s *assembler) {
				in := run(s.place(s.secrets(2)).out(0), 2)
				test.path(s, in[0], in[1])
			})
			children := make([]fr.Element, test.arity)
			for i := range children {
				children[i].SetUint64(uint64(1000 + i))
			}
			root := test.hash(children)
			for place := range test.arity {
				siblings := slices.Delete(slices.Clone(children), place, place+1)
				secrets := append([]fr.Element{children[place], root}, siblings...)
				w := solve(t, p, secrets, []uint64{uint64(place)})
				var index fr.Element
				index.SetUint64(uint64(place))
				if got := fr.Element(w.PublicInputs()[0]); got != index {
					t.Errorf("index is %v, expected %d", got, place)
				}
				secrets[1].SetUint64(1)
				bad := mustWitness(t, p, secrets, []uint64{uint64(place)})
				if Check(t.Context(), p.Circuit, &bad.Witness) == nil {
					t.Errorf("place %d: a wrong root satisfies the circuit", place)
				}
			}
		})
	}
}

func TestSumAndEqual(t *testing.T) {
	p := mini(t, 0, func(s *assembler) {
		in := run(s.place(s.secrets(3)).out(0), 3)
		s.place(s.equal(), s.place(s.sum(), in[0], in[1]).out(0), in[2])
	})
	rapid.Check(t, func(t *rapid.T) {
		in := randomElements(3).Draw(t, "summands")
		in[2].Add(&in[0], &in[1])
		solve(t, p, in, nil)
		in[2].Add(&in[2], new(fr.Element).SetOne())
		w := mustWitness(t, p, in, nil)
		if Check(context.Background(), p.Circuit, &w.Witness) == nil {
			t.Fatal("a wrong sum satisfies the circuit")
		}
	})
}

// TestBooleanGadgets compares every operation, for every form of its operands,
// with its truth table. The rows must leave one solution only.
func TestBooleanGadgets(t *testing.T) {
	forms := []form{constFalse, constTrue, is, isNot}
	for _, op := range []struct {
		name  string
		arity int
		row   func(r *recorder, v [3]boolean) boolean
		truth func(a, b, c bool) bool
	}{
		{"xor", 2, func(r *recorder, v [3]boolean) boolean { return r.xor(v[0], v[1]) },
			func(a, b, _ bool) bool { return a != b }},
		{"and", 2, func(r *recorder, v [3]boolean) boolean { return r.and(v[0], v[1]) },
			func(a, b, _ bool) bool { return a && b }},
		{"choose", 3, func(r *recorder, v [3]boolean) boolean { return r.choose(v[0], v[1], v[2]) },
			func(a, b, c bool) bool { return a && b || !a && c }},
		{"majority", 3, func(r *recorder, v [3]boolean) boolean { return r.majority(v[0], v[1], v[2]) },
			func(a, b, c bool) bool { return a && b || a && c || b && c }},
	} {
		t.Run(op.name, func(t *testing.T) {
			combinations := 1
			for range op.arity {
				combinations *= len(forms)
			}
			for n := range combinations {
				var f [3]form
				for i := range op.arity {
					f[i], n = forms[n%len(forms)], n/len(forms)
				}
				checkBoolean(t, fmt.Sprint(f), f, op.row, op.truth)
			}
		})
	}
}

// checkBoolean tries all values of a template's three wires and of what it
// allocates.
func checkBoolean(
	t *testing.T, name string, forms [3]form,
	row func(*recorder, [3]boolean) boolean, truth func(a, b, c bool) bool,
) {
	t.Helper()
	coeffs := newCoeffTable()
	r := newRecorder(name, coeffs)
	wires := r.port(sdk.Bit)
	var operands [3]boolean
	for i := range operands {
		operands[i] = boolean{forms[i], wires.at(uint32(i))}
	}
	result := row(r, operands)
	template, err := r.finish()
	if err != nil {
		t.Fatal(err)
	}
	const wireBits = 3
	c := &sdk.Circuit{
		NumInputs: 1, NumAux: wireBits + template.Aux, NumRows: template.Rows, NumBits: wireBits + template.Aux, NumFields: 1,
		Coeffs: coeffs.values, Templates: []sdk.Template{template}, Wires: []sdk.Wire{{Var: 1, Slot: 0}},
		Instances: []sdk.Instance{{Input: 1, Aux: wireBits, Bit: wireBits, Field: 1}},
	}
	solutions := 0
	for values := range uint64(1) << c.NumBits {
		w := &sdk.Witness{Bits: []uint64{values}, Fields: []sdk.Fr{sdk.Fr(fr.One())}}
		if Check(t.Context(), c, w) != nil {
			continue
		}
		solutions++
		value := func(b boolean) bool {
			switch b.form {
			case is, isNot:
				at := b.column.Offset()
				if b.column.Port() == sdk.PortAux {
					at += wireBits
				}
				return w.Bit(at) == (b.form == is)
			}
			return b.form == constTrue
		}
		want := truth(value(operands[0]), value(operands[1]), value(operands[2]))
		if got := value(result); got != want {
			t.Errorf("%s: %0*b gives %v, expected %v", name, c.NumBits, values, got, want)
		}
	}
	if solutions != 1<<wireBits {
		t.Errorf("%s: %d solutions, expected one for each of %d inputs", name, solutions, 1<<wireBits)
	}
}
