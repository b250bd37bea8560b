// Package groth16test makes small random circuits with satisfying witnesses, for
// tests of what proves and of what reads keys.
package groth16test

import (
	"math/rand/v2"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/sdk"
)

// Case is a circuit with a witness that satisfies it.
type Case struct {
	Circuit *sdk.Circuit
	Witness *sdk.Witness
}

// PublicInputs returns the public inputs without the leading one.
func (c *Case) PublicInputs() []fr.Element {
	out := make([]fr.Element, c.Circuit.NumInputs-1)
	for i := range out {
		out[i] = fr.Element(c.Witness.Fields[i+1])
	}
	return out
}

// Random makes a circuit of so many gadgets: bits, products, sums of bits and
// public inputs, each over variables of those before it. The same seed makes the
// same one. Every public input and every variable is in some row.
func Random(seed uint64, gadgets int) *Case {
	b := &builder{rng: rand.New(rand.NewPCG(seed, 0))}
	b.circuit = &sdk.Circuit{ID: "test", NumInputs: 1 + uint32(gadgets)/inputEvery, Templates: b.templates()}
	b.inputs = []sdk.Fr{toFr(one())}
	b.publish(b.bitsGadget())
	for b.published < b.circuit.NumInputs-1 {
		b.step()
	}
	for i := len(b.circuit.Instances); i < gadgets; i++ {
		b.product()
	}
	return b.finish()
}

// inputEvery is how many gadgets there are to a public input.
const inputEvery = 4

// Templates by index.
const (
	templateBits = iota
	templateProduct
	templatePack
	templateInput
)

// bitRun is how many bits the bits gadget has, and the pack gadget takes.
const bitRun = 70

type value struct {
	wire sdk.Wire
	v    fr.Element
}

type builder struct {
	rng       *rand.Rand
	circuit   *sdk.Circuit
	published uint32

	bits   []bool
	inputs []sdk.Fr
	fields []sdk.Fr // aux
	known  []value  // field variables made so far
	runs   []sdk.Wire
	coeffs []fr.Element
}

// templates writes the gadgets down.
func (b *builder) templates() []sdk.Template {
	plus, minus := b.coeff(one()), b.coeff(negOne())
	scale, shift := b.coeff(b.random()), b.coeff(b.random())
	unit := sdk.NewColumn(sdk.PortOne, 0)
	aux := func(i uint32) sdk.Column { return sdk.NewColumn(sdk.PortAux, i) }
	wire := func(k, i uint32) sdk.Column { return sdk.NewColumn(sdk.PortWire+k, i) }
	var bits, pack rows
	for i := range uint32(bitRun) {
		bits.add([]sdk.Term{{Column: unit, Coeff: plus}, {Column: aux(i), Coeff: minus}}, []sdk.Term{{Column: aux(i), Coeff: plus}}, nil)
	}
	var sum []sdk.Term
	power := one()
	for i := range uint32(bitRun) {
		sum = append(sum, sdk.Term{Column: wire(0, i), Coeff: b.coeff(power)})
		power.Double(&power)
	}
	pack.add(sum, []sdk.Term{{Column: unit, Coeff: plus}}, []sdk.Term{{Column: aux(0), Coeff: plus}})
	var product, input rows
	product.add(
		[]sdk.Term{{Column: wire(0, 0), Coeff: scale}, {Column: unit, Coeff: shift}},
		[]sdk.Term{{Column: wire(1, 0), Coeff: plus}, {Column: wire(2, 3), Coeff: minus}},
		[]sdk.Term{{Column: aux(1), Coeff: plus}},
	)
	product.add([]sdk.Term{{Column: aux(0), Coeff: scale}}, []sdk.Term{{Column: aux(0), Coeff: plus}}, []sdk.Term{{Column: aux(0), Coeff: scale}})
	input.add([]sdk.Term{{Column: wire(0, 0), Coeff: plus}}, []sdk.Term{{Column: unit, Coeff: plus}},
		[]sdk.Term{{Column: sdk.NewColumn(sdk.PortInput, 0), Coeff: plus}})
	field, bit := sdk.Run{Kind: sdk.Field, Count: 1}, sdk.Run{Kind: sdk.Bit, Count: 1}
	return []sdk.Template{
		bits.template("bits", 0, nil, sdk.Run{Kind: sdk.Bit, Count: bitRun}),
		product.template("product", 0, []sdk.Kind{sdk.Field, sdk.Field, sdk.Bit}, bit, field),
		pack.template("pack", 0, []sdk.Kind{sdk.Bit}, field),
		input.template("input", 1, []sdk.Kind{sdk.Field}),
	}
}

