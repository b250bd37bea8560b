package cpu

import (
	"errors"
	"fmt"
	"testing"

	"github.com/sealwright/sealwright/sdk"
)

// limited is a Buffers that has no buffers over a size.
type limited struct {
	sdk.HeapBuffers
	largest int64
	refused int
}

func (l *limited) Get(kind sdk.BufferKind, bytes int64) (*sdk.Buffer, error) {
	if bytes > l.largest {
		l.refused++
		return nil, fmt.Errorf("%w: %d bytes", sdk.ErrOutOfMemory, bytes)
	}
	return l.HeapBuffers.Get(kind, bytes)
}

// TestMSMInBlocks has memory for less than the whole.
func TestMSMInBlocks(t *testing.T) {
	n := 1<<14 + 5
	logs, scalars := testScalars(n, 1), testScalars(n, 2)
	points := fileOrder(onG1(t, logs))
	buffers := &limited{largest: 1 << 20}
	d, err := Open(sdk.DeviceConfig{Threads: 2, Buffers: buffers})
	if err != nil {
		t.Fatal(err)
	}
	got, err := d.MSMG1(t.Context(), points, frs(scalars))
	if err != nil {
		t.Fatal(err)
	}
	sum := inner(logs, scalars)
	if asG1(got) != expG1(&sum) {
		t.Error("sum differs")
	}
	if buffers.refused == 0 {
		t.Error("no buffer was refused: the test shows nothing")
	}
	if stats := buffers.Stats(sdk.BufferScratch); stats.Count != 0 {
		t.Errorf("%d buffers are still alive", stats.Count)
	}
}

// TestBudget gives a device too little for anything: each call says so, and
// takes nothing.
func TestBudget(t *testing.T) {
	d, err := Open(sdk.DeviceConfig{Threads: 2, Buffers: new(sdk.HeapBuffers), DeviceBytes: 2000})
	if err != nil {
		t.Fatal(err)
	}
	points, scalars := montgomery(onG1(t, testScalars(1000, 1))), frs(testScalars(1<<12, 2))
	out, other := make([]sdk.G1, len(scalars)), frs(testScalars(1<<12, 3))
	_, msmErr := d.MSMG1(t.Context(), points, scalars[:1000])
	for name, err := range map[string]error{
		"MSM":        msmErr,
		"NTT":        d.NTT(t.Context(), scalars, sdk.Transform{}),
		"quotient":   d.Quotient(t.Context(), scalars, other),
		"fixed base": d.FixedBaseG1(t.Context(), sdk.G1{}, scalars, out),
	} {
		if !errors.Is(err, sdk.ErrOutOfMemory) {
			t.Errorf("%s: error is %v, want %v", name, err, sdk.ErrOutOfMemory)
		}
	}
	if got, want := d.Memory(), (sdk.MemoryInfo{Total: 2000, Free: 2000}); got != want {
		t.Errorf("memory is %+v, want %+v", got, want)
	}
}

// TestProgress holds that even short calls count.
func TestProgress(t *testing.T) {
	progress := new(sdk.Progress)
	d, err := Open(sdk.DeviceConfig{Threads: 1, Buffers: new(sdk.HeapBuffers), Progress: progress})
	if err != nil {
		t.Fatal(err)
	}
	n := 1 << 13
	points, scalars := fileOrder(onG1(t, testScalars(n, 1))), frs(testScalars(n, 2))
	mask, _ := maskOf(n, parity)
	last := progress.Count()
	moved := func(name string, err error, least uint64) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		now := progress.Count()
		if now-last < least {
			t.Errorf("%s counted %d pieces, want %d or more", name, now-last, least)
		}
		last = now
	}
	_, err = d.MSMG1(t.Context(), points, scalars)
	moved("MSM", err, 20)
	_, err = d.MaskSumG1(t.Context(), points, mask)
	moved("mask sum", err, 1)
	moved("NTT", d.NTT(t.Context(), scalars, sdk.Transform{}), 10)
	moved("quotient", d.Quotient(t.Context(), scalars, frs(testScalars(n, 3))), 20)
	moved("fixed base", d.FixedBaseG1(t.Context(), sdk.G1{}, scalars, make([]sdk.G1, n)), 2)
}
