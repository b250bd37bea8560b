package daemon

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/sealwright/sealwright/host"
	"github.com/sealwright/sealwright/host/adminpb"
	"github.com/sealwright/sealwright/host/cuzkpb"
	"github.com/sealwright/sealwright/porep"
	"github.com/sealwright/sealwright/porep/registry"
	"github.com/sealwright/sealwright/porep/srs"
)

// verifies tells whether a proof holds for a request under the test's key,
// looked at apart from the daemon.
func verifies(t *testing.T, m *cuzkpb.SubmitProofRequest, proof []byte) error {
	t.Helper()
	keys, err := makeKeys()
	if err != nil {
		t.Fatal(err)
	}
	shape, _ := registry.ShapeOf("wpost-2k")
	source := srs.Source{Dir: keys, DevLabel: "fpref"}
	vk, err := source.VK(shape)
	if err != nil {
		t.Fatal(err)
	}
	key, err := vk.Prepare()
	if err != nil {
		t.Fatal(err)
	}
	number := m.GetRegisteredProof()
	job, err := porep.Parse(t.Context(), porep.KindWindowPoSt, append([][]byte{m.GetRandomness()}, m.GetVanillaProofs()...),
		porep.Claims{RegisteredProof: &number})
	if err != nil {
		t.Fatal(err)
	}
	inputs, err := job.AllPublicInputs()
	if err != nil {
		t.Fatal(err)
	}
	return porep.Verify(key, proof, inputs)
}

func TestProve(t *testing.T) {
	d := serve(t)
	m := request(t, "prove")
	answer, err := d.Prove(t.Context(), &cuzkpb.ProveRequest{Submit: m})
	if err != nil {
		t.Fatal(err)
	}
	r := answer.GetResult()
	if r.GetStatus() != cuzkpb.AwaitProofResponse_COMPLETED || r.GetJobId() != "wdpost-prove" || r.GetErrorMessage() != "" {
		t.Errorf("answer %v", r)
	}
	if err := verifies(t, m, r.GetProof()); err != nil {
		t.Error(err)
	}
	if r.GetTotalMs() == 0 || r.GetGpuComputeMs() == 0 || r.GetTotalMs() < r.GetGpuComputeMs() {
		t.Errorf("times of %v", r)
	}
	again, err := d.AwaitProof(t.Context(), &cuzkpb.AwaitProofRequest{JobId: "wdpost-prove"}) // it is remembered
	if err != nil || !bytes.Equal(again.GetProof(), r.GetProof()) {
		t.Errorf("await: %v, %v", again, err)
	}
	status, err := d.GetStatus(t.Context(), &cuzkpb.GetStatusRequest{})
	if err != nil || status.GetTotalProofsCompleted() != 1 || len(status.GetQueues()) != 2 || len(status.GetGpus()) != 1 {
		t.Errorf("status: %v, %v", status, err)
	}
}

func TestConcurrentCallers(t *testing.T) {
	d := serve(t)
	callers, distinct := 8, 4
	if testing.Short() {
		callers, distinct = 3, 2
	}
	proofs := make([][]byte, callers)
	var group sync.WaitGroup
	for i := range callers {
		m := request(t, fmt.Sprint("input ", i%distinct))
		m.RequestId = fmt.Sprint("caller ", i)
		group.Go(func() {
			answer, err := d.Prove(t.Context(), &cuzkpb.ProveRequest{Submit: m})
			if err != nil {
				t.Error(err)
				return
			}
			proofs[i] = answer.GetResult().GetProof()
			if err := verifies(t, m, proofs[i]); err != nil {
				t.Errorf("caller %d: %v", i, err)
			}
		})
	}
	group.Wait()
}

