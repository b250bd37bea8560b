package plugin

import (
	"math/bits"

	"github.com/sealwright/sealwright/plugin/pipeline"
	"github.com/sealwright/sealwright/sdk"
)

// needOf is what a partition of a circuit takes of large host memory, from the
// circuit's sizes: the compact witness; a and b over the domain; on the device
// stage besides the scalars split from the witness, and what a device works in,
// taken as one vector more.
func needOf(c *sdk.Circuit) pipeline.Need {
	const fr = int64(sdk.FrBytes)
	rows := uint64(c.NumRows) + uint64(c.NumInputs)
	domain := int64(1) << bits.Len64(rows-1)
	witness := (int64(c.NumBits)+63)/64*8 + int64(c.NumFields)*fr
	vectors := 2 * domain * fr
	scalars := 2*variableBits(c) + int64(c.NumFields)*fr
	return pipeline.Need{
		Synthesis: witness + vectors,
		Device:    witness + vectors + scalars + domain*fr,
		Finish:    0,
	}
}

// layoutBytes is what the layout of a circuit keeps: two bits a variable.
func layoutBytes(c *sdk.Circuit) int64 { return 2 * variableBits(c) }

// variableBits is the size of a bitmap over all variables, in bytes.
func variableBits(c *sdk.Circuit) int64 {
	return (int64(c.NumInputs) + int64(c.NumAux) + 63) / 64 * 8
}
