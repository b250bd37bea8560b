package plugin

import (
	"math/bits"

	"github.com/sealwright/sealwright/plugin/pipeline"
	"github.com/sealwright/sealwright/sdk"
)

// What a device's host side works in, beyond vectors of the circuit's own sizes:
// terms of a sum are converted in blocks of at most sumBlock, those that are
// gathered from the key come in blocks of at most gatherBlock; workSpace covers
// the buckets and tables of a call of any size.
const (
	sumBlock    = 1 << 22
	gatherBlock = 1 << 20
	workSpace   = 16 << 20
)

// needOf is what a partition of a circuit takes of large host memory, from the
// circuit's sizes. On the device stage it is the most that one of its steps takes:
// the quotient (a, b and one vector more), the sum over the quotient, the sums over
// the witness (which is split and gathered for them).
func needOf(c *sdk.Circuit) pipeline.Need {
	const fr = int64(sdk.FrBytes)
	rows := uint64(c.NumRows) + uint64(c.NumInputs)
	domain := int64(1) << bits.Len64(rows-1)
	vector, fields := domain*fr, int64(c.NumFields)
	witness := (int64(c.NumBits)+63)/64*8 + fields*fr

	quotient := 3*vector + workSpace
	quotientSum := vector + min(domain, sumBlock)*(int64(sdk.G1Bytes)+fr) + workSpace
	gathered := 2 * min(fields, gatherBlock) * (int64(sdk.G2Bytes) + fr)
	witnessSums := 3*variableBits(c) + fields*8 + gathered + workSpace
	return pipeline.Need{
		Synthesis: witness + 2*vector,
		Device:    witness + max(quotient, quotientSum, witnessSums),
		Finish:    0,
	}
}

// layoutBytes is what the layout of a circuit keeps: two bits a variable.
func layoutBytes(c *sdk.Circuit) int64 { return 2 * variableBits(c) }

// variableBits is the size of a bitmap over all variables, in bytes.
func variableBits(c *sdk.Circuit) int64 {
	return (int64(c.NumInputs) + int64(c.NumAux) + 63) / 64 * 8
}
