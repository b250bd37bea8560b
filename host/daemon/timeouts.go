package daemon

import "time"

// Every wait of the daemon that its caller does not bound.
const (
	dialTimeout       = 2 * time.Second  // to find out whether somebody answers on a socket
	answerTimeout     = 5 * time.Second  // for answers to go out once their jobs have ended
	readHeaderTimeout = 10 * time.Second // of an HTTP request
)
