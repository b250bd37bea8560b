package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/sealwright/sealwright/host"
	"github.com/sealwright/sealwright/sdk"
)

// exitCode is what the process ends with.
type exitCode int

const (
	exitDone        exitCode = 0
	exitInvalid     exitCode = 1 // the proof or the input is invalid
	exitEnvironment exitCode = 2 // usage, a key, an engine, the disk
	exitNoDaemon    exitCode = 3 // the daemon is not running
	exitDegraded    exitCode = 4 // done, with less than was asked for
	exitNoGPU       exitCode = 5 // no usable GPU
)

// codedError is an error that says how the process ends.
type codedError struct {
	code exitCode
	err  error
}

func (e *codedError) Error() string { return e.err.Error() }
func (e *codedError) Unwrap() error { return e.err }

// answered marks an error that the verb's own answer tells of already.
func answered(code exitCode, format string, args ...any) error {
	return &answeredError{codedError{code, fmt.Errorf(format, args...)}}
}

type answeredError struct{ codedError }

func (e *answeredError) Unwrap() error { return &e.codedError }

// invalid marks an error as the input's or the proof's fault.
func invalid(err error) error { return &codedError{exitInvalid, err} }

// environment marks an error as the machine's fault, or the caller's.
func environment(err error) error { return &codedError{exitEnvironment, err} }

// usage makes an error of wrong use.
func usage(format string, args ...any) error {
	return &codedError{exitEnvironment, fmt.Errorf(format, args...)}
}

// codeOf tells how the process ends for err. A missing device and an interrupt go
// before what a verb says, and what a verb says before what err wraps.
func codeOf(err error) exitCode {
	var coded *codedError
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, sdk.ErrNoDevice):
		return exitNoGPU
	case errors.Is(err, context.Canceled): // by a signal, whatever was going on
		return exitEnvironment
	case errors.As(err, &coded):
		return coded.code
	case errors.Is(err, host.ErrKey), errors.Is(err, host.ErrEngine):
		return exitEnvironment
	case errors.Is(err, sdk.ErrInvalidInput):
		return exitInvalid
	default:
		return exitEnvironment
	}
}
