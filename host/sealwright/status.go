package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/sealwright/sealwright/host/adminpb"
)

func (a *app) statusCommand() *cli.Command {
	return &cli.Command{
		Name:  "status",
		Usage: "tell how the running daemon stands",
		Description: `Tells of the daemon, its engine with the memory and buffers that it has, and its queue.

   sealwright status
   sealwright status --json --socket /run/sealwright/sealwright.sock`,
		Flags: []cli.Flag{socketFlag()},
		Action: func(ctx context.Context, cmd *cli.Command) error {
			return callDaemon(ctx, cmd, func(ctx context.Context, daemon adminpb.AdminClient) error {
				m, err := daemon.Status(ctx, &adminpb.StatusRequest{})
				if err != nil {
					return err
				}
				return a.print(statusResult{m})
			})
		},
	}
}

type statusResult struct{ *adminpb.StatusResponse }

// MarshalJSON implements json.Marshaler.
func (r statusResult) MarshalJSON() ([]byte, error) {
	return json.Marshal(plainMessage(r.StatusResponse))
}

func (r statusResult) text(w io.Writer) {
	fmt.Fprintf(w, "daemon   version %s, process %d, up %s", r.Version, r.Pid, elapsed(r.UptimeMs))
	if r.Draining {
		fmt.Fprint(w, ", draining")
	}
	q, l := r.GetQueue(), r.GetLimits()
	fmt.Fprintf(w, "\njobs     %d running, %d queued of at most %d; %d proved, %d failed, %d cancelled, %d refused\n",
		q.GetRunning(), q.GetQueued(), l.GetMaxJobs(), q.GetProved(), q.GetFailed(), q.GetCancelled(), q.GetRefused())
	limit := "no limit"
	if l.GetHostBytes() > 0 {
		limit = byteSize(l.GetHostBytes())
	}
	fmt.Fprintf(w, "memory   %s of the engine: %s\n", limit, l.GetHostBytesReason())
	r.engine(w)
}

func (r statusResult) engine(w io.Writer) {
	e := r.GetEngine()
	fmt.Fprintf(w, "engine   %s: %s", e.GetPath(), e.GetState())
	if e.GetPid() != 0 {
		fmt.Fprintf(w, ", process %d, %s %s on %s", e.GetPid(), e.GetBackend(), e.GetVersion(), e.GetDevice())
	}
	fmt.Fprintf(w, "; started %d time(s)", e.GetStarts())
	for _, d := range e.GetDeaths() {
		fmt.Fprintf(w, ", died of %s %d time(s)", d.GetClass(), d.GetCount())
	}
	fmt.Fprintln(w)
	if e.GetLastDeath() != "" {
		fmt.Fprintf(w, "         last death: %s\n", oneLine(e.GetLastDeath()))
	}
	if report := e.GetReport(); report != nil {
		reportText(w, e, report)
	}
}

func reportText(w io.Writer, e *adminpb.Engine, r *adminpb.Report) {
	fmt.Fprintf(w, "pipeline %d alive (peak %d): %d synthesis, %d synthesized, %d queued, %d device, %d finish; %d waiting; permits %d, %s\n",
		r.GetAlive(), r.GetAlivePeak(), r.GetSynthesis(), r.GetSynthesized(), r.GetQueued(), r.GetDevice(), r.GetFinish(),
		r.GetWaiting(), e.GetPermits(), e.GetPolicy())
	fmt.Fprintf(w, "         %d proved, %d failed, %d cancelled; %d device operations; reported %s ago\n",
		r.GetProved(), r.GetFailed(), r.GetCancelled(), r.GetOperations(), elapsed(e.GetReportAgeMs()))
	m := r.GetHostMemory()
	fmt.Fprintf(w, "bytes    reserved %s (peak %s), used %s (peak %s)\n",
		byteSize(m.GetReserved()), byteSize(m.GetReservedPeak()), byteSize(m.GetUsed()), byteSize(m.GetUsedPeak()))
	var buffers []string
	for _, b := range r.GetBuffers() {
		buffers = append(buffers, fmt.Sprintf("%s %d, %s (peak %s)", b.GetKind(), b.GetCount(), byteSize(b.GetBytes()), byteSize(b.GetHighWater())))
	}
	if len(buffers) > 0 {
		fmt.Fprintf(w, "buffers  %s\n", strings.Join(buffers, "; "))
	}
	for _, k := range r.GetKeys() {
		fmt.Fprintf(w, "key      %s: file %s, beside it %s; a partition needs %s\n",
			k.GetCircuitId(), byteSize(k.GetFileBytes()), byteSize(k.GetResidentBytes()), byteSize(k.GetPartitionBytes()))
	}
}

// elapsed writes a time as people read it.
func elapsed(ms int64) string {
	d := time.Duration(ms) * time.Millisecond
	if d > time.Minute {
		return d.Round(time.Second).String()
	}
	return d.Round(100 * time.Millisecond).String()
}
