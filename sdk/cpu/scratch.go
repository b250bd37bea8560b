package cpu

import (
	"fmt"
	"unsafe"

	"github.com/sealwright/sealwright/sdk"
)

// scratch is working memory: from Buffers where it is large, from the heap
// where it is not.
type scratch struct {
	device *Device
	buffer *sdk.Buffer
	owned  bool // by device.buffers
}

// scratch takes zeroed memory. The caller releases it.
func (d *Device) scratch(bytes int64) (*scratch, error) {
	if used := d.used.Add(bytes); d.budget != 0 && used > d.budget {
		d.used.Add(-bytes)
		return nil, fmt.Errorf("%w: take %d bytes of scratch: %d of the device's %d are in use",
			sdk.ErrOutOfMemory, bytes, used-bytes, d.budget)
	}
	if bytes <= sdk.LargeBuffer {
		words := make([]uint64, (bytes+7)/8)
		return &scratch{device: d, buffer: &sdk.Buffer{Kind: sdk.BufferScratch, Data: wordBytes(words)[:bytes]}}, nil
	}
	buffer, err := d.buffers.Get(sdk.BufferScratch, bytes)
	if err != nil {
		d.used.Add(-bytes)
		return nil, fmt.Errorf("take %d bytes of scratch: %w", bytes, err)
	}
	return &scratch{device: d, buffer: buffer, owned: true}, nil
}

// release gives the memory back. Releasing nil does nothing.
func (s *scratch) release() {
	if s == nil {
		return
	}
	s.device.used.Add(-int64(len(s.buffer.Data)))
	if s.owned {
		s.device.buffers.Release(s.buffer)
	}
}

// releaseAll releases every one of owned.
func releaseAll(owned []*scratch) {
	for _, s := range owned {
		s.release()
	}
}

// takeScratch takes n values of scratch and notes it in owned.
func takeScratch[T any](d *Device, owned *[]*scratch, n int) ([]T, error) {
	var zero T
	s, err := d.scratch(int64(n) * int64(unsafe.Sizeof(zero)))
	if err != nil {
		return nil, err
	}
	*owned = append(*owned, s)
	return castSlice[T](s.buffer.Data), nil
}
