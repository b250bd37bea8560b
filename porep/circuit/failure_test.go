package circuit

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/porep/vanilla"
	"github.com/sealwright/sealwright/sdk"
)

// TestNoVariableIsFree flips variables of a good witness, one at a time: some
// row must notice each.
func TestNoVariableIsFree(t *testing.T) {
	p := compile(t, "wpost-2k")
	w, err := p.Witness(t.Context(), windowPoStSecrets(t), &sdk.HeapBuffers{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Release()
	random := rand.New(rand.NewPCG(1, 2))
	one := fr.One()
	for range 150 {
		var undo func()
		if i := random.Uint32N(p.Circuit.NumBits); random.IntN(2) == 0 {
			w.Bits[i/64] ^= 1 << (i % 64)
			undo = func() { w.Bits[i/64] ^= 1 << (i % 64) }
		} else {
			e := (*fr.Element)(&w.Fields[random.Uint32N(p.Circuit.NumFields)])
			e.Add(e, &one)
			undo = func() { e.Sub(e, &one) }
		}
		if err := Check(t.Context(), p.Circuit, &w.Witness); !errors.Is(err, ErrUnsatisfied) {
			t.Fatalf("check of a changed witness: %v", err)
		}
		undo()
	}
	if err := Check(t.Context(), p.Circuit, &w.Witness); err != nil {
		t.Error(err)
	}
}

func TestCheckRefusesForeignWitness(t *testing.T) {
	p := compile(t, "wpost-2k")
	if err := Check(t.Context(), p.Circuit, &sdk.Witness{}); err == nil || errors.Is(err, ErrUnsatisfied) {
		t.Errorf("check of an empty witness: %v", err)
	}
}

// TestWitnessRefusesUnfitSecrets: each change of good secrets is found, and no
// memory stays taken.
func TestWitnessRefusesUnfitSecrets(t *testing.T) {
	changes := map[string]func(c *vanilla.Challenge){
		"a sibling missing": func(c *vanilla.Challenge) { c.Replica.Steps[0].Siblings = c.Replica.Steps[0].Siblings[1:] },
		"a sibling too many": func(c *vanilla.Challenge) {
			c.Data.Steps[0].Siblings = append(c.Data.Steps[0].Siblings, vanilla.Hash{})
		},
		"a level missing":       func(c *vanilla.Challenge) { c.Data.Steps = c.Data.Steps[1:] },
		"a place past the last": func(c *vanilla.Challenge) { c.Column.Path.Steps[0].Index = 8 },
		"no labels":             func(c *vanilla.Challenge) { c.Labels = nil },
		"a parent missing":      func(c *vanilla.Challenge) { c.DRG = c.DRG[1:] },
		"a row missing":         func(c *vanilla.Challenge) { c.Expander[0].Rows = c.Expander[0].Rows[1:] },
	}
	p := compile(t, "porep-2k")
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			c1 := readC1(t, "2k-A.c1.json.gz")
			change(&c1.Partitions[0][1])
			secrets, err := PoRepSecrets(c1, 0)
			if err != nil {
				t.Fatal(err)
			}
			var bufs sdk.HeapBuffers
			if _, err := p.Witness(t.Context(), secrets, &bufs); !errors.Is(err, errTape) || !strings.Contains(err.Error(), "section 2 of 3") {
				t.Errorf("error is %v", err)
			}
			if n := bufs.Stats(sdk.BufferSynth).Count; n != 0 {
				t.Errorf("%d buffers are left", n)
			}
		})
	}
}

func TestPoRepSecretsRefuse(t *testing.T) {
	c1 := readC1(t, "2k-A.c1.json.gz")
	for _, partition := range []int{-1, 1} {
		if _, err := PoRepSecrets(c1, partition); err == nil {
			t.Errorf("partition %d of one is taken", partition)
		}
	}
	for i := range c1.CommD {
		c1.CommD[i] = 0xff
	}
	if _, err := PoRepSecrets(c1, 0); err == nil || !strings.Contains(err.Error(), "canonical") {
		t.Errorf("comm_d above the modulus: %v", err)
	}
	c1.Partitions[0] = nil
	if _, err := PoRepSecrets(c1, 0); err == nil {
		t.Error("a partition without challenges is taken")
	}
}

func TestWitnessRefusesOtherCircuitsSecrets(t *testing.T) {
	p := compile(t, "porep-2k")
	secrets := windowPoStSecrets(t)
	if _, err := p.Witness(t.Context(), secrets, &sdk.HeapBuffers{}); !errors.Is(err, errTape) {
		t.Errorf("secrets of a WindowPoSt: %v", err)
	}
	secrets.tapes = secrets.tapes[:2]
	if _, err := p.Witness(t.Context(), secrets, &sdk.HeapBuffers{}); err == nil {
		t.Error("secrets of one section are taken")
	}
}

func TestWitnessStopsWithContext(t *testing.T) {
	p := compile(t, "porep-2k")
	secrets := poRepSecrets(t, "2k-A.c1.json.gz")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Witness(ctx, secrets, &sdk.HeapBuffers{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

// fullBuffers hands out so many buffers and no more.
type fullBuffers struct {
	sdk.HeapBuffers
	left int
}

func (b *fullBuffers) Get(kind sdk.BufferKind, bytes int64) (*sdk.Buffer, error) {
	if b.left--; b.left < 0 {
		return nil, sdk.ErrOutOfMemory
	}
	return b.HeapBuffers.Get(kind, bytes)
}

func TestWitnessWithoutMemory(t *testing.T) {
	p := compile(t, "wpost-2k")
	for have := range 2 {
		bufs := &fullBuffers{left: have}
		if _, err := p.Witness(t.Context(), windowPoStSecrets(t), bufs); !errors.Is(err, sdk.ErrOutOfMemory) {
			t.Errorf("error is %v", err)
		}
		if n := bufs.Stats(sdk.BufferSynth).Count; n != 0 {
			t.Errorf("%d buffers are left", n)
		}
	}
}

// TestWindowPoStRepeatsTheLastSector where the circuit has room for more.
func TestWindowPoStRepeatsTheLastSector(t *testing.T) {
	p := compile(t, "wpost-2k")
	post := readWindowPoSt(t)
	post.Sectors = post.Sectors[:1]
	secrets, err := WindowPoStSecrets(post)
	if err != nil {
		t.Fatal(err)
	}
	w, err := p.Witness(t.Context(), secrets, &sdk.HeapBuffers{})
	if err != nil {
		t.Fatal(err)
	}
	inputs := w.PublicInputs()
	if half := len(inputs) / 2; !slices.Equal(inputs[:half], inputs[half:]) {
		t.Error("public inputs of the two sectors differ")
	}
	post.Sectors = nil
	if _, err := WindowPoStSecrets(post); err == nil {
		t.Error("a WindowPoSt without sectors is taken")
	}
}
