package plugin

import "time"

// Every wait of an engine that its caller does not bound.
const (
	probeTimeout     = 30 * time.Second       // listing devices by hand
	watchInterval    = time.Second            // between two reports, unless the host asks otherwise
	watchMinInterval = 20 * time.Millisecond  // between two reports of changes
	buffersInterval  = 10 * time.Second       // between two BUFFERS lines of a busy engine
	closeTimeout     = 5 * time.Second        // freeing the device when the host says goodbye
	lostGrace        = 500 * time.Millisecond // for the answer to leave before a lost device ends the process
)
