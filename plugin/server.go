package plugin

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/sealwright/sealwright/sdk"
	"github.com/sealwright/sealwright/sdk/enginepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
)

// server is sealwright.engine.v1 over one backend. What it does before it is
// configured is here, the rest is engine's.
type server struct {
	enginepb.UnimplementedEngineServer

	backend sdk.Backend
	log     *slog.Logger
	exit    func(status int) // ends the process
	health  healthServer

	configuring sync.Mutex // held while Configure runs
	mu          sync.Mutex
	engine      *engine // nil before Configure
}

func newServer(backend sdk.Backend, log *slog.Logger, exit func(int)) *server {
	return &server{backend: backend, log: log, exit: exit, health: newHealthServer()}
}

// configured returns the engine, or the error for calls that came too early.
func (s *server) configured() (*engine, error) {
	if e := s.current(); e != nil {
		return e, nil
	}
	return nil, status.Error(codes.FailedPrecondition, "call engine: it is not configured yet")
}

// current returns the engine, nil before Configure.
func (s *server) current() *engine {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.engine
}

// Configure implements enginepb.EngineServer.
func (s *server) Configure(ctx context.Context, req *enginepb.ConfigureRequest) (*enginepb.ConfigureResponse, error) {
	s.configuring.Lock()
	defer s.configuring.Unlock()
	if s.current() != nil {
		return nil, status.Error(codes.FailedPrecondition, "configure engine: it is configured already")
	}
	e, err := openEngine(ctx, s.backend, s.log, req)
	if err != nil {
		return nil, statusOf(err)
	}
	s.mu.Lock()
	s.engine = e
	s.mu.Unlock()
	limits := e.pipeline.Limits()
	s.log.Info("configured", "device", e.info.ID, "permits", limits.Permits, "policy", limits.Policy.Name(),
		"host_bytes", req.GetHostBytes(), "device_bytes", req.GetDeviceBytes(), "insecure_test", req.GetInsecureTest())
	return &enginepb.ConfigureResponse{
		Device: deviceMessage(e.info), Permits: uint32(limits.Permits), Channel: channelMessage(limits.Channel),
		DeviceWorkers: uint32(limits.DeviceWorkers), FinishSlots: uint32(limits.FinishSlots), Policy: limits.Policy.Name(),
	}, nil
}

// Drain implements enginepb.EngineServer.
func (s *server) Drain(ctx context.Context, req *enginepb.DrainRequest) (*enginepb.DrainResponse, error) {
	s.health.set(grpc_health_v1.HealthCheckResponse_NOT_SERVING)
	e := s.current()
	if e == nil { // nothing runs yet
		return &enginepb.DrainResponse{}, nil
	}
	before := e.pipeline.Counts()
	s.log.Info("draining", "alive", before.Alive, "waiting", before.Waiting, "cancel", req.GetCancel())
	if req.GetCancel() {
		e.pipeline.CancelAll()
	}
	if err := e.pipeline.Drain(ctx); err != nil {
		return nil, statusOf(err)
	}
	after := e.pipeline.Counts()
	ended := after.Proved + after.Failed + after.Cancelled - before.Proved - before.Failed - before.Cancelled
	return &enginepb.DrainResponse{Finished: ended}, nil
}

// close frees everything when the host has said goodbye. A device that does not
// let go in time is left to the end of the process.
func (s *server) close() {
	e := s.current()
	if e == nil {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		e.close()
	}()
	select {
	case <-done:
	case <-time.After(closeTimeout):
		s.log.Warn("the device does not let go, exiting without it", "waited", closeTimeout)
	}
}

// lost tells everybody that the device is gone, and ends the process once the
// answer that says so has had time to leave.
func (s *server) lost(e *engine, err error) {
	if !e.setLost(oneLine(err)) {
		return
	}
	s.health.set(grpc_health_v1.HealthCheckResponse_NOT_SERVING)
	s.log.Error("the device is lost, exiting", "error", err)
	time.AfterFunc(lostGrace, func() { s.exit(enginepb.ExitDeviceLost) })
}
