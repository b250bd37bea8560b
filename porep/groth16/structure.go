package groth16

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"

	"github.com/sealwright/sealwright/sdk"
)

// StructureDigest is the SHA-256 of a circuit's description: coefficients,
// templates, instances and wires. Milliseconds, where a digest over the rows takes
// seconds to minutes; but two descriptions of the same rows differ in it. It
// ties a development key to the circuit that it was made for.
func StructureDigest(c *sdk.Circuit) [32]byte {
	d := structureHash{sum: sha256.New()}
	d.put(c.NumInputs, c.NumAux, c.NumRows, c.NumBits, c.NumFields)
	d.put(uint32(len(c.Coeffs)))
	for _, e := range c.Coeffs {
		for _, limb := range e {
			d.put(uint32(limb), uint32(limb>>32))
		}
	}
	d.put(uint32(len(c.Templates)))
	for i := range c.Templates {
		d.template(&c.Templates[i])
	}
	d.put(uint32(len(c.Instances)))
	for _, in := range c.Instances {
		d.put(in.Template, in.Row, in.Input, in.Aux, in.Bit, in.Field, in.Wires)
	}
	d.put(uint32(len(c.Wires)))
	for _, w := range c.Wires {
		d.put(w.Var, w.Slot)
	}
	d.flush()
	return [32]byte(d.sum.Sum(nil))
}

// structureHash hashes 32-bit little-endian words.
type structureHash struct {
	sum hash.Hash
	buf []byte
}

func (d *structureHash) put(values ...uint32) {
	for _, v := range values {
		d.buf = binary.LittleEndian.AppendUint32(d.buf, v)
	}
	if len(d.buf) >= 1<<16 {
		d.flush()
	}
}

func (d *structureHash) flush() {
	d.sum.Write(d.buf)
	d.buf = d.buf[:0]
}

func (d *structureHash) template(t *sdk.Template) {
	d.put(t.Rows, t.Inputs, t.Aux, t.Bits, uint32(len(t.Locals)))
	for _, run := range t.Locals {
		d.put(uint32(run.Kind), run.Count)
	}
	d.put(uint32(len(t.Ports)))
	for _, kind := range t.Ports {
		d.put(uint32(kind))
	}
	for _, m := range []*sdk.Matrix{&t.A, &t.B, &t.C} {
		d.put(m.Start...)
		for _, term := range m.Terms {
			d.put(uint32(term.Column), term.Coeff)
		}
	}
}
