package plugin

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"sync"
	"sync/atomic"

	"github.com/sealwright/sealwright/plugin/pipeline"
	"github.com/sealwright/sealwright/sdk"
	"github.com/sealwright/sealwright/sdk/enginepb"
)

// engine is an opened device with its memory, its pipeline and its keys.
type engine struct {
	log          *slog.Logger
	info         sdk.DeviceInfo
	device       sdk.Device
	tracker      *pipeline.Tracker
	pipeline     *pipeline.Pipeline
	progress     *sdk.Progress
	insecureTest bool // fixed blinding is honoured

	loading sync.Mutex // held while a key is loaded
	mu      sync.Mutex
	keys    map[string]*circuitKey // by circuit id

	lostWhy atomic.Pointer[string]

	stopLog func() // ends the log of the buffers
}

func openEngine(ctx context.Context, backend sdk.Backend, log *slog.Logger, req *enginepb.ConfigureRequest) (*engine, error) {
	limits, err := limitsOf(req)
	if err != nil {
		return nil, err
	}
	info, err := chooseDevice(ctx, backend, req.GetDeviceId())
	if err != nil {
		return nil, err
	}
	pipe, err := pipeline.New(limits)
	if err != nil {
		return nil, fmt.Errorf("configure engine: %w: %w", sdk.ErrInvalidInput, err)
	}
	e := &engine{
		log: log, info: info, pipeline: pipe, progress: new(sdk.Progress),
		tracker:      pipeline.NewTracker(limits.Budget, follow(log, newHeapLimit(req.GetHostBytes()))),
		insecureTest: req.GetInsecureTest(), keys: make(map[string]*circuitKey),
	}
	e.device, err = backend.Open(ctx, sdk.DeviceConfig{
		ID: info.ID, DeviceBytes: req.GetDeviceBytes(), Threads: int(req.GetThreads()),
		Buffers: e.tracker, Progress: e.progress,
	})
	if err != nil {
		pipe.Close()
		return nil, fmt.Errorf("open device %s: %w", info.ID, err)
	}
	e.stopLog = e.logBuffers()
	return e, nil
}

func limitsOf(req *enginepb.ConfigureRequest) (pipeline.Limits, error) {
	policy, err := pipeline.PolicyByName(req.GetPolicy())
	if err != nil {
		return pipeline.Limits{}, fmt.Errorf("configure engine: %w: %w", sdk.ErrInvalidInput, err)
	}
	if req.GetHostBytes() < 0 || req.GetDeviceBytes() < 0 {
		return pipeline.Limits{}, fmt.Errorf("configure engine: %w: host_bytes is %d, device_bytes is %d, expected at least 0",
			sdk.ErrInvalidInput, req.GetHostBytes(), req.GetDeviceBytes())
	}
	budget := req.GetHostBytes()
	if budget > 0 && budget <= pipeline.ProcessBytes {
		return pipeline.Limits{}, fmt.Errorf("configure engine: %w: host_bytes is %d, the process alone takes %d",
			sdk.ErrOutOfMemory, budget, int64(pipeline.ProcessBytes))
	}
	if budget > 0 {
		budget -= pipeline.ProcessBytes
	}
	return pipeline.Limits{
		Permits: max(1, int(req.GetPermits())), Channel: int(req.GetChannel()), DeviceWorkers: int(req.GetDeviceWorkers()),
		FinishSlots: int(req.GetFinishSlots()), Budget: budget, Policy: policy,
	}, nil
}

// channelMessage returns a channel capacity as the wire has it.
func channelMessage(n int) uint32 { return uint32(min(n, math.MaxUint32)) }

func chooseDevice(ctx context.Context, backend sdk.Backend, id string) (sdk.DeviceInfo, error) {
	devices, err := backend.Devices(ctx)
	if err != nil {
		return sdk.DeviceInfo{}, fmt.Errorf("list devices: %w", err)
	}
	for _, d := range devices {
		if id == "" || d.ID == id {
			return d, nil
		}
	}
	if id == "" {
		return sdk.DeviceInfo{}, fmt.Errorf("choose device: %w", sdk.ErrNoDevice)
	}
	return sdk.DeviceInfo{}, fmt.Errorf("choose device: %w: no device %q, there are %d others", sdk.ErrNoDevice, id, len(devices))
}

// setLost notes why the device is lost and tells whether it is the first time.
func (e *engine) setLost(why string) bool { return e.lostWhy.CompareAndSwap(nil, &why) }

func (e *engine) lost() string {
	if why := e.lostWhy.Load(); why != nil {
		return *why
	}
	return ""
}

// close cancels what runs, then frees the device and the keys.
func (e *engine) close() {
	e.pipeline.Close()
	e.stopLog()
	var errs []error
	errs = append(errs, e.device.Close())
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, k := range e.keys {
		errs = append(errs, k.close())
	}
	clear(e.keys)
	if err := errors.Join(errs...); err != nil {
		e.log.Warn("free device and keys", "error", err)
	}
}
