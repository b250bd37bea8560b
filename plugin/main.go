package plugin

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/sealwright/sealwright/sdk"
	"github.com/sealwright/sealwright/sdk/enginepb"
)

// Main is the main function of an engine with that backend. It does not return.
func Main(backend sdk.Backend) {
	if len(os.Args) > 1 {
		os.Exit(command(backend, os.Args[1:], os.Stdout, os.Stderr))
	}
	if os.Getenv(enginepb.CookieKey) != enginepb.CookieValue {
		os.Exit(byHand(backend, os.Stderr))
	}
	serve(backend)
	os.Exit(0)
}

// command runs what the engine can do by itself and returns the exit status.
func command(backend sdk.Backend, args []string, stdout, stderr io.Writer) int {
	switch {
	case len(args) == 2 && args[0] == enginepb.ProbeCommand && args[1] == "--json",
		len(args) == 1 && args[0] == enginepb.ProbeCommand:
		ctx, stop := context.WithTimeout(context.Background(), probeTimeout)
		defer stop()
		return probe(ctx, backend, len(args) == 2, stdout, stderr)
	case len(args) == 1 && (args[0] == "--version" || args[0] == "version"):
		d := backend.Describe()
		if _, err := fmt.Fprintf(stdout, "%s %s\n", d.Name, version(d)); err != nil {
			return enginepb.ExitUsage
		}
		return 0
	}
	_, _ = fmt.Fprintf(stderr, "%s: unknown arguments %q; expected \"probe\" or \"probe --json\"\n", program(), args)
	return enginepb.ExitUsage
}

// byHand tells somebody who started the engine in a shell what it is.
func byHand(backend sdk.Backend, stderr io.Writer) int {
	_, _ = fmt.Fprintf(stderr, "%s is the %s proving engine of Sealwright: sealwright starts it (prove --engine %s); "+
		"by hand it only lists its devices (%s probe).\n", program(), backend.Describe().Name, os.Args[0], program())
	return enginepb.ExitUsage
}

func program() string { return filepath.Base(os.Args[0]) }
