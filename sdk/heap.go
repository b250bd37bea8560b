package sdk

import (
	"sync"
	"unsafe"
)

// HeapBuffers is Buffers on Go's heap without a budget, for embedders and
// tests. The zero value is ready.
type HeapBuffers struct {
	mu    sync.Mutex
	alive map[*Buffer]struct{}
	stats [BufferKinds]BufferStats
}

// BufferStats counts the living buffers of one kind.
type BufferStats struct {
	Count, Bytes, HighWater int64 // HighWater is of Bytes
}

// Get implements Buffers. It never fails.
func (h *HeapBuffers) Get(kind BufferKind, bytes int64) (*Buffer, error) {
	b := &Buffer{Kind: kind, Data: alignedBytes(bytes)}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.alive == nil {
		h.alive = make(map[*Buffer]struct{})
	}
	h.alive[b] = struct{}{}
	s := &h.stats[kind]
	s.Count++
	s.Bytes += bytes
	s.HighWater = max(s.HighWater, s.Bytes)
	return b, nil
}

// Release implements Buffers.
func (h *HeapBuffers) Release(b *Buffer) {
	if b == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, ok := h.alive[b]; !ok {
		panic("sdk: buffer released twice or to the wrong owner")
	}
	delete(h.alive, b)
	s := &h.stats[b.Kind]
	s.Count--
	s.Bytes -= int64(len(b.Data))
	b.Data = nil
}

// Stats returns the counters of one kind.
func (h *HeapBuffers) Stats(kind BufferKind) BufferStats {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.stats[kind]
}

func alignedBytes(n int64) []byte {
	const align = 64
	if n == 0 {
		return nil
	}
	raw := make([]byte, n+align)
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(raw))) % align
	return raw[skip : int64(skip)+n : int64(skip)+n]
}
