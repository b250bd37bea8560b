package host

import "fmt"

// SlotState is where a slot, the host's place for an engine, stands.
type SlotState uint8

// The states of a slot.
const (
	SlotIdle        SlotState = iota + 1 // no engine was asked for yet
	SlotStarting                         // the process starts
	SlotConfiguring                      // the device is opened
	SlotTesting                          // the self-test runs
	SlotReady                            // takes work
	SlotDraining                         // takes no more work
	SlotDead                             // the last engine has died; the next job starts another
	SlotBackingOff                       // the next start waits
	SlotDisabled                         // too many deaths
	SlotClosed                           // the host is closed
)

var slotStateNames = [...]string{
	SlotIdle: "idle", SlotStarting: "starting", SlotConfiguring: "configuring", SlotTesting: "testing", SlotReady: "ready",
	SlotDraining: "draining", SlotDead: "dead", SlotBackingOff: "backing off", SlotDisabled: "disabled", SlotClosed: "closed",
}

// String returns the state's name.
func (s SlotState) String() string {
	if int(s) < len(slotStateNames) && slotStateNames[s] != "" {
		return slotStateNames[s]
	}
	return fmt.Sprintf("SlotState(%d)", uint8(s))
}

// ExitClass says how an engine's life ended.
type ExitClass uint8

// The classes of death.
const (
	ExitClean      ExitClass = iota + 1 // as asked, or with status 0
	ExitStart                           // it could not be executed
	ExitHandshake                       // it is no engine, or did not answer in time
	ExitVersion                         // it speaks another major version
	ExitPanic                           // it ended itself with an error
	ExitSignal                          // a signal ended it
	ExitHostMemory                      // the kernel ended it for memory
	ExitDeviceLost                      // its device was lost
	ExitHung                            // it made no progress and was ended
	ExitWrongProof                      // it computes wrongly: a proof that does not verify, a failed self-test
)

var exitClassNames = [...]string{
	ExitClean: "clean", ExitStart: "start", ExitHandshake: "handshake", ExitVersion: "version", ExitPanic: "panic",
	ExitSignal: "signal", ExitHostMemory: "host memory", ExitDeviceLost: "device lost", ExitHung: "hung",
	ExitWrongProof: "wrong proof",
}

// String returns the class's name.
func (c ExitClass) String() string {
	if int(c) < len(exitClassNames) && exitClassNames[c] != "" {
		return exitClassNames[c]
	}
	return fmt.Sprintf("ExitClass(%d)", uint8(c))
}
