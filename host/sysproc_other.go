//go:build !linux

package host

import "syscall"

// engineSysProcAttr puts an engine in a process group of its own.
func engineSysProcAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// maxRSSUnit is what the kernel counts a process's peak memory in.
const maxRSSUnit = 1
