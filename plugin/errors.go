package plugin

import (
	"context"
	"errors"
	"strings"

	"github.com/sealwright/sealwright/plugin/pipeline"
	"github.com/sealwright/sealwright/sdk"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// statusOf is the one place where errors become what crosses the wire.
func statusOf(err error) error {
	if err == nil {
		return nil
	}
	return status.Error(codeOf(err), oneLine(err))
}

func codeOf(err error) codes.Code {
	var budget *pipeline.BudgetError
	var panicked *pipeline.PanicError
	var early *preconditionError
	switch {
	case errors.As(err, &panicked):
		return codes.Internal
	case errors.As(err, &early):
		return codes.FailedPrecondition
	case errors.Is(err, context.Canceled):
		return codes.Canceled
	case errors.Is(err, context.DeadlineExceeded):
		return codes.DeadlineExceeded
	case errors.Is(err, sdk.ErrDeviceLost):
		return codes.Aborted
	case errors.As(err, &budget), errors.Is(err, sdk.ErrOutOfMemory):
		return codes.ResourceExhausted
	case errors.Is(err, sdk.ErrUnsupported):
		return codes.Unimplemented
	case errors.Is(err, sdk.ErrInvalidInput):
		return codes.InvalidArgument
	case errors.Is(err, pipeline.ErrDraining):
		return codes.Unavailable
	case errors.Is(err, sdk.ErrNoDevice):
		return codes.FailedPrecondition
	}
	if s, ok := status.FromError(err); ok {
		return s.Code()
	}
	return codes.Internal
}

// oneLine returns an error's text without line breaks.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// errStreamEnded says that the other side has gone.
var errStreamEnded = errors.New("stream ended")

// preconditionError is an error that the caller must mend before it asks again:
// a wrong key file, a call out of order.
type preconditionError struct{ err error }

// precondition marks an error as one.
func precondition(err error) error { return &preconditionError{err} }

// Error implements error.
func (e *preconditionError) Error() string { return e.err.Error() }

// Unwrap returns what was marked.
func (e *preconditionError) Unwrap() error { return e.err }
