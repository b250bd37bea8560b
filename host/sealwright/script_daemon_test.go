package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
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

// terminate [REQUEST OUT] asks the daemon to end, with that request running where
// one is named, and wants the proof all the same and a good end.
func terminate(ts *testscript.TestScript, _ bool, args []string) {
	answered := make(chan error, 1)
	if len(args) == 2 {
		socket, request := daemonSocket(ts), ts.ReadFile(args[0])
		go func() {
			proof, err := callMiner(socket, request)
			if err == nil {
				err = os.WriteFile(ts.MkAbs(args[1]), proof, 0o600)
			}
			answered <- err
		}()
		waitForJob(ts)
	} else {
		answered <- nil
	}
	cmd := ts.Value(scriptDaemonKey{}).(*scriptDaemon).cmd
	ts.Check(cmd.Process.Signal(syscall.SIGTERM))
	late := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	ts.Check(<-answered)
	ts.Check(cmd.Wait())
}

// waitForJob returns once a job runs.
func waitForJob(ts *testscript.TestScript) {
	for range 500 {
		if ts.Exec("sealwright", "status", "--json") == nil && strings.Contains(ts.ReadFile("stdout"), `"running":1`) {
			return
		}
		time.Sleep(time.Millisecond)
	}
	ts.Fatalf("no job runs")
}

// miner REQUEST OUT sends a request to the daemon as Curio does, and writes the
// proof.
func miner(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: miner REQUEST OUT")
	}
	proof, err := callMiner(daemonSocket(ts), ts.ReadFile(args[0]))
	ts.Check(err)
	write(ts, args[1], proof)
}

func daemonSocket(ts *testscript.TestScript) string {
	return ts.Getenv("XDG_RUNTIME_DIR") + "/sealwright/sealwright.sock"
}

func callMiner(socket, request string) ([]byte, error) {
	var m cuzkpb.SubmitProofRequest
	if err := protojson.Unmarshal([]byte(request), &m); err != nil {
		return nil, err
	}
	conn, err := grpc.NewClient("unix://"+socket, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }()
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	answer, err := cuzkpb.NewProvingEngineClient(conn).Prove(ctx, &cuzkpb.ProveRequest{Submit: &m})
	if err != nil {
		return nil, err
	}
	if s := answer.GetResult().GetStatus(); s != cuzkpb.AwaitProofResponse_COMPLETED {
		return nil, fmt.Errorf("the job ended with %s: %s", s, answer.GetResult().GetErrorMessage())
	}
	return answer.GetResult().GetProof(), nil
}
