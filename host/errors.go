package host

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"
)

// What a proof fails for, wrapped around the detail. An input that is wrong
// wraps sdk.ErrInvalidInput instead, a missing device sdk.ErrNoDevice.
var (
	// ErrEngine: the engine cannot be started, has died, or broke its contract.
	// The error is an *EngineError where a process was or should have been.
	ErrEngine = errors.New("engine")
	// ErrKey: a key file is missing, damaged or not the one that was asked for.
	ErrKey = errors.New("key")
	// ErrWrongProof: the engine gave a proof that does not verify. It never
	// reaches the caller.
	ErrWrongProof = errors.New("wrong proof")
	// ErrClosed: the host is closed.
	ErrClosed = errors.New("host is closed")
)

// EngineError is the end of an engine's life, or why it never began.
type EngineError struct {
	Class  ExitClass
	Path   string
	PID    int            // 0: no process
	Status int            // exit status; -1 where a signal ended it or none is known
	Signal syscall.Signal // 0: none
	MaxRSS int64          // peak resident memory, bytes
	Age    time.Duration
	Stderr string // the last 8 KiB that it wrote
	Reason string // one line
}

// Error is one line: what happened to which engine, and the last it said.
func (e *EngineError) Error() string {
	var s strings.Builder
	fmt.Fprintf(&s, "engine %s", e.Path)
	if e.PID != 0 {
		fmt.Fprintf(&s, " (pid %d)", e.PID)
	}
	fmt.Fprintf(&s, ": %s", e.Reason)
	if last := lastWords(e.Stderr); last != "" {
		fmt.Fprintf(&s, "; it last said: %s", last)
	}
	return s.String()
}

// Unwrap returns ErrEngine, and ErrWrongProof for a death of that class.
func (e *EngineError) Unwrap() []error {
	if e.Class == ExitWrongProof {
		return []error{ErrEngine, ErrWrongProof}
	}
	return []error{ErrEngine}
}
