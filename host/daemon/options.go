package daemon

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"time"

	"github.com/sealwright/sealwright/host"
)

// Options say what a daemon serves, and where.
type Options struct {
	// Socket is the path of the unix socket.
	Socket string
	// Metrics is the loopback address that answers GET /metrics over HTTP, such as
	// 127.0.0.1:9830; empty: none.
	Metrics string
	// DrainTimeout is how long running jobs may go on once the daemon is asked to
	// end; then they are cancelled. 0: at once.
	DrainTimeout time.Duration

	Host  host.Options
	Queue host.QueueOptions
	// HostBytesReason tells where Host.HostBytes comes from, for the status.
	HostBytesReason string

	Version string
	Logger  *slog.Logger // nil: slog.Default
}

// Validate names the field that is wrong.
func (o Options) Validate() error {
	if o.Socket == "" {
		return errors.New("check daemon options: Socket is empty, expected a path")
	}
	if o.DrainTimeout < 0 {
		return fmt.Errorf("check daemon options: DrainTimeout is %s, expected at least 0", o.DrainTimeout)
	}
	if o.Host.Blinding != "" {
		return errors.New("check daemon options: Host.Blinding is set: a daemon never makes proofs with fixed blinding")
	}
	if o.Metrics != "" {
		if err := checkLoopback(o.Metrics); err != nil {
			return fmt.Errorf("check daemon options: Metrics: %w", err)
		}
	}
	if err := o.Queue.Validate(); err != nil {
		return err
	}
	return o.Host.Validate()
}

// checkLoopback refuses addresses that others can reach: metrics go in clear
// and to whoever asks.
func checkLoopback(address string) error {
	name, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("found %q, expected a loopback address with a port such as 127.0.0.1:9830", address)
	}
	if name == "localhost" {
		return nil
	}
	if ip, err := netip.ParseAddr(name); err != nil || !ip.IsLoopback() {
		return fmt.Errorf("found %q, expected a loopback address such as 127.0.0.1:9830", address)
	}
	return nil
}
