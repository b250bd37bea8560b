package host

import (
	"context"
	"fmt"

	"github.com/sealwright/sealwright/sdk"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// wireError is an engine's status with what it means on this side.
type wireError struct {
	doing string
	code  codes.Code
	text  string
	class error // of the sdk's sentinels or context's; nil: ErrEngine
}

// Error implements error: one line.
func (e *wireError) Error() string { return e.doing + ": " + e.text }

// Unwrap returns what errors.Is should find.
func (e *wireError) Unwrap() error { return e.class }

// callError is the one place where an engine's statuses become errors. doing is
// the call in words.
func callError(doing string, err error) error {
	s, ok := status.FromError(err)
	if !ok {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return statusError(doing, s.Code(), s.Message())
}

func statusError(doing string, code codes.Code, text string) error {
	return &wireError{doing: doing, code: code, text: text, class: classOf(code)}
}

func classOf(code codes.Code) error {
	switch code {
	case codes.InvalidArgument:
		return sdk.ErrInvalidInput
	case codes.ResourceExhausted:
		return sdk.ErrOutOfMemory
	case codes.Unimplemented:
		return sdk.ErrUnsupported
	case codes.Aborted:
		return sdk.ErrDeviceLost
	case codes.Canceled:
		return context.Canceled
	case codes.DeadlineExceeded:
		return context.DeadlineExceeded
	}
	return ErrEngine
}

// keyError is callError for loading a key: what the engine calls a failed
// precondition is the key file's fault.
func keyError(doing string, err error) error {
	if s, ok := status.FromError(err); ok && s.Code() == codes.FailedPrecondition {
		return &wireError{doing: doing, code: s.Code(), text: s.Message(), class: ErrKey}
	}
	return callError(doing, err)
}
