package main

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/sealwright/sealwright/host"
	"github.com/sealwright/sealwright/sdk"
)

func TestExitCodes(t *testing.T) {
	plain := errors.New("plain")
	for _, c := range []struct {
		err  error
		want exitCode
	}{
		{nil, exitDone},
		{plain, exitEnvironment},
		{invalid(plain), exitInvalid},
		{environment(plain), exitEnvironment},
		{usage("wrong"), exitEnvironment},
		{fmt.Errorf("a: %w", invalid(plain)), exitInvalid},
		{errors.Join(invalid(plain), environment(plain)), exitInvalid},
		{answered(exitInvalid, "told"), exitInvalid},
		{fmt.Errorf("check: %w", sdk.ErrInvalidInput), exitInvalid},
		{fmt.Errorf("%w: %w", host.ErrKey, sdk.ErrInvalidInput), exitEnvironment},
		{&host.EngineError{Class: host.ExitWrongProof, Reason: "gave a wrong proof"}, exitEnvironment},
		{fmt.Errorf("%w: %w", host.ErrEngine, sdk.ErrNoDevice), exitNoGPU},
		{context.Canceled, exitEnvironment},
		{invalid(fmt.Errorf("check: %w", context.Canceled)), exitEnvironment},
	} {
		if got := codeOf(c.err); got != c.want {
			t.Errorf("%v: %d, want %d", c.err, got, c.want)
		}
	}
}

func TestErrorsAreOneLine(t *testing.T) {
	if got := oneLine("a\n\tb  c\n"); got != "a b c" {
		t.Errorf("%q", got)
	}
}
