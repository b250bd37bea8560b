package plugin

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/sealwright/sealwright/porep"
	"github.com/sealwright/sealwright/porep/groth16"
	"github.com/sealwright/sealwright/sdk"
	"github.com/sealwright/sealwright/sdk/cpu"
	"github.com/sealwright/sealwright/sdk/enginepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
)

const (
	vectorRegistered = 10 // StackedDrgWindow2KiBV1_1
	vectorBlinding   = "windowpost-2k"
)

// vectorParts is the reference's WindowPoSt of two sectors.
func vectorParts(t *testing.T) [][]byte {
	t.Helper()
	randomness := sha256.Sum256([]byte("fpref/post/randomness"))
	randomness[31] &= 0x3f
	parts := [][]byte{randomness[:]}
	for _, name := range []string{"windowpost-2k.sector101.vanilla.bincode", "windowpost-2k.sector102.vanilla.bincode"} {
		parts = append(parts, readFile(t, "../porep/vanilla/testdata/"+name))
	}
	return parts
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// hostSide is a Prove stream as a host drives it.
type hostSide struct {
	t      *testing.T
	stream enginepb.Engine_ProveClient
}

func startProve(ctx context.Context, t *testing.T, client enginepb.EngineClient) *hostSide {
	t.Helper()
	stream, err := client.Prove(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return &hostSide{t, stream}
}

func header(parts [][]byte) *enginepb.Header {
	h := &enginepb.Header{
		Kind: enginepb.Kind_KIND_WINDOW_POST, RegisteredProof: vectorRegistered, CircuitId: "wpost-2k", Job: "test",
	}
	for _, p := range parts {
		sum := sha256.Sum256(p)
		h.Parts = append(h.Parts, &enginepb.Part{Size: uint64(len(p)), Sha256: sum[:]})
	}
	return h
}

// send sends a message; an engine that has ended the stream says why to recv.
func (h *hostSide) send(m *enginepb.ProveRequest) {
	h.t.Helper()
	if err := h.stream.Send(m); err != nil && !errors.Is(err, io.EOF) {
		h.t.Fatal(err)
	}
}

func (h *hostSide) header(m *enginepb.Header) {
	h.send(&enginepb.ProveRequest{Message: &enginepb.ProveRequest_Header{Header: m}})
}

func (h *hostSide) chunk(part int, data []byte) {
	h.send(&enginepb.ProveRequest{Message: &enginepb.ProveRequest_Chunk{Chunk: &enginepb.Chunk{Part: uint32(part), Data: data}}})
}

func (h *hostSide) assign(k uint32, b *enginepb.FixedBlinding) {
	h.send(&enginepb.ProveRequest{Message: &enginepb.ProveRequest_Assign{Assign: &enginepb.Assign{Partition: k, InsecureBlinding: b}}})
}

func (h *hostSide) input(parts [][]byte) {
	h.header(header(parts))
	for i, p := range parts {
		h.chunk(i, p)
	}
}

// end half-closes and returns the last partition's outcome and the stream's.
func (h *hostSide) end() (*enginepb.PartitionProof, *enginepb.PartitionError, error) {
	h.t.Helper()
	if err := h.stream.CloseSend(); err != nil {
		h.t.Fatal(err)
	}
	var proof *enginepb.PartitionProof
	var failure *enginepb.PartitionError
	for {
		m, err := h.stream.Recv()
		if errors.Is(err, io.EOF) {
			return proof, failure, nil
		}
		if err != nil {
			return proof, failure, err
		}
		if m.GetProof() != nil {
			proof = m.GetProof()
		}
		if m.GetError() != nil {
			failure = m.GetError()
		}
	}
}

func vectorBlindingBytes() *enginepb.FixedBlinding {
	b := groth16.BlindingFromLabel(vectorBlinding, 0)
	r, s := b.R.Bytes(), b.S.Bytes()
	return &enginepb.FixedBlinding{R: reversed(r[:]), S: reversed(s[:])}
}

func reversed(b []byte) []byte {
	out := make([]byte, len(b))
	for i := range b {
		out[len(b)-1-i] = b[i]
	}
	return out
}

func readyEngine(t *testing.T, backend sdk.Backend, req *enginepb.ConfigureRequest) (*server, enginepb.EngineClient, chan int) {
	t.Helper()
	s, conn, exits := serveTest(t, backend)
	client := configure(t, conn, req)
	if _, err := load(t.Context(), client, loadRequest(t)); err != nil {
		t.Fatal(err)
	}
	return s, client, exits
}

func TestProveEqualsTheVector(t *testing.T) {
	s, client, _ := readyEngine(t, cpu.New(), &enginepb.ConfigureRequest{InsecureTest: true, HostBytes: 96 << 20})
	parts := vectorParts(t)
	for _, blinding := range []*enginepb.FixedBlinding{vectorBlindingBytes(), nil} {
		h := startProve(t.Context(), t, client)
		h.input(parts)
		h.assign(0, blinding)
		proof, failure, err := h.end()
		if err != nil || failure != nil {
			t.Fatalf("%v, %v", failure, err)
		}
		want := readFile(t, "../porep/groth16/testdata/windowpost-2k.p0.proof")
		if same := bytes.Equal(proof.GetProof(), want); same != (blinding != nil) {
			t.Errorf("fixed blinding %t: proof %x, the vector's %x", blinding != nil, proof.GetProof(), want)
		}
		verify(t, parts, proof.GetProof())
		if len(proof.GetOps()) < 5 || proof.GetTimes().GetDeviceNs() == 0 {
			t.Errorf("report %v, %v", proof.GetOps(), proof.GetTimes())
		}
	}
	c, b := s.current().pipeline.Counts(), s.current().tracker.Counts()
	t.Logf("partition need %d; reserved peak %d, used peak %d", s.current().key("wpost-2k").need.Need().Whole(), c.ReservedPeak, b.Peak)
	if b.Peak > c.ReservedPeak {
		t.Errorf("%d bytes were used, %d reserved", b.Peak, c.ReservedPeak)
	}
}

func verify(t *testing.T, parts [][]byte, proof []byte) {
	t.Helper()
	registered := uint64(vectorRegistered)
	job, err := porep.Parse(t.Context(), porep.KindWindowPoSt, parts, porep.Claims{RegisteredProof: &registered})
	if err != nil {
		t.Fatal(err)
	}
	inputs, err := job.AllPublicInputs()
	if err != nil {
		t.Fatal(err)
	}
	vk, err := groth16.ParseVerifyingKey(loadRequest(t).GetVk())
	if err != nil {
		t.Fatal(err)
	}
	prepared, err := vk.Prepare()
	if err != nil {
		t.Fatal(err)
	}
	if err := porep.Verify(prepared, proof, inputs); err != nil {
		t.Error(err)
	}
}

func TestProveRefuses(t *testing.T) {
	_, client, _ := readyEngine(t, cpu.New(), &enginepb.ConfigureRequest{HostBytes: 256 << 20})
	parts := vectorParts(t)
	broken := bytes.Clone(parts[2])
	broken[len(broken)/2] ^= 1
	large := bytes.Repeat([]byte("x"), 6<<20) // over gRPC's default of 4 MiB
	for name, c := range map[string]struct {
		drive func(h *hostSide)
		code  codes.Code
		text  string
	}{
		"no header":       {func(h *hostSide) { h.chunk(0, parts[0]) }, codes.InvalidArgument, "expected a header"},
		"nothing":         {func(*hostSide) {}, codes.InvalidArgument, "expected a header"},
		"no key":          {func(h *hostSide) { m := header(parts); m.CircuitId = "porep-2k"; h.header(m) }, codes.FailedPrecondition, `"porep-2k" is not loaded`},
		"no parts":        {func(h *hostSide) { h.header(header(nil)) }, codes.InvalidArgument, "0 parts"},
		"short digest":    {func(h *hostSide) { m := header(parts); m.Parts[1].Sha256 = []byte{1}; h.header(m) }, codes.InvalidArgument, "digest of part 1"},
		"huge part":       {func(h *hostSide) { m := header(parts); m.Parts[1].Size = 1 << 40; h.header(m) }, codes.InvalidArgument, "part 1 of 1099511627776 bytes"},
		"over the budget": {func(h *hostSide) { m := header(parts); m.Parts[1].Size = 200 << 20; h.header(m) }, codes.ResourceExhausted, "the budget is 201326592"},
		"cut short":       {func(h *hostSide) { h.header(header(parts)); h.chunk(0, parts[0][:3]) }, codes.InvalidArgument, "it ends 29 bytes before the end of part 0"},
		"order":           {func(h *hostSide) { h.header(header(parts)); h.chunk(1, parts[1]) }, codes.InvalidArgument, "of part 1, expected"},
		"too long":        {func(h *hostSide) { h.header(header(parts)); h.chunk(0, large) }, codes.InvalidArgument, "a chunk of 6291456 bytes"},
		"early assign":    {func(h *hostSide) { h.header(header(parts)); h.assign(0, nil) }, codes.InvalidArgument, "expected a chunk"},
		"wrong digest": {func(h *hostSide) {
			h.header(header(parts))
			h.chunk(0, bytes.Repeat([]byte{1}, len(parts[0])))
		}, codes.InvalidArgument, "SHA-256 of part 0"},
		"broken proof": {func(h *hostSide) { h.input([][]byte{parts[0], parts[1], broken}) }, codes.InvalidArgument, "sector"},
		"kind": {func(h *hostSide) {
			m := header(parts)
			m.Kind = 99
			h.header(m)
			for i, p := range parts {
				h.chunk(i, p)
			}
		}, codes.Unimplemented, "kind 99"},
		"short prover id": {func(h *hostSide) {
			m := header(parts)
			m.ProverId = []byte{1}
			h.header(m)
			for i, p := range parts {
				h.chunk(i, p)
			}
		}, codes.InvalidArgument, "prover_id has 1 bytes"},
		"partition": {func(h *hostSide) { h.input(parts); h.assign(1, nil) }, codes.InvalidArgument, "partition 1 of 1"},
		"blinding":  {func(h *hostSide) { h.input(parts); h.assign(0, vectorBlindingBytes()) }, codes.FailedPrecondition, "fixed blinding"},
		"twice":     {func(h *hostSide) { h.input(parts); h.assign(0, nil); h.assign(0, nil) }, codes.InvalidArgument, "assigned already"},
		"chunk":     {func(h *hostSide) { h.input(parts); h.chunk(0, parts[0]) }, codes.InvalidArgument, "expected Assign or Cancel"},
	} {
		t.Run(name, func(t *testing.T) {
			h := startProve(t.Context(), t, client)
			h.t = t
			c.drive(h)
			_, _, err := h.end()
			if status.Code(err) != c.code || !strings.Contains(err.Error(), c.text) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, expected %s with %q", err, c.code, c.text)
			}
		})
	}
}

func TestProveCancel(t *testing.T) {
	for _, name := range []string{"message", "drain", "context"} {
		t.Run(name, func(t *testing.T) {
			_, client, _ := readyEngine(t, cpu.New(), &enginepb.ConfigureRequest{})
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			h := startProve(ctx, t, client)
			h.input(vectorParts(t))
			h.assign(0, nil)
			for onDevice := false; !onDevice; {
				m, err := h.stream.Recv()
				if err != nil {
					t.Fatal(err)
				}
				onDevice = m.GetProgress().GetStage() == enginepb.Stage_STAGE_DEVICE
			}
			switch name {
			case "message":
				h.send(&enginepb.ProveRequest{Message: &enginepb.ProveRequest_Cancel{Cancel: &enginepb.Cancel{}}})
			case "drain":
				if _, err := client.Drain(t.Context(), &enginepb.DrainRequest{Cancel: true}); err != nil {
					t.Error(err)
				}
			case "context":
				stop()
				_, err := h.stream.Recv()
				for err == nil {
					_, err = h.stream.Recv()
				}
				if status.Code(err) != codes.Canceled {
					t.Errorf("the stream ended with %v", err)
				}
				return
			}
			proof, failure, err := h.end()
			if err != nil || proof != nil || codes.Code(failure.GetCode()) != codes.Canceled {
				t.Errorf("%v, %v, %v", proof, failure, err)
			}
		})
	}
}

func TestDrainWaitsForWhatRuns(t *testing.T) {
	_, client, _ := readyEngine(t, cpu.New(), &enginepb.ConfigureRequest{})
	h := startProve(t.Context(), t, client)
	h.input(vectorParts(t))
	h.assign(0, nil)
	if _, err := h.stream.Recv(); err != nil { // Ready
		t.Fatal(err)
	}
	if _, err := h.stream.Recv(); err != nil { // acknowledged
		t.Fatal(err)
	}
	answer, err := client.Drain(t.Context(), &enginepb.DrainRequest{})
	if err != nil || answer.GetFinished() != 1 {
		t.Errorf("drain: %v, %v", answer, err)
	}
	if proof, failure, err := h.end(); proof == nil {
		t.Errorf("no proof: %v, %v", failure, err)
	}
	late := startProve(t.Context(), t, client)
	late.input(vectorParts(t))
	if _, _, err := late.end(); status.Code(err) != codes.Unavailable {
		t.Errorf("a job after the drain: %v", err)
	}
}

// brokenDevice is the reference device whose quotient goes wrong.
type brokenDevice struct {
	*cpu.Backend
	quotient func() error
}

func (b brokenDevice) Open(_ context.Context, cfg sdk.DeviceConfig) (sdk.Device, error) {
	d, err := cpu.Open(cfg)
	return &broken{d, b.quotient}, err
}

type broken struct {
	*cpu.Device
	quotient func() error
}

func (b *broken) Quotient(context.Context, []sdk.Fr, []sdk.Fr) error { return b.quotient() }

func TestDeviceLost(t *testing.T) {
	s, client, exits := readyEngine(t, brokenDevice{cpu.New(), func() error { return sdk.ErrDeviceLost }}, &enginepb.ConfigureRequest{})
	h := startProve(t.Context(), t, client)
	h.input(vectorParts(t))
	h.assign(0, nil)
	_, failure, err := h.end()
	if err != nil || codes.Code(failure.GetCode()) != codes.Aborted {
		t.Errorf("%v, %v", failure, err)
	}
	select {
	case got := <-exits:
		if got != enginepb.ExitDeviceLost {
			t.Errorf("exit status %d", got)
		}
	case <-time.After(5 * time.Second):
		t.Error("the engine lives on")
	}
	answer, err := s.health.Check(t.Context(), &grpc_health_v1.HealthCheckRequest{Service: healthService})
	if err != nil || answer.GetStatus() != grpc_health_v1.HealthCheckResponse_NOT_SERVING {
		t.Errorf("health: %v, %v", answer, err)
	}
	if r := s.current().report(); r.GetDeviceLost() == "" || r.GetCredits() != 0 {
		t.Errorf("report %v", r)
	}
}

func TestPanicInTheDeviceStage(t *testing.T) {
	_, client, _ := readyEngine(t, brokenDevice{cpu.New(), func() error { panic("boom") }}, &enginepb.ConfigureRequest{})
	for range 2 { // the engine lives on
		h := startProve(t.Context(), t, client)
		h.input(vectorParts(t))
		h.assign(0, nil)
		_, failure, err := h.end()
		if err != nil || codes.Code(failure.GetCode()) != codes.Internal || !strings.Contains(failure.GetMessage(), "panic: boom") {
			t.Errorf("%v, %v", failure, err)
		}
	}
}
