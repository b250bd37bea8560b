package main

import (
	"context"
	"os/exec"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/sealwright/sealwright/host/cuzkpb"
)

// scriptDaemon is the daemon of a script, in a process of its own.
type scriptDaemon struct{ cmd *exec.Cmd }

type scriptDaemonKey struct{}

// startDaemon ARG... is `sealwright serve ARG...` in the background; it returns once
// that answers. The daemon ends with the script at the latest.
func startDaemon(ts *testscript.TestScript, _ bool, args []string) {
	path, err := exec.LookPath("sealwright")
	ts.Check(err)
	cmd := exec.Command(path, append([]string{"serve"}, args...)...)
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"PATH", "HOME", "XDG_RUNTIME_DIR", "TMPDIR"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	ts.Check(cmd.Start())
	ts.Value(scriptDaemonKey{}).(*scriptDaemon).cmd = cmd
	ts.Defer(func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	})
	for range 500 {
		if ts.Exec("sealwright", "status") == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	ts.Fatalf("the daemon does not answer")
}

// terminate asks the daemon to end and wants it to have ended well within the
// time that a drain of nothing takes.
func terminate(ts *testscript.TestScript, _ bool, _ []string) {
	cmd := ts.Value(scriptDaemonKey{}).(*scriptDaemon).cmd
	ts.Check(cmd.Process.Signal(syscall.SIGTERM))
	late := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	ts.Check(cmd.Wait())
}

// miner REQUEST OUT sends a request to the daemon as Curio does, and writes the
// proof.
func miner(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: miner REQUEST OUT")
	}
	var m cuzkpb.SubmitProofRequest
	ts.Check(protojson.Unmarshal([]byte(ts.ReadFile(args[0])), &m))
	conn, err := grpc.NewClient("unix://"+ts.Getenv("XDG_RUNTIME_DIR")+"/sealwright/sealwright.sock",
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	ts.Check(err)
	defer func() { _ = conn.Close() }()
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	answer, err := cuzkpb.NewProvingEngineClient(conn).Prove(ctx, &cuzkpb.ProveRequest{Submit: &m})
	ts.Check(err)
	if s := answer.GetResult().GetStatus(); s != cuzkpb.AwaitProofResponse_COMPLETED {
		ts.Fatalf("the job ended with %s: %s", s, answer.GetResult().GetErrorMessage())
	}
	write(ts, args[1], answer.GetResult().GetProof())
}
