package sdk

import (
	"fmt"
	"unsafe"
)

// BufferKind says what a large buffer holds; counters are kept by kind.
type BufferKind uint8

// The kinds, in the words of the engine's BUFFERS line and metrics.
const (
	BufferInput   BufferKind = iota + 1 // parts of a job's input
	BufferSynth                         // a compact witness
	BufferProvers                       // a, b, c vectors
	BufferAux                           // scalars on their way into a multiexponentiation
	BufferShells                        // what the finish stage holds
	BufferPending                       // answers that wait to be taken
	BufferSRS                           // points of a proving key, converted or copied
	BufferScratch                       // working memory of a device
	BufferKinds   = iota + 1
)

var bufferKindNames = [BufferKinds]string{
	BufferInput: "input", BufferSynth: "synth", BufferProvers: "provers", BufferAux: "aux", BufferShells: "shells",
	BufferPending: "pending", BufferSRS: "srs", BufferScratch: "scratch",
}

// String returns the kind's name.
func (k BufferKind) String() string {
	if int(k) < len(bufferKindNames) && bufferKindNames[k] != "" {
		return bufferKindNames[k]
	}
	return fmt.Sprintf("BufferKind(%d)", uint8(k))
}

// LargeBuffer is the size above which memory is taken through Buffers.
const LargeBuffer = 1 << 20

// Buffers hands out memory and knows how much of each kind is alive. Every
// buffer over LargeBuffer bytes that a prover or device needs comes through it,
// so that memory has an owner, a budget and a counter. Implementations may be
// called by many goroutines at once.
type Buffers interface {
	// Get returns zeroed memory of the given size, aligned to 64 bytes. It is the
	// caller's until Release. The error wraps ErrOutOfMemory when the budget or the
	// machine does not have it.
	Get(kind BufferKind, bytes int64) (*Buffer, error)
	// Release gives the buffer back; the caller must not touch its memory after.
	// Releasing nil does nothing. Releasing twice is a bug and panics.
	Release(*Buffer)
}

// Buffer is a piece of memory from Buffers.
type Buffer struct {
	Kind BufferKind
	Data []byte
}

// Frs returns the buffer as field elements: len(Data)/32 of them.
func (b *Buffer) Frs() []Fr { return castSlice[Fr](b.Data) }

// G1s returns the buffer as G1 points: len(Data)/96 of them.
func (b *Buffer) G1s() []G1 { return castSlice[G1](b.Data) }

// G2s returns the buffer as G2 points: len(Data)/192 of them.
func (b *Buffer) G2s() []G2 { return castSlice[G2](b.Data) }

// Words returns the buffer as 64-bit words.
func (b *Buffer) Words() []uint64 { return castSlice[uint64](b.Data) }

func castSlice[T any](data []byte) []T {
	var zero T
	n := len(data) / int(unsafe.Sizeof(zero))
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(data))), n)
}
