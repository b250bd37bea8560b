package plugin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/sealwright/sealwright/plugin/pipeline"
	"github.com/sealwright/sealwright/porep/circuit"
	"github.com/sealwright/sealwright/porep/groth16"
	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/porep/srs"
	"github.com/sealwright/sealwright/sdk"
	"github.com/sealwright/sealwright/sdk/enginepb"
	"google.golang.org/grpc"
)

// circuitKey is a circuit with its proving key, ready to prove. It is read-only
// but for the estimate.
type circuitKey struct {
	program *circuit.Program
	file    *srs.File
	layout  *groth16.Layout
	need    *pipeline.Estimate // of one partition
	held    int64              // bytes that the layout keeps and the device works in
	unhold  func()
	took    time.Duration
}

// LoadSRS implements enginepb.EngineServer.
func (s *server) LoadSRS(req *enginepb.LoadSRSRequest, stream grpc.ServerStreamingServer[enginepb.LoadSRSUpdate]) error {
	e, err := s.configured()
	if err != nil {
		return err
	}
	k, err := e.loadKey(stream.Context(), req, func(stage string) error {
		return stream.Send(&enginepb.LoadSRSUpdate{Stage: stage})
	})
	if err != nil {
		return statusOf(err)
	}
	return stream.Send(&enginepb.LoadSRSUpdate{Loaded: k.message()})
}

// key returns a loaded key, or nil.
func (e *engine) key(circuitID string) *circuitKey {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.keys[circuitID]
}

func (e *engine) loadedKeys() []*circuitKey {
	e.mu.Lock()
	defer e.mu.Unlock()
	var keys []*circuitKey
	for _, k := range e.keys {
		keys = append(keys, k)
	}
	return keys
}

// loadKey opens a key and readies its circuit, one at a time; a key that is
// loaded already is returned at once.
func (e *engine) loadKey(ctx context.Context, req *enginepb.LoadSRSRequest, stage func(string) error) (*circuitKey, error) {
	e.loading.Lock()
	defer e.loading.Unlock()
	if k := e.key(req.GetCircuitId()); k != nil {
		if !bytes.Equal(k.file.VKBytes(), req.GetVk()) {
			return nil, precondition(fmt.Errorf("load key of %s: another key of this circuit is loaded", req.GetCircuitId()))
		}
		return k, nil
	}
	start := time.Now()
	k := new(circuitKey)
	if err := k.load(ctx, e, req, stage); err != nil {
		return nil, errors.Join(err, k.close())
	}
	k.took = time.Since(start)
	e.log.Info("key loaded", "circuit", req.GetCircuitId(), "path", req.GetPath(), "bytes", k.file.Size(),
		"dev_label", req.GetDevLabel(), "took", k.took)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.keys[req.GetCircuitId()] = k
	return k, nil
}

// load fills k; what it has taken when it fails is close's to free.
func (k *circuitKey) load(ctx context.Context, e *engine, req *enginepb.LoadSRSRequest, stage func(string) error) error {
	shape, ok := registry.ShapeOf(req.GetCircuitId())
	if !ok {
		return fmt.Errorf("load key: %w: circuit %q is not known here", sdk.ErrUnsupported, req.GetCircuitId())
	}
	if err := stage("map"); err != nil {
		return err
	}
	if err := k.open(ctx, shape, req); err != nil {
		return precondition(err)
	}
	if err := stage("circuit"); err != nil {
		return err
	}
	var err error
	if k.program, err = circuit.Compile(ctx, shape.CircuitID); err != nil {
		return err
	}
	own, worker := pipeline.SplitNeed(k.program.Circuit)
	k.need = pipeline.NewEstimate(own)
	k.held = pipeline.LayoutBytes(k.program.Circuit) + int64(e.pipeline.Limits().DeviceWorkers)*worker
	if k.unhold, err = e.pipeline.Hold(ctx, k.held, k.need.Need().Whole()); err != nil {
		return err
	}
	if err := stage("layout"); err != nil {
		return err
	}
	if k.layout, err = groth16.NewLayout(ctx, k.program.Circuit, e.tracker); err != nil {
		return err
	}
	if err := k.file.Match(k.layout.Counts); err != nil {
		return precondition(err)
	}
	return nil
}

// open maps the key file and checks that it is the one that the host means: by
// its name, by its label or the published digests, and by the verifying key that
// the host will hold the proofs against.
func (k *circuitKey) open(ctx context.Context, shape registry.Shape, req *enginepb.LoadSRSRequest) error {
	name := shape.KeyName + srs.ParamsSuffix
	if base := filepath.Base(req.GetPath()); base != name || shape.KeyName == "" {
		return fmt.Errorf("open key of %s: expected a file named %s, found %s", shape.CircuitID, name, base)
	}
	source := srs.Source{Dir: filepath.Dir(req.GetPath()), DevLabel: req.GetDevLabel()}
	var err error
	if k.file, err = source.Params(ctx, shape); err != nil {
		return err
	}
	if !bytes.Equal(k.file.VKBytes(), req.GetVk()) {
		return fmt.Errorf("open key of %s: %s does not begin with the host's verifying key", shape.CircuitID, req.GetPath())
	}
	return nil
}

// close frees what the key holds. No partition may use it any more.
func (k *circuitKey) close() error {
	if k.layout != nil {
		k.layout.Release()
	}
	if k.unhold != nil {
		k.unhold()
	}
	if k.file == nil {
		return nil
	}
	return k.file.Close()
}

func (k *circuitKey) message() *enginepb.LoadedSRS {
	return &enginepb.LoadedSRS{
		CircuitId: k.program.Circuit.ID, FileBytes: k.file.Size(), ResidentBytes: k.held,
		PartitionBytes: k.need.Need().Whole(), LoadNs: k.took.Nanoseconds(),
	}
}
