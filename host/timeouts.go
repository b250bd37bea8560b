package host

import "time"

// Every wait of the host that its caller does not bound.
const (
	startTimeout     = time.Minute            // from the start of an engine to its handshake
	callTimeout      = 30 * time.Second       // Describe and other short calls
	configureTimeout = 2 * time.Minute        // opening a device
	selfTestTimeout  = 2 * time.Minute        // the device's self-test
	drainTimeout     = 10 * time.Second       // for partitions that have been cancelled to end
	killTimeout      = 5 * time.Second        // go-plugin's goodbye, 2 s of it for the engine's own exit
	reapTimeout      = 5 * time.Second        // from SIGKILL to the end of the process
	exitGrace        = 2 * time.Second        // from a broken call to the exit status that explains it
	pipeGrace        = 250 * time.Millisecond // from an engine's exit to the end of its output
	watchInterval    = time.Second            // between two reports of an idle engine
	hungAfter        = 5 * time.Minute        // a device that computes and finishes nothing
)

// hungLooks is how often in the time that a device may stand still it is looked
// at.
const hungLooks = 10