func (b *builder) coeff(e fr.Element) uint32 {
	b.coeffs = append(b.coeffs, e)
	return uint32(len(b.coeffs) - 1)
}

func (b *builder) random() fr.Element {
	var e fr.Element
	e.SetUint64(b.rng.Uint64())
	e.Square(&e).Square(&e)
	return e
}

// step makes one gadget at random and publishes what it made.
func (b *builder) step() {
	switch b.rng.IntN(3) {
	case 0:
		b.publish(b.bitsGadget())
	case 1:
		b.publish(b.product())
	default:
		b.product()
	}
}

// instance starts an instance and returns it.
func (b *builder) instance(template int, wires ...sdk.Wire) *sdk.Instance {
	c := b.circuit
	t := &c.Templates[template]
	c.Instances = append(c.Instances, sdk.Instance{
		Template: uint32(template), Row: c.NumRows, Input: 1 + b.published, Aux: c.NumAux,
		Bit: uint32(len(b.bits)), Field: c.NumInputs + uint32(len(b.fields)), Wires: uint32(len(c.Wires)),
	})
	c.Wires = append(c.Wires, wires...)
	c.NumRows += t.Rows
	c.NumAux += t.Aux
	b.published += t.Inputs
	return &c.Instances[len(c.Instances)-1]
}

// bitsGadget makes a run of bits and their sum.
func (b *builder) bitsGadget() value {
	in := b.instance(templateBits)
	run := sdk.Wire{Var: b.circuit.NumInputs + in.Aux, Slot: in.Bit}
	var sum fr.Element
	power := one()
	kind := b.rng.IntN(4) // a sum of zero, of one, or any
	for i := range bitRun {
		bit := kind > 1 && b.rng.IntN(2) == 1 || kind == 1 && i == 0
		if bit {
			sum.Add(&sum, &power)
		}
		power.Double(&power)
		b.bits = append(b.bits, bit)
	}
	b.runs = append(b.runs, run)
	in = b.instance(templatePack, run)
	return b.field(in, 0, sum)
}

// product makes a bit and (scale·x + shift)·(y - bit of a run), of variables made
// before.
func (b *builder) product() value {
	x, y := b.known[b.rng.IntN(len(b.known))], b.known[b.rng.IntN(len(b.known))]
	run := b.runs[b.rng.IntN(len(b.runs))]
	in := b.instance(templateProduct, x.wire, y.wire, run)
	b.bits = append(b.bits, b.rng.IntN(2) == 1)
	left, right := x.v, y.v
	left.Mul(&left, &b.coeffs[2]).Add(&left, &b.coeffs[3])
	if b.bits[run.Slot+3] {
		o := one()
		right.Sub(&right, &o)
	}
	left.Mul(&left, &right)
	return b.field(in, 1, left)
}

// field takes the instance's field variable, at an offset of its aux.
func (b *builder) field(in *sdk.Instance, offset uint32, v fr.Element) value {
	made := value{sdk.Wire{Var: b.circuit.NumInputs + in.Aux + offset, Slot: in.Field}, v}
	b.fields = append(b.fields, toFr(v))
	b.known = append(b.known, made)
	return made
}

// publish makes a variable a public input, unless there are enough.
func (b *builder) publish(v value) {
	if b.published < b.circuit.NumInputs-1 {
		b.instance(templateInput, v.wire)
		b.inputs = append(b.inputs, toFr(v.v))
	}
}

func (b *builder) finish() *Case {
	c := b.circuit
	for _, e := range b.coeffs {
		c.Coeffs = append(c.Coeffs, toFr(e))
	}
	c.NumBits, c.NumFields = uint32(len(b.bits)), c.NumInputs+uint32(len(b.fields))
	w := &sdk.Witness{Bits: make([]uint64, (len(b.bits)+63)/64), Fields: append(b.inputs, b.fields...)}
	for i, bit := range b.bits {
		if bit {
			w.Bits[i/64] |= 1 << (i % 64)
		}
	}
	return &Case{Circuit: c, Witness: w}
}
