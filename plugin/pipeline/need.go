package pipeline

import (
	"math/bits"

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

// NeedOf is what a partition of a circuit takes of large host memory, from the
// circuit's sizes. On the device stage it is the most that one of its steps takes:
// the quotient (a, b and one vector more), the sum over the quotient, the sums over
// the witness (which is split and gathered for them).
func NeedOf(c *sdk.Circuit) Need {
	const fr = int64(sdk.FrBytes)
	vector, fields := VectorBytes(c), int64(c.NumFields)
	witness := (int64(c.NumBits)+63)/64*8 + fields*fr

	quotient := 3*vector + workSpace
	quotientSum := vector + min(vector/fr, sumBlock)*(int64(sdk.G1Bytes)+fr) + workSpace
	gathered := 2 * min(fields, gatherBlock) * (int64(sdk.G2Bytes) + fr)
	witnessSums := 3*variableBits(c) + fields*8 + gathered + workSpace
	return Need{
		Synthesis: witness + 2*vector,
		Device:    witness + max(quotient, quotientSum, witnessSums),
		Finish:    0,
	}
}

// ProcessBytes is what an engine's process takes beside large buffers: the
// circuits, what jobs parse to, stacks, and room for the collector.
const ProcessBytes = 64 << 20

// SplitNeed parts NeedOf by owner: what a partition takes from synthesis until the
// device has consumed it, and what one device worker works in, whichever partition
// it has. The latter is held once a worker, so that partitions that wait for the
// device do not reserve it.
func SplitNeed(c *sdk.Circuit) (partition Need, worker int64) {
	whole := NeedOf(c)
	return Need{Synthesis: whole.Synthesis, Device: whole.Synthesis}, max(0, whole.Device-whole.Synthesis)
}

// PlainNeedOf is the same for a prover that keeps a, b and c as vectors and every
// private variable as a field element, and the variables until the proof is
// assembled. Figures of other provers are compared in it; no engine here reserves
// so much.
func PlainNeedOf(c *sdk.Circuit) Need {
	aux := int64(c.NumAux) * int64(sdk.FrBytes)
	all := 3*VectorBytes(c) + aux
	return Need{Synthesis: all, Device: all, Finish: aux}
}

// VectorBytes is the size of one of a, b, c, h of a circuit: the domain's.
func VectorBytes(c *sdk.Circuit) int64 {
	rows := uint64(c.NumRows) + uint64(c.NumInputs)
	return int64(sdk.FrBytes) << bits.Len64(rows-1)
}

// inputFactor is what a job's input takes while the job lives, in its own sizes:
// the bytes, and what they parse to.
const inputFactor = 8

// InputBytes is what an input of so many bytes holds of the budget.
func InputBytes(size int64) int64 { return inputFactor * size }

// LayoutBytes is what the layout of a circuit keeps: two bits a variable.
func LayoutBytes(c *sdk.Circuit) int64 { return 2 * variableBits(c) }

// variableBits is the size of a bitmap over all variables, in bytes.
func variableBits(c *sdk.Circuit) int64 {
	return (int64(c.NumInputs) + int64(c.NumAux) + 63) / 64 * 8
}
