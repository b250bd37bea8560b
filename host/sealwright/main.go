// Command sealwright proves Filecoin seal commitments beside a miner: it checks
// an input, has an engine process prove it, verifies the proof and returns it.
//
// Exit codes: 0 done; 1 proof or input invalid; 2 usage or environment; 3 daemon
// not running; 4 degraded; 5 no usable GPU.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// version is the build's, set by the linker.
var version = "unknown"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	code := newApp(os.Stdout, os.Stderr).run(ctx, os.Args)
	stop()
	os.Exit(int(code))
}
