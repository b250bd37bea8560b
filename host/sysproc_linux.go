package host

import "syscall"

// engineSysProcAttr puts an engine in a process group of its own and has the
// kernel end it with the thread that started it: a second belt beside the lifeline.
func engineSysProcAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// maxRSSUnit is what the kernel counts a process's peak memory in.
const maxRSSUnit = 1 << 10
