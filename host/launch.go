package host

import (
	"os/exec"
	"runtime"
)

// launchThread starts processes from one operating system thread that lives as
// long as the host: the kernel sends a child its parent-death signal when the
// thread that started it ends, not the process.
type launchThread struct {
	jobs chan func()
}

func newLaunchThread() *launchThread {
	t := &launchThread{jobs: make(chan func())}
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with this goroutine
		for job := range t.jobs {
			job()
		}
	}()
	return t
}

func (t *launchThread) start(cmd *exec.Cmd) error {
	result := make(chan error, 1)
	t.jobs <- func() { result <- cmd.Start() }
	return <-result
}

// stop ends the thread. All that it started must be gone.
func (t *launchThread) stop() { close(t.jobs) }
