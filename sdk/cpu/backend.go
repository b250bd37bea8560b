package cpu

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/sealwright/sealwright/sdk"
)

// DeviceID is the id of the one device there is.
const DeviceID = "cpu"

// Backend implements sdk.Backend for the processor. The zero value is ready.
type Backend struct{}

// New returns the backend.
func New() *Backend { return &Backend{} }

// Describe implements sdk.Backend.
func (*Backend) Describe() sdk.Description {
	return sdk.Description{
		Name:     "cpu",
		Vendor:   "Sealwright",
		Version:  "1",
		Features: []string{"mask-sum", "quotient", "fixed-base"},
	}
}

// Devices implements sdk.Backend: one device, always there. Its MemoryBytes is
// 0, since it has no memory of its own: host memory is the host's to count and
// to hand out.
func (*Backend) Devices(context.Context) ([]sdk.DeviceInfo, error) {
	return []sdk.DeviceInfo{{ID: DeviceID, Name: processorName(), Kind: "cpu"}}, nil
}

// Open implements sdk.Backend.
func (*Backend) Open(ctx context.Context, cfg sdk.DeviceConfig) (sdk.Device, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return Open(cfg)
}

// Open readies the processor as a device, for vendors who embed it. cfg.Buffers
// must be set; cfg.Progress may be nil.
func Open(cfg sdk.DeviceConfig) (*Device, error) {
	switch {
	case cfg.ID != "" && cfg.ID != DeviceID:
		return nil, fmt.Errorf("%w: open device %q: the only one is %q", sdk.ErrNoDevice, cfg.ID, DeviceID)
	case cfg.Buffers == nil:
		return nil, fmt.Errorf("%w: open device: Buffers is nil", sdk.ErrInvalidInput)
	case cfg.Threads < 0:
		return nil, fmt.Errorf("%w: open device: Threads is %d, want 0 or more", sdk.ErrInvalidInput, cfg.Threads)
	case cfg.DeviceBytes < 0:
		return nil, fmt.Errorf("%w: open device: DeviceBytes is %d, want 0 or more", sdk.ErrInvalidInput, cfg.DeviceBytes)
	}
	threads := cfg.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	return &Device{
		buffers:  cfg.Buffers,
		progress: cfg.Progress,
		budget:   cfg.DeviceBytes,
		threads:  threads,
		slots:    make(chan struct{}, threads),
	}, nil
}

// processorName returns the model's name as Linux knows it, or the architecture
// where it doesn't.
func processorName() string {
	file, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		key, value, found := strings.Cut(lines.Text(), ":")
		if found && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