func TestEqualRequestsShareAJob(t *testing.T) {
	d := serve(t, func(o *Options) { o.Queue.MaxRunning = 1 })
	if _, err := d.SubmitProof(t.Context(), request(t, "before")); err != nil {
		t.Fatal(err)
	}
	first, second := request(t, "shared"), request(t, "shared")
	second.RequestId = "another id"
	a, err := d.SubmitProof(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	b, err := d.SubmitProof(t.Context(), second)
	if err != nil || a.GetJobId() != b.GetJobId() {
		t.Errorf("jobs %v and %v, %v", a, b, err)
	}
	other := request(t, "other") // the same id, other input
	other.RequestId = first.RequestId
	c, err := d.SubmitProof(t.Context(), other)
	if err != nil || c.GetJobId() == a.GetJobId() {
		t.Errorf("jobs %v and %v, %v", a, c, err)
	}
	for _, want := range []struct {
		id string
		of *cuzkpb.SubmitProofRequest
	}{{a.GetJobId(), first}, {"another id", second}, {c.GetJobId(), other}} {
		answer, err := d.AwaitProof(t.Context(), &cuzkpb.AwaitProofRequest{JobId: want.id})
		if err != nil {
			t.Fatal(err)
		}
		if err := verifies(t, want.of, answer.GetProof()); err != nil {
			t.Errorf("%s: %v", want.id, err)
		}
	}
	s, err := d.admin.Status(t.Context(), &adminpb.StatusRequest{})
	if err != nil || s.GetQueue().GetProved() != 3 {
		t.Errorf("status %v, %v: want 3 proofs of 4 requests", s, err)
	}
}

func TestCancel(t *testing.T) {
	d := serve(t, func(o *Options) { o.Queue.MaxRunning = 1 })
	var ids []string
	for i := range 6 {
		s, err := d.SubmitProof(t.Context(), request(t, fmt.Sprint("cancel ", i)))
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, s.GetJobId())
	}
	timeout, err := d.AwaitProof(t.Context(), &cuzkpb.AwaitProofRequest{JobId: ids[5], TimeoutMs: 1})
	if err != nil || timeout.GetStatus() != cuzkpb.AwaitProofResponse_TIMEOUT {
		t.Errorf("await with a short timeout: %v, %v", timeout, err)
	}
	var running int
	for _, id := range slices.Backward(ids) {
		c, err := d.CancelProof(t.Context(), &cuzkpb.CancelProofRequest{JobId: id})
		if err != nil {
			t.Error(err)
		}
		if c.GetWasRunning() {
			running++
		}
	}
	if running > 1 {
		t.Errorf("%d of the cancelled jobs were running, at most one may", running)
	}
	answer, err := d.AwaitProof(t.Context(), &cuzkpb.AwaitProofRequest{JobId: ids[5]})
	if err != nil || answer.GetStatus() != cuzkpb.AwaitProofResponse_CANCELLED {
		t.Errorf("await a cancelled job: %v, %v", answer, err)
	}
	for _, id := range ids {
		if _, err := d.AwaitProof(t.Context(), &cuzkpb.AwaitProofRequest{JobId: id}); err != nil {
			t.Error(err)
		}
	}
	if _, err := d.Prove(t.Context(), &cuzkpb.ProveRequest{Submit: request(t, "after")}); err != nil {
		t.Errorf("prove after the cancels: %v", err)
	}
	waitIdle(t, d)
}

// waitIdle waits until the engine tells that all its counters are back at zero.
func waitIdle(t testing.TB, d *running) {
	t.Helper()
	var r *adminpb.Report
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		s, err := d.admin.Status(t.Context(), &adminpb.StatusRequest{})
		if err != nil {
			t.Fatal(err)
		}
		if r = s.GetEngine().GetReport(); r != nil && r.GetAlive() == 0 && r.GetWaiting() == 0 && !r.GetDeviceBusy() {
			return
		}
	}
	t.Errorf("the engine is not idle: %v", r)
}

