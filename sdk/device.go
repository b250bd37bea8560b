package sdk

import (
	"context"
	"sync/atomic"
)

// Backend is what a vendor brings: it names itself, lists its devices and opens
// them. The optional interfaces of this package are found on the Device by type
// assertion.
type Backend interface {
	// Describe names the backend. It has no side effects and never fails.
	Describe() Description
	// Devices lists the devices that Open takes. Where there is none the error
	// wraps ErrNoDevice and says why in one sentence.
	Devices(ctx context.Context) ([]DeviceInfo, error)
	// Open readies a device. Its memory comes from cfg.Buffers alone.
	Open(ctx context.Context, cfg DeviceConfig) (Device, error)
}

// Description names a backend and its build.
type Description struct {
	Name     string // "cpu", "cuda"
	Vendor   string
	Version  string
	Features []string // unknown ones are ignored
}

// DeviceInfo describes one device, as `probe --json` prints it.
type DeviceInfo struct {
	ID          string `json:"id"` // stable across restarts: a GPU's UUID
	Name        string `json:"name"`
	Kind        string `json:"kind"` // "cpu", "gpu"
	MemoryBytes int64  `json:"memory_bytes"`
	Driver      string `json:"driver,omitempty"`
}

// DeviceConfig is what a device may use.
type DeviceConfig struct {
	ID          string    // of DeviceInfo; empty means the first
	DeviceBytes int64     // budget on the device; 0 means no limit
	Threads     int       // host threads for this device; 0 means all
	Buffers     Buffers   // host memory
	Progress    *Progress // counts finished operations; never nil
}

// Progress counts finished device operations. It is the sign of life that the
// watchdog goes by, so an operation counts in pieces of under two seconds.
type Progress struct{ n atomic.Uint64 }

// Done counts one finished operation. A nil Progress takes it and forgets.
func (p *Progress) Done() {
	if p != nil {
		p.n.Add(1)
	}
}

// Count returns how many operations are finished.
func (p *Progress) Count() uint64 { return p.n.Load() }

// Device does the heavy arithmetic. All methods may be called by several
// goroutines; each returns early with ctx's error when ctx ends. Arguments are
// borrowed for the call only. Errors wrap the sentinels of this package.
//
// More is offered through optional interfaces: MaskSummer, Quotienter,
// FixedBaser.
type Device interface {
	// MSMG1 returns Σ scalars[i]·bases[i]. len(scalars) == bases.Len();
	// an empty sum is infinity.
	MSMG1(ctx context.Context, bases Bases, scalars []Fr) (G1, error)
	// MSMG2 is MSMG1 for G2.
	MSMG2(ctx context.Context, bases Bases, scalars []Fr) (G2, error)
	// NTT transforms data in place, natural order in and out. len(data) is a power
	// of two, at most 2^32.
	NTT(ctx context.Context, data []Fr, t Transform) error
	// Memory says what the device has and has free.
	Memory() MemoryInfo
	// Close frees everything. The device is not used after.
	Close() error
}

// Transform selects a number-theoretic transform over the domain of
// n = len(data) powers of ω = 7^((r-1)/n), r the modulus of Fr; the coset's
// factor is 7, Fr's smallest generator.
type Transform struct {
	Inverse bool // values to coefficients, with the factor 1/n
	Coset   bool // values on 7·⟨ω⟩ in place of ⟨ω⟩
}

// MemoryInfo is a device's memory in bytes.
type MemoryInfo struct{ Total, Free int64 }

// MaskSummer adds up selected bases: the sum over bit variables, without a
// scalar in sight.
type MaskSummer interface {
	// MaskSumG1 returns the sum of those bases[i] with bit i%64 of mask[i/64] set.
	// len(mask) == ⌈bases.Len()/64⌉.
	MaskSumG1(ctx context.Context, bases Bases, mask []uint64) (G1, error)
	// MaskSumG2 is MaskSumG1 for G2.
	MaskSumG2(ctx context.Context, bases Bases, mask []uint64) (G2, error)
}

// Quotienter computes Groth16's quotient without handing out what lies between.
type Quotienter interface {
	// Quotient replaces a by the coefficients of (a·b - c)/Z, lowest first, where a and b
	// are values over the whole domain of a satisfied system, so c = a∘b row by
	// row. The last coefficient of the n is zero. b is overwritten.
	Quotient(ctx context.Context, a, b []Fr) error
}

// FixedBaser multiplies one base by many scalars: what making a development key
// needs.
type FixedBaser interface {
	// FixedBaseG1 sets out[i] = scalars[i]·base. len(out) == len(scalars).
	FixedBaseG1(ctx context.Context, base G1, scalars []Fr, out []G1) error
	// FixedBaseG2 is FixedBaseG1 for G2.
	FixedBaseG2(ctx context.Context, base G2, scalars []Fr, out []G2) error
}
