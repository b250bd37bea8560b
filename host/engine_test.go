package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"github.com/sealwright/sealwright/sdk/enginepb"
	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// The test binary is also an engine: one that answers from a file and has the
// defect that this variable names.
const defectVariable = "SEALWRIGHT_ENGINE_DEFECT"

const knownProof = "../porep/groth16/testdata/windowpost-2k.p0.proof"

func TestMain(m *testing.M) {
	if os.Getenv(enginepb.CookieKey) == enginepb.CookieValue {
		fakeEngineMain(os.Getenv(defectVariable))
		return
	}
	if spec := os.Getenv(hostHelperVariable); spec != "" {
		hostHelperMain(spec)
		return
	}
	if err := os.Mkdir(testDir, 0o700); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(status int) {
		_ = os.RemoveAll(testDir)
		os.Exit(status)
	}))
}

func fakeEngineMain(defect string) {
	version := enginepb.ProtocolVersion
	switch defect {
	case "garbage":
		fmt.Println("hello, I am no engine")
		time.Sleep(time.Minute)
	case "version":
		version++
	}
	e := &fakeEngine{defect: defect}
	goplugin.Serve(&goplugin.ServeConfig{
		HandshakeConfig:  goplugin.HandshakeConfig{MagicCookieKey: enginepb.CookieKey, MagicCookieValue: enginepb.CookieValue},
		VersionedPlugins: map[int]goplugin.PluginSet{version: {enginepb.PluginSet: fakePlugin{e: e}}},
		GRPCServer: func(opts []grpc.ServerOption) *grpc.Server {
			return grpc.NewServer(append(opts, grpc.MaxRecvMsgSize(enginepb.MaxMessageBytes))...)
		},
		Logger: hclog.NewNullLogger(),
	})
}

type fakePlugin struct {
	goplugin.NetRPCUnsupportedPlugin
	e *fakeEngine
}

func (p fakePlugin) GRPCServer(_ *goplugin.GRPCBroker, s *grpc.Server) error {
	enginepb.RegisterEngineServer(s, p.e)
	return nil
}

func (fakePlugin) GRPCClient(context.Context, *goplugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, errors.ErrUnsupported
}

type fakeEngine struct {
	enginepb.UnimplementedEngineServer
	defect string
}

func (e *fakeEngine) Describe(context.Context, *enginepb.DescribeRequest) (*enginepb.DescribeResponse, error) {
	if e.defect == "no device" {
		return &enginepb.DescribeResponse{Backend: "fake", NoDevice: "no GPU: driver 1.0 is too old"}, nil
	}
	return &enginepb.DescribeResponse{Backend: "fake", Version: "1"}, nil
}

func (e *fakeEngine) Configure(context.Context, *enginepb.ConfigureRequest) (*enginepb.ConfigureResponse, error) {
	if e.defect == "noise" { // more than a pipe holds, on both, in one endless line
		noise := bytes.Repeat([]byte("noise "), 1<<18)
		for _, f := range []*os.File{os.NewFile(1, "stdout"), os.NewFile(2, "stderr")} {
			if _, err := f.Write(noise); err != nil {
				return nil, err
			}
		}
	}
	return &enginepb.ConfigureResponse{Device: &enginepb.Device{Name: "fake"}, Permits: 1}, nil
}

func (e *fakeEngine) SelfTest(context.Context, *enginepb.SelfTestRequest) (*enginepb.SelfTestResponse, error) {
	switch e.defect {
	case "self-test":
		return &enginepb.SelfTestResponse{Results: []*enginepb.SelfTestResult{{Name: "ntt"}, {Name: "msm_g1", Failure: "found x"}}}, nil
	case "no self-test":
		return nil, status.Error(codes.Unimplemented, "no")
	}
	return &enginepb.SelfTestResponse{Results: []*enginepb.SelfTestResult{{Name: "ntt"}}}, nil
}

