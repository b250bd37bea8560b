package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/sealwright/sealwright/sdk/enginepb"
)

// keyLoads are the proving keys that an incarnation has loaded or loads. Jobs of
// one circuit share a load; a failed one is forgotten.
type keyLoads struct {
	mu    sync.Mutex
	loads map[string]*keyLoad
}

type keyLoad struct {
	done chan struct{}
	err  error
}

func newKeyLoads() *keyLoads { return &keyLoads{loads: make(map[string]*keyLoad)} }

// loadKey has the engine load the proving key of a circuit, or waits for another
// job's load of it.
func (i *incarnation) loadKey(ctx context.Context, req *enginepb.LoadSRSRequest) error {
	i.keys.mu.Lock()
	load, known := i.keys.loads[req.GetCircuitId()]
	if !known {
		load = &keyLoad{done: make(chan struct{})}
		i.keys.loads[req.GetCircuitId()] = load
		go i.runLoad(load, req)
	}
	i.keys.mu.Unlock()
	select {
	case <-load.done:
		return load.err
	case <-ctx.Done():
		return fmt.Errorf("wait for key of %s: %w", req.GetCircuitId(), context.Cause(ctx))
	}
}

// runLoad outlives the job that asked: another may wait for the same key. It
// ends with the engine.
func (i *incarnation) runLoad(load *keyLoad, req *enginepb.LoadSRSRequest) {
	load.err = i.loadSRS(req)
	if load.err != nil {
		i.keys.mu.Lock()
		delete(i.keys.loads, req.GetCircuitId())
		i.keys.mu.Unlock()
	}
	close(load.done)
}

func (i *incarnation) loadSRS(req *enginepb.LoadSRSRequest) error {
	doing := "load key of " + req.GetCircuitId()
	stream, err := i.rpc.LoadSRS(context.Background(), req)
	if err != nil {
		return i.explain(keyError(doing, err))
	}
	loaded := false
	for {
		update, err := stream.Recv()
		switch {
		case errors.Is(err, io.EOF) && loaded:
			return nil
		case errors.Is(err, io.EOF):
			return fmt.Errorf("%s: %w: it ended without loading", doing, ErrEngine)
		case err != nil:
			return i.explain(keyError(doing, err))
		}
		loaded = loaded || update.GetLoaded() != nil
	}
}
