package daemon

import (
	"context"
	"errors"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/sealwright/sealwright/host"
	"github.com/sealwright/sealwright/sdk"
)

// statusOf is the one place where errors become gRPC statuses: one line of text
// and a code.
func statusOf(err error) error {
	if err == nil {
		return nil
	}
	return status.Error(codeOf(err), strings.Join(strings.Fields(err.Error()), " "))
}

func codeOf(err error) codes.Code {
	for _, c := range []struct {
		is   error
		code codes.Code
	}{
		{sdk.ErrInvalidInput, codes.InvalidArgument},
		{sdk.ErrUnsupported, codes.Unimplemented},
		{host.ErrNoJob, codes.NotFound},
		{host.ErrQueueFull, codes.ResourceExhausted},
		{host.ErrDraining, codes.Unavailable},
		{host.ErrClosed, codes.Unavailable},
		{context.DeadlineExceeded, codes.DeadlineExceeded},
		{context.Canceled, codes.Canceled},
		{host.ErrKey, codes.FailedPrecondition},
		{sdk.ErrOutOfMemory, codes.ResourceExhausted},
		{sdk.ErrNoDevice, codes.Unavailable},
		{host.ErrWrongProof, codes.Internal},
		{host.ErrEngine, codes.Unavailable},
	} {
		if errors.Is(err, c.is) {
			return c.code
		}
	}
	return codes.Internal
}

// refused tells whether a failed job's request was no good at all, or could not
// be taken: a caller of Prove gets a status then. Any other failure is the job's
// answer.
func refused(err error) bool {
	switch codeOf(err) {
	case codes.InvalidArgument, codes.Unimplemented, codes.Unavailable:
		return true
	}
	return false
}
