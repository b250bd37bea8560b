package pipeline

import "fmt"

// ID names a partition in a Machine; later ones are greater.
type ID uint64

// State is where a partition stands.
type State uint8

// The states in their order. Each holds the place named beside it.
const (
	Waiting     State = iota + 1 // nothing yet
	Synthesis                    // a permit; being synthesized
	Synthesized                  // a permit; the device channel has not accepted it
	Queued                       // a place in the device channel
	OnDevice                     // a device worker; being computed
	Computed                     // a device worker; no finish slot is free
	Finishing                    // a finish slot
	Discarding                   // what it held before; its buffers are being freed
	Proved                       // ended, with its result
	Failed                       // ended by an error
	Cancelled                    // ended by Cancel
	states      = iota + 1
)

var stateNames = [states]string{
	Waiting: "waiting", Synthesis: "synthesis", Synthesized: "synthesized", Queued: "queued", OnDevice: "device",
	Computed: "computed", Finishing: "finish", Discarding: "discarding", Proved: "proved", Failed: "failed",
	Cancelled: "cancelled",
}

// String returns the state's name.
func (s State) String() string {
	if int(s) < len(stateNames) && stateNames[s] != "" {
		return stateNames[s]
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}

// Ended tells whether a partition in this state is gone from the machine.
func (s State) Ended() bool { return s >= Proved }

// running tells whether the driver runs something for a partition in this state.
func (s State) running() bool {
	return s == Synthesis || s == OnDevice || s == Finishing || s == Discarding
}

// Need is a partition's need of large host memory in bytes, as the peak from
// the start of each stage to the start of the next.
type Need struct{ Synthesis, Device, Finish int64 }

// Whole is what is reserved before synthesis.
func (n Need) Whole() int64 { return max(n.Synthesis, n.afterSynthesis()) }

func (n Need) afterSynthesis() int64 { return max(n.Device, n.Finish) }

// partition is what the machine knows of one.
type partition struct {
	id        ID
	priority  Priority
	passed    int
	need      Need
	reserved  int64
	state     State
	cancelled bool
	admitted  bool // counted as alive

	permit, channel, worker, slot bool // the places it holds
}

func (p *partition) urgency() int { return int(p.priority) + p.passed/overtakes }

// Action is what the machine asks of its driver: to note that a partition has
// moved to a state and to run what that state runs (synthesis, the device stage,
// the finish stage, discarding), or, with Interrupt, to hurry the stage that runs.
type Action struct {
	ID        ID
	To        State
	Interrupt bool
}
