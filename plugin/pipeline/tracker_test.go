package pipeline

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/sealwright/sealwright/sdk"
)

func TestTracker(t *testing.T) {
	var told BufferCounts
	tracker := NewTracker(10<<20, func(c BufferCounts) { told = c })
	sizes := []int64{0, 1, 63, 4096, sdk.LargeBuffer, sdk.LargeBuffer + 1, 3<<20 + 7}
	var buffers []*sdk.Buffer
	var total int64
	for _, size := range sizes {
		b, err := tracker.Get(sdk.BufferAux, size)
		if err != nil {
			t.Fatal(err)
		}
		if int64(len(b.Data)) != size || uintptr(unsafe.Pointer(unsafe.SliceData(b.Data)))%64 != 0 {
			t.Errorf("%d bytes: length %d, address %p", size, len(b.Data), unsafe.SliceData(b.Data))
		}
		for i := range b.Data {
			if b.Data[i] != 0 {
				t.Fatalf("%d bytes: not zeroed", size)
			}
			b.Data[i] = 1
		}
		buffers = append(buffers, b)
		total += size
	}
	if told.Used != total || told.Kinds[sdk.BufferAux].Count != int64(len(sizes)) || told.Arena < 4<<20 {
		t.Errorf("told %+v, expected %d bytes", told, total)
	}
	if _, err := tracker.Get(sdk.BufferSynth, 8<<20); !errors.Is(err, sdk.ErrOutOfMemory) {
		t.Errorf("over the budget: %v", err)
	}
	for _, b := range buffers {
		tracker.Release(b)
	}
	tracker.Release(nil)
	c := tracker.Counts()
	if c.Used != 0 || c.Arena != 0 || c.Kinds[sdk.BufferAux].Bytes != 0 || c.Kinds[sdk.BufferAux].HighWater != total || c.Peak != total {
		t.Errorf("after release: %+v", c)
	}
	if s := c.String(); !strings.HasPrefix(s, "BUFFERS[aux=0/0 used=0 peak=") {
		t.Errorf("line %q", s)
	}
	if _, err := tracker.Get(0, 1); !errors.Is(err, sdk.ErrInvalidInput) {
		t.Errorf("kind 0: %v", err)
	}
}

func TestTrackerReleaseTwicePanics(t *testing.T) {
	tracker := NewTracker(0, nil)
	b, err := tracker.Get(sdk.BufferSynth, 10)
	if err != nil {
		t.Fatal(err)
	}
	tracker.Release(b)
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	tracker.Release(b)
}

func TestTrackerConcurrent(t *testing.T) {
	const budget = 64 << 20
	tracker := NewTracker(budget, func(c BufferCounts) {
		if c.Used > budget {
			t.Errorf("%d bytes used of %d", c.Used, budget)
		}
	})
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for range 200 {
				if b, err := tracker.Get(sdk.BufferProvers, int64(i)<<20); err == nil {
					tracker.Release(b)
				}
			}
		})
	}
	group.Wait()
	if c := tracker.Counts(); c.Used != 0 || c.Arena != 0 {
		t.Errorf("not back at zero: %+v", c)
	}
}
