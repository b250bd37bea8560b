package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/sealwright/sealwright/host/adminpb"
)

func (a *app) jobsCommand() *cli.Command {
	return &cli.Command{
		Name:  "jobs",
		Usage: "list the jobs of the running daemon",
		Description: `Lists the jobs that run, those that wait in the order in which they came, and the last that ended.

   sealwright jobs
   sealwright jobs --json --socket /run/sealwright/sealwright.sock`,
		Flags: []cli.Flag{socketFlag()},
		Action: func(ctx context.Context, cmd *cli.Command) error {
			return callDaemon(ctx, cmd, func(ctx context.Context, daemon adminpb.AdminClient) error {
				m, err := daemon.Jobs(ctx, &adminpb.JobsRequest{})
				if err != nil {
					return err
				}
				return a.print(jobsResult{m})
			})
		},
	}
}

type jobsResult struct{ *adminpb.JobsResponse }

// MarshalJSON implements json.Marshaler.
func (r jobsResult) MarshalJSON() ([]byte, error) { return json.Marshal(plainMessage(r.JobsResponse)) }

func (r jobsResult) text(w io.Writer) {
	if len(r.GetJobs()) == 0 {
		fmt.Fprintln(w, "no jobs")
		return
	}
	now := time.Now().UnixMilli()
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "JOB\tKIND\tCIRCUIT\tPRIORITY\tSTATE\tPARTITIONS\tWAITED\tRAN\tCALLERS\tERROR")
	for _, j := range r.GetJobs() {
		waited, ran := jobTimes(j, now)
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%d/%d\t%s\t%s\t%d\t%s\n", printable(j.GetId()), j.GetKind(), dash(j.GetCircuitId()), j.GetPriority(),
			j.GetState(), j.GetPartitionsDone(), j.GetPartitions(), waited, ran, j.GetCallers(), printable(oneLine(j.GetError())))
	}
	_ = table.Flush() // to stdout: what a reader that went away misses is no error of ours
}

// jobTimes tells how long a job waited and how long it ran, up to now.
func jobTimes(j *adminpb.Job, now int64) (waited, ran string) {
	end := now
	if j.GetEnded() != 0 {
		end = j.GetEnded()
	}
	if j.GetStarted() == 0 {
		return elapsed(end - j.GetSubmitted()), "-"
	}
	return elapsed(j.GetStarted() - j.GetSubmitted()), elapsed(end - j.GetStarted())
}

func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// printable keeps what a miner names its jobs from steering the terminal.
func printable(text string) string {
	quoted := strconv.Quote(text)
	return quoted[1 : len(quoted)-1]
}

func (a *app) cancelCommand() *cli.Command {
	return &cli.Command{
		Name:  "cancel",
		Usage: "give up a job of the running daemon",
		Description: `Gives up a job: one that waits at once, one that runs at the next partition boundary. Its callers are told.

   sealwright cancel porep-1000-7`,
		Arguments: []cli.Argument{&cli.StringArg{Name: "job", UsageText: "JOB", Required: true}},
		Flags:     []cli.Flag{socketFlag()},
		Action: func(ctx context.Context, cmd *cli.Command) error {
			id := cmd.StringArg("job")
			return callDaemon(ctx, cmd, func(ctx context.Context, daemon adminpb.AdminClient) error {
				m, err := daemon.Cancel(ctx, &adminpb.CancelRequest{JobId: id})
				if err != nil {
					return err
				}
				return a.print(&cancelResult{Job: id, WasRunning: m.GetWasRunning(), State: m.GetState()})
			})
		},
	}
}

type cancelResult struct {
	Job        string `json:"job"`
	WasRunning bool   `json:"was_running"`
	State      string `json:"state"` // before
}

func (r *cancelResult) text(w io.Writer) {
	switch r.State {
	case "queued", "running":
		fmt.Fprintf(w, "cancelled %s, which was %s\n", printable(r.Job), r.State)
	default:
		fmt.Fprintf(w, "%s had ended already: %s\n", printable(r.Job), r.State)
	}
}
