package main

import (
	"context"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/sealwright/sealwright/plugin/pipeline"
)

// mostSimulated bounds what one call simulates, in partitions over all seeds.
const mostSimulated = 20_000_000

func (a *app) simulateCommand() *cli.Command {
	return &cli.Command{
		Name:  "simulate",
		Usage: "say what a pipeline's limits would cost and hold, by simulation",
		Description: `Runs the engine's own admission rules on a virtual clock: made-up proofs whose stage times are drawn from a mean
and a spread, the same for every policy, or the times of a recorded run. Tells how many partitions are alive at once, how many bytes
they reserve, and how much throughput is lost against a pipeline that memory does not bound.

   sealwright simulate --permits 12 --synthesis 29s --device 3.5s
   sealwright simulate --policy early-release --json
   sealwright simulate --permits 4 --policy bytes-only --budget 64GiB
   sealwright simulate --replay trace.json

Policies: ` + strings.Join(policyNames(), ", ") + `. Layouts: compact (what an engine here reserves), plain (a, b, c and
32 bytes for each private variable, as other provers have them).`,
		Flags: append(loadFlags(),
			&cli.IntFlag{Name: "seeds", Value: 30, Usage: "draw `N` loads and tell the worst of them"},
			&cli.StringFlag{Name: "policy", Value: pipeline.HoldUntilAccepted{}.Name(), Usage: "`POLICY` of the device channel to tell of first"},
			&cli.StringFlag{
				Name: "budget", Usage: "bytes that partitions may reserve, as `SIZE` (default: no limit, but for bytes-only what hold-until-accepted can reserve)",
			},
			&cli.StringFlag{Name: "layout", Value: layoutCompact, Usage: "`LAYOUT` of a partition's memory"},
			&cli.StringFlag{Name: "replay", Usage: "take times and limits from the trace `FILE` of a benchmark; --permits, --policy and --budget change it"},
		),
		Action: a.simulate,
	}
}

// loadFlags describe a load and the places that it goes through.
func loadFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "circuit", Value: "porep-32g", Usage: "`ID` of the circuit: its partitions and their memory"},
		&cli.IntFlag{Name: "permits", Value: 12, Usage: "partitions before the device has them: `N`"},
		&cli.DurationFlag{Name: "synthesis", Value: 29 * time.Second, Usage: "mean `TIME` of a partition's synthesis"},
		&cli.DurationFlag{Name: "device", Value: 3500 * time.Millisecond, Usage: "mean `TIME` on the device"},
		&cli.DurationFlag{Name: "finish", Value: 500 * time.Millisecond, Usage: "mean `TIME` of the finish stage"},
		&cli.FloatFlag{Name: "spread", Value: 0.3, Usage: "standard deviation of the times over their mean: `X`"},
		&cli.IntFlag{Name: "device-workers", Value: 1, Usage: "partitions on the device at once: `N`"},
		&cli.IntFlag{Name: "finish-slots", Usage: "partitions in the finish stage at once: `N` (default: one a device worker)"},
		&cli.IntFlag{Name: "count", Value: 20, Usage: "proofs to make: `N`"},
		&cli.IntFlag{Name: "concurrency", Value: 15, Usage: "proofs at a time: `N`"},
	}
}

func policyNames() []string {
	var names []string
	for _, p := range pipeline.Policies() {
		names = append(names, p.Name())
	}
	return names
}

const (
	layoutCompact = "compact"
	layoutPlain   = "plain"
)

func (a *app) simulate(ctx context.Context, cmd *cli.Command) error {
	if path := cmd.String("replay"); path != "" {
		return a.replay(cmd, path)
	}
	limits, err := readLimits(cmd)
	if err != nil {
		return err
	}
	draws, err := a.readDraws(ctx, cmd)
	if err != nil {
		return err
	}
	seeds := cmd.Int("seeds")
	if seeds < 1 || seeds > mostSimulated/(draws.Jobs*draws.Partitions) {
		return usage("--seeds: found %d, want 1 to %d for so many proofs", seeds, mostSimulated/(draws.Jobs*draws.Partitions))
	}
	r := &simulateResult{Circuit: cmd.String("circuit"), Layout: cmd.String("layout"), Seeds: seeds, Load: loadOf(&draws)}
	for _, policy := range pipeline.Policies() {
		of := limitsFor(limits, policy, draws.Need)
		comparison, err := pipeline.Compare(of, draws, seeds)
		if err != nil {
			return usage("simulate %s: %w", policy.Name(), err)
		}
		row := policyRow(comparison)
		r.Policies = append(r.Policies, row)
		if policy == limits.Policy {
			r.policyResult = row
		}
	}
	return a.print(r)
}

// limitsFor returns the limits under which a policy is compared: bytes-only has
// no other bound, so without a budget it gets the default policy's bytes; early
// release knows none.
func limitsFor(limits pipeline.Limits, policy pipeline.Policy, need pipeline.Need) pipeline.Limits {
	limits.Policy = policy
	switch {
	case policy.EarlyRelease():
		limits.Budget = 0
	case limits.Budget == 0 && policy == pipeline.Policy(pipeline.BytesOnly{}):
		bounded := limits
		bounded.Policy = pipeline.HoldUntilAccepted{}
		limits.Budget, _ = bounded.BytesBound(need)
	}
	return limits
}
