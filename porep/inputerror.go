package porep

import (
	"errors"

	"github.com/sealwright/sealwright/sdk"
)

// inputError makes an error one of the input, sdk.ErrInvalidInput, and leaves its
// text alone.
type inputError struct{ err error }

func (e *inputError) Error() string        { return e.err.Error() }
func (e *inputError) Unwrap() error        { return e.err }
func (e *inputError) Is(target error) bool { return target == sdk.ErrInvalidInput }

// invalid marks err as the input's fault, unless a context ended.
func invalid(err error, ended error) error {
	if err == nil || (ended != nil && errors.Is(err, ended)) {
		return err
	}
	return &inputError{err}
}
