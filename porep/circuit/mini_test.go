package circuit

import (
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/sdk"
	"pgregory.net/rapid"
)

// mini is a circuit of a few gadgets, made for one test: a header that takes
// the secrets and one section.
func mini(t testing.TB, inputs uint32, place func(*assembler)) *Program {
	t.Helper()
	s := newAssembler("mini", 1+inputs)
	s.endSection()
	place(s)
	s.endSection()
	p, err := s.finish()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// failer is what both kinds of test have.
type failer interface {
	Helper()
	Fatal(args ...any)
}

// solve computes a mini circuit's witness, which must satisfy it.
func solve(t failer, p *Program, fields []fr.Element, numbers []uint64) *Witness {
	t.Helper()
	w := mustWitness(t, p, fields, numbers)
	if err := Check(ctxOf(t), p.Circuit, &w.Witness); err != nil {
		t.Fatal(err)
	}
	return w
}

func mustWitness(t failer, p *Program, fields []fr.Element, numbers []uint64) *Witness {
	t.Helper()
	w, err := p.Witness(ctxOf(t), &Secrets{tapes: []tape{{}, {fields: fields, numbers: numbers}}}, &sdk.HeapBuffers{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// last returns the witness's last field element: the output of most gadgets.
func last(w *Witness) fr.Element { return fr.Element(w.Fields[len(w.Fields)-1]) }

func randomElement() *rapid.Generator[fr.Element] {
	return rapid.Custom(func(t *rapid.T) fr.Element {
		var e fr.Element
		switch rapid.IntRange(0, 9).Draw(t, "kind") {
		case 0:
			return e
		case 1:
			return *e.SetInt64(-1)
		}
		e.SetBytes(rapid.SliceOfN(rapid.Byte(), fr.Bytes, fr.Bytes).Draw(t, "bytes"))
		return e
	})
}

func randomElements(n int) *rapid.Generator[[]fr.Element] {
	return rapid.SliceOfN(randomElement(), n, n)
}
