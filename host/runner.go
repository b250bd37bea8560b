package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/hashicorp/go-plugin/runner"
)

// engineRunner is how go-plugin starts and ends an engine's process here: from
// the launch thread, with output pipes that cannot outlive the process by much,
// ending the whole process group.
type engineRunner struct {
	cmd    *exec.Cmd
	launch *launchThread
	stdout *outputPipe
	stderr *outputPipe

	pid     atomic.Int64  // 0 before the start
	killed  atomic.Bool   // Kill was called, maybe before the start
	exited  chan struct{} // closed when the process is reaped
	waitErr error         // valid once exited is closed
	started time.Time
}

var _ runner.Runner = (*engineRunner)(nil)

func newEngineRunner(cmd *exec.Cmd, launch *launchThread) *engineRunner {
	return &engineRunner{cmd: cmd, launch: launch, exited: make(chan struct{})}
}

// Start implements runner.Runner.
func (r *engineRunner) Start(context.Context) error {
	outW, errW, err := r.openPipes()
	if err != nil {
		return err
	}
	r.cmd.Stdin, r.cmd.Stdout, r.cmd.Stderr = nil, outW, errW
	r.started = time.Now()
	err = r.launch.start(r.cmd)
	_ = errors.Join(outW.Close(), errW.Close()) // the child has its own
	if err != nil {
		r.stdout.close()
		r.stderr.close()
		return err
	}
	r.pid.Store(int64(r.cmd.Process.Pid))
	go r.reap()
	if r.killed.Load() {
		return r.Kill(context.Background())
	}
	return nil
}

func (r *engineRunner) openPipes() (outW, errW *os.File, err error) {
	r.stdout, outW, err = newOutputPipe(true)
	if err != nil {
		return nil, nil, err
	}
	r.stderr, errW, err = newOutputPipe(false)
	if err != nil {
		r.stdout.close()
		return nil, nil, errors.Join(err, outW.Close())
	}
	return outW, errW, nil
}

// reap waits for the process, whoever else still holds its output.
func (r *engineRunner) reap() {
	r.waitErr = r.cmd.Wait()
	close(r.exited)
	time.AfterFunc(pipeGrace, func() {
		r.stdout.close()
		r.stderr.close()
	})
}

// Wait implements runner.Runner.
func (r *engineRunner) Wait(context.Context) error {
	<-r.exited
	return r.waitErr
}

// Kill implements runner.Runner: it ends the process and all of its group, now
// or as soon as it is started.
func (r *engineRunner) Kill(context.Context) error {
	r.killed.Store(true)
	pid := int(r.pid.Load())
	if pid == 0 {
		return nil
	}
	return killGroup(pid, syscall.SIGKILL)
}

// killGroup signals a process group. That it is gone is no error.
func killGroup(pid int, signal syscall.Signal) error {
	if err := syscall.Kill(-pid, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("signal process group %d: %w", pid, err)
	}
	return nil
}

// Stdout implements runner.Runner.
func (r *engineRunner) Stdout() io.ReadCloser { return r.stdout }

// Stderr implements runner.Runner.
func (r *engineRunner) Stderr() io.ReadCloser { return r.stderr }

// Name implements runner.Runner.
func (r *engineRunner) Name() string { return r.cmd.Path }

// ID implements runner.Runner: the pid, empty before the start.
func (r *engineRunner) ID() string {
	if pid := r.pid.Load(); pid != 0 {
		return strconv.FormatInt(pid, 10)
	}
	return ""
}

// Diagnose implements runner.Runner; the host finds its own words.
func (r *engineRunner) Diagnose(context.Context) string { return "" }

// PluginToHost implements runner.AddrTranslator.
func (r *engineRunner) PluginToHost(network, addr string) (string, string, error) {
	return network, addr, nil
}

// HostToPlugin implements runner.AddrTranslator.
func (r *engineRunner) HostToPlugin(network, addr string) (string, string, error) {
	return network, addr, nil
}
