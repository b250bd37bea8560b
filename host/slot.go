package host

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/sealwright/sealwright/sdk"
	"github.com/sealwright/sealwright/sdk/enginepb"
)

// slot is the host's place for an engine. One goroutine owns it: it alone
// starts, ends and buries incarnations.
type slot struct {
	h       *Host
	asks    chan chan<- slotAnswer
	condemn chan condemned
	ctx     context.Context // ends with the slot
	stop    context.CancelFunc
	stopped chan struct{}

	mu        sync.Mutex
	state     SlotState
	ready     *incarnation // takes work; nil: none does
	lastDeath *EngineError
	starts    uint64
	deaths    map[ExitClass]uint64
}

type slotAnswer struct {
	alive *incarnation
	err   error
}

// condemned is an incarnation that must not live on, and why.
type condemned struct {
	who *incarnation
	why *EngineError
}

func newSlot(h *Host) *slot {
	s := &slot{
		h: h, asks: make(chan chan<- slotAnswer), condemn: make(chan condemned),
		stopped: make(chan struct{}), state: SlotIdle,
		deaths: make(map[ExitClass]uint64),
	}
	s.ctx, s.stop = context.WithCancel(context.Background())
	go s.run()
	return s
}

// get returns an incarnation that takes work, starting one where there is none.
func (s *slot) get(ctx context.Context) (*incarnation, error) {
	answer := make(chan slotAnswer, 1)
	select {
	case s.asks <- answer:
	case <-s.stopped:
		return nil, ErrClosed
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for engine: %w", context.Cause(ctx))
	}
	select {
	case a := <-answer:
		return a.alive, a.err
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for engine: %w", context.Cause(ctx))
	}
}

// giveUp ends an incarnation that has broken its contract.
func (s *slot) giveUp(who *incarnation, why *EngineError) {
	select {
	case s.condemn <- condemned{who, why}:
	case <-s.stopped:
	}
}

// close ends the slot and its engine, and returns once both are gone.
func (s *slot) close() {
	s.stop()
	<-s.stopped
}

func (s *slot) status() (SlotState, *EngineError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state, s.lastDeath
}

// enter changes the state; in all but SlotReady no engine takes work.
func (s *slot) enter(state SlotState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state, s.ready = state, nil
}

// enterReady is enter for an engine that takes work.
func (s *slot) enterReady(i *incarnation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state, s.ready = SlotReady, i
	s.starts++
}

// enterDead is enter for an engine that has died, or never lived.
func (s *slot) enterDead(why *EngineError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state, s.ready, s.lastDeath = SlotDead, nil, why
	s.deaths[why.Class]++
}

func (s *slot) run() {
	defer close(s.stopped)
	var alive *incarnation
	for {
		var exited <-chan struct{}
		if alive != nil {
			exited = alive.exited()
		}
		select {
		case answer := <-s.asks:
			alive = s.serve(answer, alive)
		case c := <-s.condemn:
			if c.who == alive {
				alive.condemned.Store(c.why)
				s.bury(alive, c.why)
				alive = nil
			}
		case <-exited:
			s.bury(alive, alive.death())
			alive = nil
		case <-s.ctx.Done():
			if alive != nil {
				s.enter(SlotDraining)
				alive.goodbye()
			}
			s.enter(SlotClosed)
			return
		}
	}
}

// serve answers an ask with the living incarnation or a new one.
func (s *slot) serve(answer chan<- slotAnswer, alive *incarnation) *incarnation {
	if alive != nil {
		select {
		case <-alive.exited():
			s.bury(alive, alive.death())
		default:
			answer <- slotAnswer{alive: alive}
			return alive
		}
	}
	alive, err := s.start()
	answer <- slotAnswer{alive, err}
	return alive
}

// bury frees what an incarnation leaves and tells of its death.
func (s *slot) bury(dead *incarnation, why *EngineError) {
	dead.kill()
	s.h.report.Store(nil)
	dead.log.Error("engine died", "class", why.Class.String(), "reason", why.Reason, "signal", int(why.Signal),
		"status", why.Status, "max_rss", why.MaxRSS, "age", why.Age, "stderr", why.Stderr)
	s.enterDead(why)
}

// start starts an engine and readies it for work.
func (s *slot) start() (*incarnation, error) {
	s.enter(SlotStarting)
	i, err := startIncarnation(s.ctx, s.h.options.EnginePath, s.h)
	if err == nil {
		s.enter(SlotConfiguring)
		if err = s.configure(i); err == nil {
			s.enter(SlotTesting)
			err = s.selfTest(i)
		}
		if err != nil {
			err = i.explain(err)
			i.kill()
		}
	}
	if err != nil {
		s.enter(SlotDead)
		if s.ctx.Err() != nil {
			return nil, ErrClosed
		}
		if death := new(EngineError); errors.As(err, &death) {
			s.enterDead(death)
		}
		return nil, err
	}
	i.watch(s.ctx, s.h)
	s.enterReady(i)
	return i, nil
}

// configure opens the engine's device with the host's limits.
func (s *slot) configure(i *incarnation) error {
	ctx, stop := context.WithTimeout(s.ctx, callTimeout)
	defer stop()
	about, err := i.rpc.Describe(ctx, &enginepb.DescribeRequest{})
	if err != nil {
		return callError("describe engine", err)
	}
	if why := about.GetNoDevice(); why != "" {
		return fmt.Errorf("start engine %s: %w: %s", i.path, sdk.ErrNoDevice, why)
	}
	ctx, stop = context.WithTimeout(s.ctx, configureTimeout)
	defer stop()
	o := &s.h.options
	configured, err := i.rpc.Configure(ctx, &enginepb.ConfigureRequest{
		DeviceId: o.DeviceID, HostBytes: o.HostBytes, DeviceBytes: o.DeviceBytes, Threads: uint32(o.Threads),
		Permits: uint32(o.Permits), Policy: o.Policy, InsecureTest: o.Blinding != "",
	})
	if err != nil {
		return callError("configure engine", err)
	}
	i.info = EngineInfo{
		PID: i.pid, Backend: about.GetBackend(), Version: about.GetVersion(), Device: configured.GetDevice().GetName(),
		Permits: int(configured.GetPermits()), Channel: int(configured.GetChannel()), Policy: configured.GetPolicy(),
		DeviceWorkers: int(configured.GetDeviceWorkers()), FinishSlots: int(configured.GetFinishSlots()),
	}
	i.log.Info("engine ready", "backend", about.GetBackend(), "version", about.GetVersion(),
		"device", configured.GetDevice().GetName(), "permits", configured.GetPermits(), "policy", configured.GetPolicy())
	return nil
}

// selfTest has the engine show that its device computes correctly. An engine
// without a self-test is taken at its proofs, which are verified.
func (s *slot) selfTest(i *incarnation) error {
	ctx, stop := context.WithTimeout(s.ctx, selfTestTimeout)
	defer stop()
	answer, err := i.rpc.SelfTest(ctx, &enginepb.SelfTestRequest{})
	if err != nil {
		err = callError("test engine", err)
		if errors.Is(err, sdk.ErrUnsupported) {
			return nil
		}
		return err
	}
	for _, r := range answer.GetResults() {
		if r.GetFailure() != "" {
			return &EngineError{
				Class: ExitWrongProof, Path: i.path, PID: i.pid, Status: -1,
				Reason: fmt.Sprintf("fails its self-test: %s: %s", r.GetName(), r.GetFailure()),
			}
		}
	}
	return nil
}
