package host

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"

	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/sdk"
)

// Host proves by an engine in another process. Its methods may be called by many
// goroutines; jobs share the engine, the most urgent first.
type Host struct {
	options Options
	log     *slog.Logger
	keys    verifyingKeys
	runDir  string
	launch  *launchThread
	slot    *slot
	report  atomic.Pointer[EngineReport]                        // the last; nil: no engine runs
	check   func(context.Context, *Request) (*statement, error) // checkRequest, but for tests

	closing sync.Once
}

// New returns a host. The engine is started by Start or by the first job, so
// that a bad input is told as such on a machine that has no engine. Close frees what
// the host holds; ctx bounds New alone.
func New(ctx context.Context, options Options) (*Host, error) {
	if err := options.Validate(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("make host: %w", err)
	}
	runDir, err := makeRunDir(options.RunDir)
	if err != nil {
		return nil, err
	}
	h := &Host{
		options: options, log: options.Logger, runDir: runDir, launch: newLaunchThread(),
		keys: newVerifyingKeys(options.ParamsDir, options.DevKeyLabel), check: checkRequest,
	}
	if h.log == nil {
		h.log = slog.Default()
	}
	if options.DevKeyLabel != "" {
		h.log.Warn("INSECURE: a development key is in use", "label", options.DevKeyLabel)
	}
	if options.Blinding != "" {
		h.log.Warn("INSECURE: blinding is fixed", "name", options.Blinding)
	}
	h.slot = newSlot(h)
	return h, nil
}

// Start starts the engine, if it does not run already, and waits until it takes
// work.
func (h *Host) Start(ctx context.Context) error {
	_, err := h.slot.get(ctx)
	return err
}

// LoadKey has the engine load the proving key of a circuit, if it has not done so
// already, so that the first job need not wait for it.
func (h *Host) LoadKey(ctx context.Context, circuitID string) error {
	shape, ok := registry.ShapeOf(circuitID)
	if !ok {
		return fmt.Errorf("load key: %w: circuit %q is not known", sdk.ErrInvalidInput, circuitID)
	}
	key, err := h.keys.get(shape)
	if err != nil {
		return err
	}
	engine, err := h.slot.get(ctx)
	if err != nil {
		return err
	}
	return engine.loadKey(ctx, key.loadRequest(circuitID, h.options.DevKeyLabel))
}

// State tells where the engine's slot stands, and its last death, nil for none.
func (h *Host) State() (SlotState, *EngineError) { return h.slot.status() }

// Close cancels what runs, ends the engine and removes the host's run folder.
// It returns once no process is left.
func (h *Host) Close() error {
	var err error
	h.closing.Do(func() {
		h.slot.close()
		h.launch.stop()
		if rmErr := os.RemoveAll(h.runDir); rmErr != nil {
			err = fmt.Errorf("remove run folder: %w", rmErr)
		}
	})
	return err
}
