package host

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"
)

// Options say how a host proves. Only EnginePath must be set.
type Options struct {
	// EnginePath is the engine's binary.
	EnginePath string
	// ParamsDir is the folder of key files; empty: FIL_PROOFS_PARAMETER_CACHE, else
	// where filecoin-proofs has them.
	ParamsDir string
	// DevKeyLabel takes the development key of that label in place of the published
	// key. Proofs under it are worth nothing on a network: INSECURE.
	DevKeyLabel string

	DeviceID    string // empty: the engine's first
	HostBytes   int64  // large memory of the engine; 0: no limit
	DeviceBytes int64  // memory on the device; 0: no limit
	Threads     int    // host threads of the engine; 0: all
	Permits     int    // partitions before the device has them; 0: 1
	Policy      string // of the engine's device channel; empty: the default

	// Report, where set, is told each report of an engine, one at a time. It must
	// return soon and not close the host.
	Report func(EngineReport)
	// ReportEvery is the most that lies between two reports; 0: a second. An engine
	// reports at each change of its pipeline besides.
	ReportEvery time.Duration
	// HungAfter is how long an engine's device may compute without finishing an
	// operation before the engine is given up; 0: 5 minutes.
	HungAfter time.Duration

	// Blinding, where set, makes proofs with the fixed r and s that are derived from
	// this name, as reference vectors have them. Such proofs are not zero-knowledge:
	// INSECURE, for tests only.
	Blinding string

	// RunDir is where the host makes its private folder for sockets; empty: the
	// user's runtime folder, else that of temporary files.
	RunDir string
	// Logger takes the host's and the engine's log; nil: slog.Default.
	Logger *slog.Logger
}

// Validate names the field that is wrong.
func (o Options) Validate() error {
	switch {
	case o.EnginePath == "":
		return errors.New("check host options: EnginePath is empty, expected the path of an engine binary")
	case o.HostBytes < 0:
		return fmt.Errorf("check host options: HostBytes is %d, expected at least 0", o.HostBytes)
	case o.DeviceBytes < 0:
		return fmt.Errorf("check host options: DeviceBytes is %d, expected at least 0", o.DeviceBytes)
	case o.Threads < 0:
		return fmt.Errorf("check host options: Threads is %d, expected at least 0", o.Threads)
	case o.Permits < 0:
		return fmt.Errorf("check host options: Permits is %d, expected at least 0", o.Permits)
	case o.HungAfter < 0:
		return fmt.Errorf("check host options: HungAfter is %s, expected at least 0", o.HungAfter)
	case o.ReportEvery < 0:
		return fmt.Errorf("check host options: ReportEvery is %s, expected at least 0", o.ReportEvery)
	case strings.ContainsAny(o.DevKeyLabel, "\n\r"):
		return errors.New("check host options: DevKeyLabel has a line break")
	}
	return nil
}
