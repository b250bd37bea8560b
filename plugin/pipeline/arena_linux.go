package pipeline

import (
	"fmt"
	"syscall"
)

// mapMemory returns zeroed anonymous memory from the kernel. Transparent huge
// pages are asked for: a vector of 4 GiB costs a million page faults without.
func mapMemory(bytes int64) ([]byte, error) {
	memory, err := syscall.Mmap(-1, 0, int(bytes), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE)
	if err != nil {
		return nil, fmt.Errorf("map anonymous memory: %w", err)
	}
	_ = syscall.Madvise(memory, syscall.MADV_HUGEPAGE) // a wish: kernels without huge pages refuse it
	return memory, nil
}

// unmapMemory gives memory of mapMemory back. It can fail only for memory that
// was not mapped here, and nothing could be done then.
func unmapMemory(memory []byte) { _ = syscall.Munmap(memory) }
