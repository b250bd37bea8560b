package groth16

import (
	"fmt"

	"github.com/sealwright/sealwright/sdk"
)

// split is a witness as the multiexponentiations take it: a bit for every
// variable of z that is one, and a list of those that are neither zero nor one
// (zeros and ones among field elements are found here). Its buffers are of
// kind BufferAux.
type split struct {
	ones   bitmap   // over z
	others []uint64 // ascending: variable<<32 | index into Witness.Fields
	fields []sdk.Fr

	buffers [2]*sdk.Buffer
	bufs    sdk.Buffers
}

func (s *split) release() {
	for i, b := range s.buffers {
		s.bufs.Release(b)
		s.buffers[i] = nil
	}
}

// split sorts the values of a witness.
func (l *Layout) split(w *sdk.Witness, bufs sdk.Buffers) (*split, error) {
	c := l.Circuit
	s := &split{fields: w.Fields, bufs: bufs}
	others := 0
	for i := range w.Fields {
		if !trivial(&w.Fields[i]) {
			others++
		}
	}
	for i, size := range []int{words(int(c.NumInputs) + int(c.NumAux)), others} {
		var err error
		if s.buffers[i], err = bufs.Get(sdk.BufferAux, int64(size*8)); err != nil {
			s.release()
			return nil, fmt.Errorf("split witness: %w", err)
		}
	}
	s.ones, s.others = s.buffers[0].Words(), s.buffers[1].Words()[:0]
	for i := range c.NumInputs {
		s.addField(i, i)
	}
	for i := range c.Instances {
		s.addInstance(c, &c.Instances[i], w.Bits)
	}
	return s, nil
}

func (s *split) addInstance(c *sdk.Circuit, in *sdk.Instance, bits bitmap) {
	variable, bit, field := c.NumInputs+in.Aux, in.Bit, in.Field
	for _, run := range c.Templates[in.Template].Locals {
		if run.Kind == sdk.Bit {
			s.ones.orRange(int(variable), bits, int(bit), int(run.Count))
			bit += run.Count
		} else {
			for k := range run.Count {
				s.addField(variable+k, field+k)
			}
			field += run.Count
		}
		variable += run.Count
	}
}

func (s *split) addField(variable, index uint32) {
	switch s.fields[index] {
	case sdk.Fr{}:
	case montgomeryOne:
		s.ones.set(variable)
	default:
		s.others = append(s.others, uint64(variable)<<32|uint64(index))
	}
}

// montgomeryOne is 1 in Montgomery form: 2^256 modulo r.
var montgomeryOne = sdk.Fr{0x00000001fffffffe, 0x5884b7fa00034802, 0x998c4fefecbc4ff5, 0x1824b159acc5056f}

func trivial(v *sdk.Fr) bool { return *v == (sdk.Fr{}) || *v == montgomeryOne }
