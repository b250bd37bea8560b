package host

import (
	"debug/elf"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/sealwright/sealwright/sdk/enginepb"
)

// death describes the end of a process that has been reaped.
func (i *incarnation) death() *EngineError {
	e := &EngineError{
		Path: i.path, PID: i.pid, Age: time.Since(i.runner.started).Round(time.Millisecond), Stderr: i.stderr.String(),
	}
	state := i.runner.cmd.ProcessState
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		e.MaxRSS = usage.Maxrss * maxRSSUnit
	}
	e.Status = state.ExitCode()
	status, _ := state.Sys().(syscall.WaitStatus)
	switch {
	case status.Signaled():
		e.Class, e.Signal = ExitSignal, status.Signal()
		e.Reason = fmt.Sprintf("killed by signal %d (%s) after %s", int(e.Signal), e.Signal, e.Age)
	case e.Status == 0:
		e.Class, e.Reason = ExitClean, fmt.Sprintf("exited with status 0 after %s", e.Age)
	case e.Status == enginepb.ExitDeviceLost:
		e.Class, e.Reason = ExitDeviceLost, fmt.Sprintf("lost its device after %s", e.Age)
	default:
		e.Class, e.Reason = ExitPanic, fmt.Sprintf("exited with status %d after %s", e.Status, e.Age)
	}
	return e
}

// startError describes why an engine did not come to answer. cause is what
// go-plugin says.
func (i *incarnation) startError(cause error) *EngineError {
	if i.runner.ID() == "" {
		return &EngineError{Class: ExitStart, Path: i.path, Status: -1, Reason: cannotExecute(i.path, cause)}
	}
	e := &EngineError{Class: ExitHandshake, Path: i.path, PID: i.runner.cmd.Process.Pid, Status: -1}
	<-i.runner.exited // go-plugin kills what it cannot speak to
	state := i.runner.cmd.ProcessState
	e.Status, e.Stderr = state.ExitCode(), i.stderr.String()
	said := i.runner.stdout.first()
	switch {
	case strings.Contains(cause.Error(), "incompatible API version"):
		e.Class = ExitVersion
		e.Reason = fmt.Sprintf("speaks major version %s of the engine protocol, expected %d", field(said, 1), enginepb.ProtocolVersion)
	case said != "":
		e.Reason = fmt.Sprintf("is no engine: expected a plugin handshake on stdout, found %.80q", said)
	case strings.Contains(cause.Error(), "timeout"):
		e.Reason = fmt.Sprintf("did not shake hands within %s", startTimeout)
	default:
		e.Reason = fmt.Sprintf("is no engine: it ended (%s) without a plugin handshake on stdout", state)
	}
	return e
}

// field returns a field of a handshake line.
func field(line string, n int) string {
	if fields := strings.Split(line, "|"); n < len(fields) {
		return fields[n]
	}
	return "?"
}

// checkExecutable says in words what is wrong with an engine's file, before it is
// started.
func checkExecutable(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("there is no such file")
	case err != nil:
		return fmt.Errorf("look at it: %w", err)
	case info.IsDir():
		return errors.New("is a folder, expected an engine binary")
	case info.Mode()&0o111 == 0:
		return fmt.Errorf("is not executable (mode %s)", info.Mode())
	}
	return nil
}

// cannotExecute explains a failed start.
func cannotExecute(path string, cause error) string {
	switch {
	case errors.Is(cause, syscall.ENOEXEC):
		return "cannot be executed: " + whatIsIt(path)
	case errors.Is(cause, fs.ErrNotExist):
		return "cannot be executed: its interpreter or loader is missing"
	}
	return "cannot be executed: " + strings.Join(strings.Fields(cause.Error()), " ")
}

// whatIsIt names the architecture of a binary that the kernel refused.
func whatIsIt(path string) string {
	file, err := elf.Open(path)
	if err != nil {
		return "it is no binary for this system"
	}
	machine := file.Machine
	_ = file.Close()
	return fmt.Sprintf("it was built for %s, this machine is %s/%s", machine, runtime.GOOS, runtime.GOARCH)
}
