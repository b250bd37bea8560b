package pipeline

import (
	"unsafe"

	"github.com/sealwright/sealwright/sdk"
)

// block is the memory of one buffer: off the heap where it is large, so that
// the garbage collector neither doubles nor hides it.
type block struct {
	data   []byte
	mapped []byte // nil: on the heap
}

// newBlock returns zeroed memory aligned to 64 bytes.
func newBlock(bytes int64) (block, error) {
	if bytes > sdk.LargeBuffer {
		mapped, err := mapMemory(bytes)
		if err != nil || mapped != nil {
			return block{data: mapped, mapped: mapped}, err
		}
	}
	return block{data: alignedHeap(bytes)}, nil
}

func (b block) free() {
	if b.mapped != nil {
		unmapMemory(b.mapped)
	}
}

func (b block) offHeap() int64 { return int64(len(b.mapped)) }

func alignedHeap(bytes int64) []byte {
	const align = 64
	raw := make([]byte, bytes+align)
	skip := int64(-uintptr(unsafe.Pointer(unsafe.SliceData(raw))) % align)
	return raw[skip : skip+bytes : skip+bytes]
}
