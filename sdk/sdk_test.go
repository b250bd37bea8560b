package sdk_test

import (
	"errors"
	"testing"
	"unsafe"

	"github.com/sealwright/sealwright/sdk"
)

func TestColumnKeepsPortAndOffset(t *testing.T) {
	for _, c := range []struct{ port, offset uint32 }{
		{sdk.PortOne, 0}, {sdk.PortAux, 1}, {sdk.PortInput, 27_000}, {sdk.PortWire + sdk.MaxWires - 1, sdk.MaxColumnOffset},
	} {
		col := sdk.NewColumn(c.port, c.offset)
		if col.Port() != c.port || col.Offset() != c.offset {
			t.Errorf("NewColumn(%d, %d) = port %d, offset %d", c.port, c.offset, col.Port(), col.Offset())
		}
	}
}

func TestBases(t *testing.T) {
	data := make([]byte, 5*sdk.G2Bytes)
	for _, c := range []struct {
		name  string
		bases sdk.Bases
		len   int // -1: Validate refuses
	}{
		{"G1", sdk.Bases{Group: sdk.GroupG1, Encoding: sdk.FileOrder, Data: data}, 10},
		{"G2", sdk.Bases{Group: sdk.GroupG2, Encoding: sdk.Montgomery, Data: data}, 5},
		{"empty", sdk.Bases{Group: sdk.GroupG1, Encoding: sdk.Montgomery}, 0},
		{"no group", sdk.Bases{Encoding: sdk.FileOrder, Data: data}, -1},
		{"no encoding", sdk.Bases{Group: sdk.GroupG1, Data: data}, -1},
		{"half a point", sdk.Bases{Group: sdk.GroupG2, Encoding: sdk.FileOrder, Data: data[:sdk.G1Bytes]}, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.bases.Validate()
			if c.len < 0 {
				if !errors.Is(err, sdk.ErrInvalidInput) {
					t.Fatalf("Validate() = %v, expected ErrInvalidInput", err)
				}
				return
			}
			if err != nil || c.bases.Len() != c.len {
				t.Fatalf("Validate() = %v, Len() = %d, expected %d", err, c.bases.Len(), c.len)
			}
		})
	}
}

func TestBasesSliceSharesBytes(t *testing.T) {
	data := make([]byte, 4*sdk.G1Bytes)
	b := sdk.Bases{Group: sdk.GroupG1, Encoding: sdk.FileOrder, Data: data}.Slice(1, 3)
	if b.Len() != 2 || &b.Data[0] != &data[sdk.G1Bytes] || cap(b.Data) != 2*sdk.G1Bytes {
		t.Fatalf("Slice(1, 3): %d points, capacity %d bytes", b.Len(), cap(b.Data))
	}
}

func TestHeapBuffersCount(t *testing.T) {
	var h sdk.HeapBuffers
	a, errA := h.Get(sdk.BufferSynth, 3*int64(sdk.FrBytes))
	b, errB := h.Get(sdk.BufferSynth, 100)
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	if p := uintptr(unsafe.Pointer(&a.Data[0])); p%64 != 0 || len(a.Frs()) != 3 {
		t.Fatalf("buffer at %#x holds %d elements", p, len(a.Frs()))
	}
	if s := h.Stats(sdk.BufferSynth); s != (sdk.BufferStats{Count: 2, Bytes: 196, HighWater: 196}) {
		t.Fatalf("two alive: %+v", s)
	}
	h.Release(a)
	h.Release(b)
	h.Release(nil)
	if s := h.Stats(sdk.BufferSynth); s != (sdk.BufferStats{HighWater: 196}) {
		t.Fatalf("none alive: %+v", s)
	}
	defer func() {
		if recover() == nil {
			t.Fatal("releasing twice did not panic")
		}
	}()
	h.Release(a)
}

func TestWitnessBit(t *testing.T) {
	w := sdk.Witness{Bits: []uint64{1 << 63, 1}}
	for i, want := range map[uint32]bool{0: false, 63: true, 64: true, 65: false} {
		if w.Bit(i) != want {
			t.Errorf("Bit(%d) = %v", i, !want)
		}
	}
}

func TestNames(t *testing.T) {
	if sdk.GroupG1.String() != "G1" || sdk.GroupG2.String() != "G2" || sdk.Group(9).String() != "Group(9)" {
		t.Error("group names")
	}
	seen := map[string]bool{}
	for k := sdk.BufferKind(1); k < sdk.BufferKinds; k++ {
		if seen[k.String()] {
			t.Errorf("two kinds of buffer are named %q", k)
		}
		seen[k.String()] = true
	}
	if got := sdk.BufferKind(0).String(); got != "BufferKind(0)" {
		t.Errorf("kind 0 is named %q", got)
	}
}
