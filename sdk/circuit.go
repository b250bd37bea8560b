package sdk

import "unsafe"

// A Circuit is a rank-1 constraint system A·z ∘ B·z = C·z, described by
// templates and their instances instead of by rows: a sealing circuit is the
// same few gadgets thousands of times (5,040 SHA-256 blocks in a 32 GiB
// partition), so tens of MiB describe what would take tens of GiB row by row.
//
// # Variables
//
// The assignment z is [inputs | aux]. Variable 0 is the constant one, variables
// 0..NumInputs-1 are the public inputs, the others are private. A variable is a
// Bit or a Field element by its type, fixed by the template, whatever its value:
// Witness stores the two kinds apart and offsets never depend on values. Inputs
// are of kind Field.
//
// # Rows
//
// Rows 0..NumRows-1 are those of the instances in order, each instance's rows
// in one run. Rows NumRows..NumRows+NumInputs-1 are the input-consistency rows
// that a Groth16 key over this circuit has besides: A is input i, B and C are
// empty. They are not stored.
//
// A Circuit is read-only once made and may be shared by goroutines.
type Circuit struct {
	ID string // "porep-32g" and so on

	NumInputs uint32 // with the constant one
	NumAux    uint32
	NumRows   uint32 // without the input-consistency rows
	NumBits   uint32 // aux variables of kind Bit; Witness.Bits holds so many
	NumFields uint32 // inputs and aux variables of kind Field; len(Witness.Fields)

	// Coeffs is the table that terms take their coefficients from.
	Coeffs []Fr

	Templates []Template
	Instances []Instance // ascending and gapless in Row, Aux, Input, Bit and Field
	Wires     []Wire     // of all instances; see Instance.Wires
}

// Bytes returns the memory that the circuit's tables take.
func (c *Circuit) Bytes() int64 {
	n := tableBytes(c.Coeffs) + tableBytes(c.Templates) + tableBytes(c.Instances) + tableBytes(c.Wires)
	for i := range c.Templates {
		t := &c.Templates[i]
		n += tableBytes(t.Locals) + tableBytes(t.Ports)
		for _, m := range [3]*Matrix{&t.A, &t.B, &t.C} {
			n += tableBytes(m.Start) + tableBytes(m.Terms)
		}
	}
	return n
}

func tableBytes[T any](table []T) int64 {
	var entry T
	return int64(cap(table)) * int64(unsafe.Sizeof(entry))
}

// Kind says how a variable is stored in a Witness.
type Kind uint8

const (
	// Bit variables are 0 or 1 by a constraint of the circuit.
	Bit Kind = iota + 1
	// Field variables may be any element of Fr.
	Field
)

// Run is a number of successive variables of one kind.
type Run struct {
	Kind  Kind
	Count uint32
}

// Template is one gadget: its rows over relative columns.
type Template struct {
	Name string

	Rows   uint32
	Inputs uint32 // public inputs that an instance allocates
	Aux    uint32 // aux variables that an instance allocates
	Bits   uint32 // of Aux, those of kind Bit; the other Aux-Bits are Field
	Locals []Run  // kinds of the Aux variables in order

	// Ports lists the kinds of the wires that come in from outside.
	Ports []Kind

	A, B, C Matrix
}

// Matrix holds a template's rows of one of A, B, C in compressed sparse row
// form. Terms of row i are Terms[Start[i]:Start[i+1]].
type Matrix struct {
	Start []uint32
	Terms []Term
}

// Row returns the terms of row i, sharing the matrix's memory.
func (m *Matrix) Row(i uint32) []Term { return m.Terms[m.Start[i]:m.Start[i+1]] }

// Term is a coefficient times a variable. Within a row the columns differ, and
// so do the variables they mean in every instance; their order has no meaning.
type Term struct {
	Column Column
	Coeff  uint32 // index into Circuit.Coeffs
}

// Column names a variable relative to an instance: a port in the top 8 bits, an
// offset from where that port starts in the low 24.
type Column uint32

// Ports of a Column. Wires start at PortWire: port PortWire+k is wire k of the
// instance.
const (
	PortOne   = 0 // the constant one; offset 0
	PortAux   = 1 // the instance's own aux variables
	PortInput = 2 // the instance's own public inputs
	PortWire  = 3
)

// Limits of a Column.
const (
	ColumnOffsetBits = 24
	MaxColumnOffset  = 1<<ColumnOffsetBits - 1
	MaxWires         = 256 - PortWire
)

// NewColumn joins a port and an offset, both within the limits above.
func NewColumn(port, offset uint32) Column {
	return Column(port<<ColumnOffsetBits | offset)
}

// Port returns the column's port.
func (c Column) Port() uint32 { return uint32(c) >> ColumnOffsetBits }

// Offset returns the column's offset from the start of its port.
func (c Column) Offset() uint32 { return uint32(c) & MaxColumnOffset }

// Instance is one use of a template: where its rows and variables start and
// which wires come in.
type Instance struct {
	Template uint32 // index into Circuit.Templates
	Row      uint32 // first row
	Input    uint32 // first public input (an index into z and into Witness.Fields)
	Aux      uint32 // first aux variable, counted without the inputs
	Bit      uint32 // first bit in Witness.Bits
	Field    uint32 // first element in Witness.Fields
	Wires    uint32 // first wire in Circuit.Wires; len(Template.Ports) of them
}

// Wire is where a port of an instance starts: at variable Var of z, which is
// element Slot of Witness.Bits or Witness.Fields, by the port's kind. Offset o
// of the port means variable Var+o and slot Slot+o, so a wire runs through
// successive variables of one kind.
type Wire struct {
	Var  uint32
	Slot uint32
}
