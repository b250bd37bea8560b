package circuit

import (
	"errors"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/sealwright/sealwright/sdk"
)

// expander computes the variables of one instance. Implementations are
// read-only and serve many goroutines.
type expander interface {
	// expand reads the wires and the tape of x and appends the instance's inputs,
	// bits and fields, each in order of allocation.
	expand(x *expansion)
}

// expansion is what an expander works on: one instance of a witness that grows.
type expansion struct {
	witness *sdk.Witness
	wires   []sdk.Wire
	tape    *tape

	bits   bitWriter
	inputs []sdk.Fr // to be filled, then cut off at the front
	fields []sdk.Fr // likewise
}

// start readies the expansion for an instance.
func (x *expansion) start(in *sdk.Instance, wires []sdk.Wire) {
	x.wires = wires
	x.bits = newBitWriter(x.witness.Bits, in.Bit)
	x.inputs, x.fields = x.witness.Fields[in.Input:], x.witness.Fields[in.Field:]
}

// wireBits returns n bits of a wire from an offset, n at most 64.
func (x *expansion) wireBits(wire int, offset, n uint32) uint64 {
	return readBits(x.witness.Bits, x.wires[wire].Slot+offset, n)
}

// wireField returns the field element at the start of a wire.
func (x *expansion) wireField(wire int) fr.Element {
	return fr.Element(x.witness.Fields[x.wires[wire].Slot])
}

// putField appends an aux variable of kind Field.
func (x *expansion) putField(e *fr.Element) {
	x.fields[0] = sdk.Fr(*e)
	x.fields = x.fields[1:]
}

// putInput appends a public input.
func (x *expansion) putInput(e *fr.Element) {
	x.inputs[0] = sdk.Fr(*e)
	x.inputs = x.inputs[1:]
}

// tape holds the secrets of a section in the order in which its instances take
// them: field elements and small numbers apart.
type tape struct {
	fields  []fr.Element
	numbers []uint64
	wrong   bool // more was taken than there was, or a number was out of range
}

var errTape = errors.New("secrets do not fit the circuit")

func (t *tape) field() fr.Element {
	if len(t.fields) == 0 {
		t.wrong = true
		return fr.Element{}
	}
	e := t.fields[0]
	t.fields = t.fields[1:]
	return e
}

func (t *tape) number() uint64 {
	if len(t.numbers) == 0 {
		t.wrong = true
		return 0
	}
	n := t.numbers[0]
	t.numbers = t.numbers[1:]
	return n
}

// place takes a number below arity, a power of two. A greater one marks the tape
// as unfit.
func (t *tape) place(arity int) uint64 {
	n := t.number()
	if n >= uint64(arity) {
		t.wrong = true
	}
	return n & uint64(arity-1)
}

// end reports a tape that did not fit what was taken.
func (t *tape) end() error {
	if t.wrong || len(t.fields) > 0 || len(t.numbers) > 0 {
		return errTape
	}
	return nil
}
