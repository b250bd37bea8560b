package sdk

import "errors"

// What a Backend or Device says went wrong, wrapped with %w around the detail.
// The host chooses between retry, restart and refusal by these alone.
var (
	// ErrNoDevice: there is no usable device; the text says why.
	ErrNoDevice = errors.New("no usable device")
	// ErrOutOfMemory: device or host memory did not suffice. The device stays
	// usable and a smaller call may succeed.
	ErrOutOfMemory = errors.New("out of memory")
	// ErrDeviceLost: the device will not answer again in this process; the
	// engine answers, exits and is restarted.
	ErrDeviceLost = errors.New("device lost")
	// ErrUnsupported: the device does not do this at all.
	ErrUnsupported = errors.New("unsupported")
	// ErrInvalidInput: the caller's data is wrong; trying again is no use.
	ErrInvalidInput = errors.New("invalid input")
)
