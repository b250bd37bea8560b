package pipeline

import "fmt"

// Unbounded is the capacity of a device channel that bytes alone bound.
const Unbounded = int(^uint(0) >> 1)

// Policy is how permits and the device channel work together.
type Policy interface {
	// Name is the policy's name in configuration and reports.
	Name() string
	// Channel is the capacity of the device channel for that many permits.
	Channel(permits int) int
	// EarlyRelease tells that a permit is given back when synthesis ends. It is
	// unbounded, and served by no engine: simulation alone may use it.
	EarlyRelease() bool
}

// HoldUntilAccepted has a device channel of one place.
type HoldUntilAccepted struct{}

// Name implements Policy.
func (HoldUntilAccepted) Name() string { return "hold-until-accepted" }

// Channel implements Policy.
func (HoldUntilAccepted) Channel(int) int { return 1 }

// EarlyRelease implements Policy.
func (HoldUntilAccepted) EarlyRelease() bool { return false }

// ChannelPermits has a device channel as deep as there are permits.
type ChannelPermits struct{}

// Name implements Policy.
func (ChannelPermits) Name() string { return "channel-permits" }

// Channel implements Policy.
func (ChannelPermits) Channel(permits int) int { return permits }

// EarlyRelease implements Policy.
func (ChannelPermits) EarlyRelease() bool { return false }

// BytesOnly lets bytes alone bound how many synthesized partitions wait for the
// device; permits bound how many are synthesized at once.
type BytesOnly struct{}

// Name implements Policy.
func (BytesOnly) Name() string { return "bytes-only" }

// Channel implements Policy.
func (BytesOnly) Channel(int) int { return Unbounded }

// EarlyRelease implements Policy.
func (BytesOnly) EarlyRelease() bool { return false }

// EarlyRelease is the mistake this package exists to rule out, kept so that a
// simulation can show what it costs.
type EarlyRelease struct{}

// Name implements Policy.
func (EarlyRelease) Name() string { return "early-release" }

// Channel implements Policy.
func (EarlyRelease) Channel(int) int { return 1 }

// EarlyRelease implements Policy.
func (EarlyRelease) EarlyRelease() bool { return true }

// Policies returns all policies, the default first.
func Policies() []Policy {
	return []Policy{HoldUntilAccepted{}, ChannelPermits{}, BytesOnly{}, EarlyRelease{}}
}

// PolicyByName returns the policy of that name; the empty name is the default.
func PolicyByName(name string) (Policy, error) {
	if name == "" {
		return HoldUntilAccepted{}, nil
	}
	for _, p := range Policies() {
		if p.Name() == name {
			return p, nil
		}
	}
	return nil, fmt.Errorf("choose pipeline policy: unknown name %q", name)
}