func (e *fakeEngine) LoadSRS(req *enginepb.LoadSRSRequest, s grpc.ServerStreamingServer[enginepb.LoadSRSUpdate]) error {
	if e.defect == "key" {
		return status.Error(codes.FailedPrecondition, "key x.params: section h, byte 7: expected a point, found a bad point")
	}
	return s.Send(&enginepb.LoadSRSUpdate{Loaded: &enginepb.LoadedSRS{CircuitId: req.GetCircuitId()}})
}

func (e *fakeEngine) Watch(_ *enginepb.WatchRequest, s grpc.ServerStreamingServer[enginepb.WatchResponse]) error {
	report := &enginepb.WatchResponse{Credits: 1, DeviceBusy: e.defect == "stopped device" || e.defect == "slow device"}
	for {
		if err := s.Send(report); err != nil {
			return err
		}
		if e.defect == "slow device" {
			report.Progress++
		}
		select {
		case <-s.Context().Done():
			return nil
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (e *fakeEngine) Drain(ctx context.Context, _ *enginepb.DrainRequest) (*enginepb.DrainResponse, error) {
	if e.defect == "hang in drain" {
		<-ctx.Done()
	}
	return &enginepb.DrainResponse{}, nil
}

func (e *fakeEngine) Prove(s grpc.BidiStreamingServer[enginepb.ProveRequest, enginepb.ProveResponse]) error {
	var received uint64
	var header *enginepb.Header
	for {
		m, err := s.Recv()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case m.GetHeader() != nil:
			header = m.GetHeader()
			if e.defect == "refuse" {
				return status.Error(codes.InvalidArgument, "parse C1: byte 12: no")
			}
		case m.GetChunk() != nil:
			received += uint64(len(m.GetChunk().GetData()))
		case m.GetAssign() != nil:
			var want uint64
			for _, p := range header.GetParts() {
				want += p.GetSize()
			}
			if received != want {
				return status.Errorf(codes.InvalidArgument, "received %d bytes, expected %d", received, want)
			}
			if err := e.answer(s, m.GetAssign().GetPartition()); err != nil {
				return err
			}
		}
	}
}

func (e *fakeEngine) answer(s grpc.BidiStreamingServer[enginepb.ProveRequest, enginepb.ProveResponse], k uint32) error {
	for _, stage := range []enginepb.Stage{enginepb.Stage_STAGE_WAITING, enginepb.Stage_STAGE_SYNTHESIS, enginepb.Stage_STAGE_DEVICE} {
		m := &enginepb.ProveResponse_Progress{Progress: &enginepb.Progress{Partition: k, Stage: stage}}
		if err := s.Send(&enginepb.ProveResponse{Message: m}); err != nil {
			return err
		}
	}
	proof, err := os.ReadFile(knownProof)
	if err != nil {
		return err
	}
	switch e.defect {
	case "hang", "stopped device", "slow device":
		<-s.Context().Done()
		return s.Context().Err()
	case "panic":
		panic("the fake engine broke")
	case "exit":
		os.Exit(0)
	case "device lost":
		os.Exit(enginepb.ExitDeviceLost)
	case "child":
		child := exec.Command("sleep", "60")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			return err
		}
		os.Exit(3)
	case "wrong proof":
		copy(proof[:48], proof[144:]) // C in place of A: well-formed, wrong
	case "torn proof":
		proof = proof[:100]
	case "another partition":
		k += 7
	case "no answer":
		return nil
	case "partition error":
		m := &enginepb.ProveResponse_Error{Error: &enginepb.PartitionError{
			Partition: k, Code: int32(codes.ResourceExhausted), Message: "need 16 GiB, the budget is 8",
		}}
		return s.Send(&enginepb.ProveResponse{Message: m})
	}
	m := &enginepb.ProveResponse_Proof{Proof: &enginepb.PartitionProof{Partition: k, Proof: proof}}
	return s.Send(&enginepb.ProveResponse{Message: m})
}
