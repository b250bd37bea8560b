package main

import (
	"context"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/sealwright/sealwright/plugin/pipeline"
	"github.com/sealwright/sealwright/porep/circuit"
)

// readLimits reads the places that a pipeline has.
func readLimits(cmd *cli.Command) (pipeline.Limits, error) {
	policy, err := pipeline.PolicyByName(cmd.String("policy"))
	if err != nil {
		return pipeline.Limits{}, usage("--policy: found %q, want one of %s", cmd.String("policy"), strings.Join(policyNames(), ", "))
	}
	l := pipeline.Limits{
		Permits: cmd.Int("permits"), DeviceWorkers: cmd.Int("device-workers"), FinishSlots: cmd.Int("finish-slots"), Policy: policy,
	}
	if text := cmd.String("budget"); text != "" {
		if l.Budget, err = parseByteSize("budget", text); err != nil {
			return l, err
		}
	}
	if err := l.Validate(); err != nil {
		return l, usage("%w", err)
	}
	return l, nil
}

// readDraws reads what load is made up, with the circuit's need of memory.
func (a *app) readDraws(ctx context.Context, cmd *cli.Command) (pipeline.Draws, error) {
	d := pipeline.Draws{
		Jobs: cmd.Int("count"), Concurrency: cmd.Int("concurrency"), Spread: cmd.Float("spread"),
		Synthesis: cmd.Duration("synthesis"), Device: cmd.Duration("device"), Finish: cmd.Duration("finish"),
	}
	shape, err := shapeOf(cmd.String("circuit"))
	if err != nil {
		return d, err
	}
	d.Partitions = shape.Partitions
	if d.Jobs < 1 || d.Jobs > mostSimulated/d.Partitions {
		return d, usage("--count: found %d, want 1 to %d", d.Jobs, mostSimulated/d.Partitions)
	}
	if d.Concurrency < 1 {
		return d, usage("--concurrency: found %d, want at least 1", d.Concurrency)
	}
	if !(d.Spread >= 0 && d.Spread <= 3) { // not NaN either
		return d, usage("--spread: found %v, want 0 to 3", d.Spread)
	}
	for _, flag := range []string{"synthesis", "device", "finish"} {
		if t := cmd.Duration(flag); t < 0 || t > 24*time.Hour {
			return d, usage("--%s: found %s, want 0 to 24h", flag, t)
		}
	}
	need, ok := map[string]func(*pipeline.Draws, *circuit.Program){
		layoutCompact: func(d *pipeline.Draws, p *circuit.Program) { d.Need = pipeline.NeedOf(p.Circuit) },
		layoutPlain:   func(d *pipeline.Draws, p *circuit.Program) { d.Need = pipeline.PlainNeedOf(p.Circuit) },
	}[cmd.String("layout")]
	if !ok {
		return d, usage("--layout: found %q, want %s or %s", cmd.String("layout"), layoutCompact, layoutPlain)
	}
	program, err := a.compile(ctx, shape.CircuitID)
	if err != nil {
		return d, err
	}
	need(&d, program)
	return d, nil
}

// compile compiles a circuit and tells of it, as that takes a second.
func (a *app) compile(ctx context.Context, id string) (*circuit.Program, error) {
	t := a.tracker()
	t.begin("compile " + id)
	defer t.end()
	return compileCircuit(ctx, id)
}
