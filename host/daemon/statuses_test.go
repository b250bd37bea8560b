package daemon

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/sealwright/sealwright/host"
	"github.com/sealwright/sealwright/sdk"
)

func TestStatuses(t *testing.T) {
	for _, c := range []struct {
		err     error
		code    codes.Code
		refused bool
	}{
		{fmt.Errorf("parse C1: %w: byte 3", sdk.ErrInvalidInput), codes.InvalidArgument, true},
		{fmt.Errorf("parse C1: %w: synthetic", sdk.ErrUnsupported), codes.Unimplemented, true},
		{fmt.Errorf("take request: %w", host.ErrQueueFull), codes.ResourceExhausted, false},
		{fmt.Errorf("take request: %w", host.ErrDraining), codes.Unavailable, true},
		{fmt.Errorf("%w: %w", host.ErrJobCancelled, host.ErrDraining), codes.Unavailable, true},
		{&host.EngineError{Class: host.ExitStart, Reason: "there is no such file"}, codes.Unavailable, true},
		{&host.EngineError{Class: host.ExitWrongProof, Reason: "gave a proof"}, codes.Internal, false},
		{fmt.Errorf("start engine: %w", sdk.ErrNoDevice), codes.Unavailable, true},
		{fmt.Errorf("%w: no such file", host.ErrKey), codes.FailedPrecondition, false},
		{fmt.Errorf("prove: %w", sdk.ErrOutOfMemory), codes.ResourceExhausted, false},
		{fmt.Errorf("await: %w", host.ErrNoJob), codes.NotFound, false},
		{fmt.Errorf("wait: %w", context.DeadlineExceeded), codes.DeadlineExceeded, false},
		{fmt.Errorf("wait: %w", context.Canceled), codes.Canceled, false},
		{errors.New("two\nlines"), codes.Internal, false},
	} {
		s := status.Convert(statusOf(c.err))
		if s.Code() != c.code || refused(c.err) != c.refused {
			t.Errorf("%v: %s, refused %t, expected %s, %t", c.err, s.Code(), refused(c.err), c.code, c.refused)
		}
		if s.Message() == "" || s.Message() == "two\nlines" {
			t.Errorf("%v: message %q, expected one line", c.err, s.Message())
		}
	}
	if statusOf(nil) != nil {
		t.Error("no error has a status")
	}
}
