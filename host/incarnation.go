package host

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"github.com/hashicorp/go-plugin/runner"
	"github.com/sealwright/sealwright/sdk/enginepb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
)

// incarnation is one life of an engine: a process, started once and never
// reattached, and the connection to it.
type incarnation struct {
	path   string
	pid    int
	log    *slog.Logger
	runner *engineRunner
	plugin *goplugin.Client
	rpc    enginepb.EngineClient
	stderr *tail

	lifeline  *os.File                    // the host's end: the engine exits when it closes
	condemned atomic.Pointer[EngineError] // why the host ended it, if it did

	info     EngineInfo // once it is configured
	still    stillness
	keys     *keyLoads
	dispatch *dispatcher
	stop     context.CancelFunc // ends the watch
}

// lifelineFD is the descriptor that the only extra file of a child has.
const lifelineFD = "3"

// startIncarnation starts the engine at path and shakes hands with it. Errors
// are *EngineError, or ctx's.
func startIncarnation(ctx context.Context, path string, h *Host) (*incarnation, error) {
	i := &incarnation{
		path: path, log: h.log.With("engine", path), stderr: new(tail), keys: newKeyLoads(), dispatch: new(dispatcher),
	}
	if err := checkExecutable(path); err != nil {
		return nil, &EngineError{Class: ExitStart, Path: path, Status: -1, Reason: err.Error()}
	}
	childEnd, err := i.openLifeline()
	if err != nil {
		return nil, err
	}
	defer childEnd.Close()

	cmd := exec.Command(path)
	cmd.ExtraFiles = []*os.File{childEnd}
	cmd.Env = engineEnviron(h.log, lifelineFD)
	cmd.SysProcAttr = engineSysProcAttr()
	i.runner = newEngineRunner(cmd, h.launch)
	i.plugin = goplugin.NewClient(i.clientConfig(h.runDir))
	protocol, err := i.connect(ctx)
	if err != nil {
		i.kill()
		if ctx.Err() != nil {
			return nil, fmt.Errorf("start engine %s: %w", path, context.Cause(ctx))
		}
		return nil, i.startError(err)
	}
	raw, err := protocol.Dispense(enginepb.PluginSet)
	if err != nil {
		i.kill()
		return nil, i.startError(err)
	}
	i.rpc = raw.(enginepb.EngineClient) // of engineClientPlugin, below
	i.pid = cmd.Process.Pid
	i.log = i.log.With("pid", i.pid)
	return i, nil
}

func (i *incarnation) openLifeline() (childEnd *os.File, err error) {
	childEnd, i.lifeline, err = os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make lifeline: %w", err)
	}
	return childEnd, nil
}

func (i *incarnation) clientConfig(runDir string) *goplugin.ClientConfig {
	return &goplugin.ClientConfig{
		HandshakeConfig: goplugin.HandshakeConfig{MagicCookieKey: enginepb.CookieKey, MagicCookieValue: enginepb.CookieValue},
		VersionedPlugins: map[int]goplugin.PluginSet{
			enginepb.ProtocolVersion: {enginepb.PluginSet: engineClientPlugin{}},
		},
		RunnerFunc: func(_ hclog.Logger, spec *exec.Cmd, _ string) (runner.Runner, error) {
			i.runner.cmd.Env = append(i.runner.cmd.Env, spec.Env...)
			return i.runner, nil
		},
		AllowedProtocols: []goplugin.Protocol{goplugin.ProtocolGRPC},
		UnixSocketConfig: &goplugin.UnixSocketConfig{TempDir: runDir},
		StartTimeout:     startTimeout,
		SkipHostEnv:      true,
		Managed:          false,
		Stderr:           i.stderr,
		Logger:           newHclogger(i.log),
	}
}

// connect starts the process and dials it. When ctx ends first the process is
// killed, which ends go-plugin's wait.
func (i *incarnation) connect(ctx context.Context) (goplugin.ClientProtocol, error) {
	stop := context.AfterFunc(ctx, func() { _ = i.runner.Kill(context.Background()) })
	defer stop()
	return i.plugin.Client()
}

// exited is closed when the process is gone.
func (i *incarnation) exited() <-chan struct{} { return i.runner.exited }

// goodbye drains the engine, cancelling what runs, and ends the process. It
// returns once no process is left.
func (i *incarnation) goodbye() {
	ctx, stop := context.WithTimeout(context.Background(), drainTimeout)
	defer stop()
	if _, err := i.rpc.Drain(ctx, &enginepb.DrainRequest{Cancel: true}); err != nil {
		i.log.Debug("drain", "error", err)
	}
	i.kill()
}

// kill ends the process and its group, politely where it can be, and frees what
// the host holds of it.
func (i *incarnation) kill() {
	if i.stop != nil {
		i.stop()
	}
	polite := make(chan struct{})
	go func() {
		defer close(polite)
		i.plugin.Kill()
	}()
	select {
	case <-polite:
	case <-time.After(killTimeout):
	}
	_ = i.lifeline.Close()
	if i.runner.ID() == "" {
		return
	}
	if err := i.runner.Kill(context.Background()); err != nil { // children it left behind, too
		i.log.Warn("kill engine", "error", err)
	}
	select {
	case <-i.exited():
	case <-time.After(reapTimeout):
		i.log.Error("the engine does not end after SIGKILL: its thread hangs in the kernel", "waited", reapTimeout)
	}
	<-polite
}

// explain turns the error of a call into what happened: where the engine was
// condemned or has died, that says more than the broken call.
func (i *incarnation) explain(err error) error {
	var w *wireError
	if !errors.As(err, &w) || w.code != codes.Unavailable && w.code != codes.Canceled {
		return err
	}
	select {
	case <-i.exited():
	case <-time.After(exitGrace):
		return &EngineError{
			Class: ExitHung, Path: i.path, PID: i.pid, Status: -1, Stderr: i.stderr.String(),
			Reason: "does not answer: " + w.text,
		}
	}
	if why := i.condemned.Load(); why != nil {
		return why
	}
	return i.death()
}

// engineClientPlugin makes the client side of the seal-commit plugin.
type engineClientPlugin struct {
	goplugin.NetRPCUnsupportedPlugin
}

// GRPCServer implements goplugin.GRPCPlugin; the server's side is the engine's.
func (engineClientPlugin) GRPCServer(*goplugin.GRPCBroker, *grpc.Server) error {
	return errors.New("serve engine: this is the host's side")
}

// GRPCClient implements goplugin.GRPCPlugin.
func (engineClientPlugin) GRPCClient(_ context.Context, _ *goplugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return enginepb.NewEngineClient(conn), nil
}