func TestRefusals(t *testing.T) {
	d := serve(t)
	broken := request(t, "broken")
	broken.VanillaProofs[1] = broken.VanillaProofs[1][:100]
	for _, c := range []struct {
		name string
		m    *cuzkpb.SubmitProofRequest
		code codes.Code
	}{
		{"nothing", nil, codes.InvalidArgument},
		{"no C1 output", &cuzkpb.SubmitProofRequest{ProofKind: cuzkpb.ProofKind_POREP_SEAL_COMMIT}, codes.InvalidArgument},
		{"C1 is no JSON", &cuzkpb.SubmitProofRequest{ProofKind: cuzkpb.ProofKind_POREP_SEAL_COMMIT, VanillaProof: []byte("{")}, codes.InvalidArgument},
		{"update", &cuzkpb.SubmitProofRequest{ProofKind: cuzkpb.ProofKind_SNAP_DEALS_UPDATE}, codes.Unimplemented},
		{"winning", &cuzkpb.SubmitProofRequest{ProofKind: cuzkpb.ProofKind_WINNING_POST}, codes.Unimplemented},
		{"truncated vanilla proof", broken, codes.InvalidArgument},
		{"long id", &cuzkpb.SubmitProofRequest{RequestId: string(make([]byte, 2000))}, codes.InvalidArgument},
	} {
		if _, err := d.Prove(t.Context(), &cuzkpb.ProveRequest{Submit: c.m}); status.Code(err) != c.code {
			t.Errorf("%s: %v, expected %s", c.name, err, c.code)
		}
	}
	s, err := d.SubmitProof(t.Context(), broken) // checked when its turn comes
	if err != nil {
		t.Fatal(err)
	}
	answer, err := d.AwaitProof(t.Context(), &cuzkpb.AwaitProofRequest{JobId: s.GetJobId()})
	if err != nil || answer.GetStatus() != cuzkpb.AwaitProofResponse_FAILED || answer.GetErrorMessage() == "" {
		t.Errorf("await: %v, %v", answer, err)
	}
	for name, err := range map[string]error{
		"await":  second(d.AwaitProof(t.Context(), &cuzkpb.AwaitProofRequest{JobId: "none"})),
		"cancel": second(d.CancelProof(t.Context(), &cuzkpb.CancelProofRequest{JobId: "none"})),
		"admin":  second(d.admin.Cancel(t.Context(), &adminpb.CancelRequest{JobId: "none"})),
	} {
		if status.Code(err) != codes.NotFound {
			t.Errorf("%s of a job that there is not: %v", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// TestLargeMessages holds that what Curio's clients may send arrives, and that
// more is refused in words.
func TestLargeMessages(t *testing.T) {
	if testing.Short() {
		t.Skip("moves hundreds of MiB")
	}
	d := serve(t)
	for _, c := range []struct {
		bytes int
		code  codes.Code
	}{{130 << 20, codes.InvalidArgument}, {maxMessageBytes - 1<<10, codes.InvalidArgument}, {maxMessageBytes, codes.ResourceExhausted}} {
		m := &cuzkpb.SubmitProofRequest{ProofKind: cuzkpb.ProofKind_POREP_SEAL_COMMIT, VanillaProof: make([]byte, c.bytes)}
		if _, err := d.Prove(t.Context(), &cuzkpb.ProveRequest{Submit: m}); status.Code(err) != c.code {
			t.Errorf("%d bytes: %v, expected %s", c.bytes, err, c.code)
		}
	}
}

func TestQueueFull(t *testing.T) {
	d := serve(t, func(o *Options) { o.Queue.MaxJobs = 1 })
	one, err := d.SubmitProof(t.Context(), request(t, "one"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Prove(t.Context(), &cuzkpb.ProveRequest{Submit: request(t, "two")}); status.Code(err) != codes.ResourceExhausted {
		t.Errorf("a second job: %v", err)
	}
	if _, err := d.CancelProof(t.Context(), &cuzkpb.CancelProofRequest{JobId: one.GetJobId()}); err != nil {
		t.Error(err)
	}
}

func TestPreloadAndEvict(t *testing.T) {
	d := serve(t)
	if _, err := d.PreloadSRS(t.Context(), &cuzkpb.PreloadSrsRequest{CircuitId: "wpost-2k"}); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		s, err := d.GetStatus(t.Context(), &cuzkpb.GetStatusRequest{})
		if err != nil || time.Now().After(deadline) {
			t.Fatalf("the key is not told of: %v, %v", s, err)
		}
		if len(s.GetLoadedSrs()) == 1 && s.GetLoadedSrs()[0].GetCircuitId() == "wpost-2k" && s.GetLoadedSrs()[0].GetSizeBytes() > 0 {
			break
		}
	}
	again, err := d.PreloadSRS(t.Context(), &cuzkpb.PreloadSrsRequest{CircuitId: "wpost-2k"})
	if err != nil || !again.GetAlreadyLoaded() {
		t.Errorf("preload again: %v, %v", again, err)
	}
	for circuit, code := range map[string]codes.Code{"porep-3k": codes.InvalidArgument, "porep-32g": codes.FailedPrecondition} {
		if _, err := d.PreloadSRS(t.Context(), &cuzkpb.PreloadSrsRequest{CircuitId: circuit}); status.Code(err) != code {
			t.Errorf("preload %s: %v, expected %s", circuit, err, code)
		}
	}
	if _, err := d.EvictSRS(t.Context(), &cuzkpb.EvictSrsRequest{CircuitId: "wpost-2k"}); status.Code(err) != codes.Unimplemented {
		t.Errorf("evict: %v", err)
	}
}

func TestDrainLetsJobsEnd(t *testing.T) {
	d := serve(t)
	m := request(t, "drain")
	answered := make(chan error, 1)
	go func() {
		answer, err := d.Prove(t.Context(), &cuzkpb.ProveRequest{Submit: m})
		if err == nil {
			err = verifies(t, m, answer.GetResult().GetProof())
		}
		answered <- err
	}()
	waitRunning(t, d)
	if err := d.end(); err != nil {
		t.Error(err)
	}
	if err := <-answered; err != nil {
		t.Errorf("the caller that waited: %v", err)
	}
	if _, err := os.Lstat(d.socket); !os.IsNotExist(err) {
		t.Errorf("the socket is left: %v", err)
	}
}

func TestDrainHasALimit(t *testing.T) {
	d := serve(t, func(o *Options) { o.DrainTimeout, o.Queue.MaxRunning = 0, 1 })
	answered := make(chan error, 2)
	for _, name := range []string{"one", "two"} {
		go func() {
			_, err := d.Prove(t.Context(), &cuzkpb.ProveRequest{Submit: request(t, name)})
			answered <- err
		}()
	}
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if s, err := d.admin.Status(t.Context(), &adminpb.StatusRequest{}); err == nil && s.GetQueue().GetQueued() == 1 {
			break
		}
	}
	start := time.Now()
	if err := d.end(); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the daemon ended with %v", err)
	}
	for range 2 {
		if err := <-answered; status.Code(err) != codes.Unavailable {
			t.Errorf("a caller got %v", err)
		}
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("the daemon took %s to end", took)
	}
}

// waitRunning waits until a job runs.
func waitRunning(t *testing.T, d *running) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if s, err := d.admin.Status(t.Context(), &adminpb.StatusRequest{}); err == nil && s.GetQueue().GetRunning() > 0 {
			return
		}
	}
	t.Fatal("no job runs")
}

func TestEngineThatCannotStart(t *testing.T) {
	d := serve(t, func(o *Options) { o.Host.EnginePath = "/nonexistent/engine" })
	_, err := d.Prove(t.Context(), &cuzkpb.ProveRequest{Submit: request(t, "no engine")})
	if status.Code(err) != codes.Unavailable {
		t.Errorf("prove: %v", err)
	}
	s, err := d.admin.Status(t.Context(), &adminpb.StatusRequest{})
	if err != nil || s.GetEngine().GetState() != host.SlotDead.String() || s.GetEngine().GetLastDeath() == "" {
		t.Errorf("status %v, %v", s, err)
	}
}
