package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/sealwright/sealwright/host"
	"github.com/sealwright/sealwright/plugin/pipeline"
)

// sampleEvery is how often the bench looks at the memory of its processes.
const sampleEvery = 50 * time.Millisecond

func (a *app) benchCommand() *cli.Command {
	return &cli.Command{
		Name:  "bench",
		Usage: "measure proofs through a real host and engine: time, memory, buffers",
		Description: `Proves distinct made-up inputs, so many at a time, verifies each, and says what it took: seconds a proof, latency,
stages, memory of both processes. Memory is anonymous and shared pages; those of files, the mapped key, are told apart.

   sealwright bench --kind wpost-2k --count 20 --concurrency 5 --params keys --dev-key fpref
   sealwright bench --sector-size 2KiB --count 6 --concurrency 3 --budget-for 1 --paired --params keys --dev-key fpref
   sealwright bench --c1 c1.json --count 4 --permits 2 --budget 4GiB --trace run.json --plot run.svg

A trace opens in chrome://tracing or ui.perfetto.dev, and replays with simulate --replay.
Ends with 4 where memory passed the budget, or stayed below --want-use of it.`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "c1", Usage: "prove this C1 output `FILE` every time"},
			&cli.StringFlag{Name: "sector-size", Usage: "prove made-up C1 outputs of sectors of this `SIZE`"},
			&cli.StringFlag{Name: "kind", Usage: "prove made-up inputs of this `KIND`: wpost-2k, in seconds"},
			&cli.IntFlag{Name: "count", Value: 20, Usage: "proofs, `N` in all"},
			&cli.IntFlag{Name: "concurrency", Value: 15, Usage: "`N` proofs at a time"},
			&cli.BoolFlag{Name: "paired", Usage: "the same proofs once more without a budget, to compare"},
			&cli.FloatFlag{Name: "want-use", Usage: "want at least this `SHARE` of the budget used, as in 0.7"},
			&cli.StringFlag{Name: "trace", Usage: "write the timeline to `FILE`, as Chrome trace events"},
			&cli.StringFlag{Name: "csv", Usage: "write the samples of memory and counters to `FILE`"},
			&cli.StringFlag{Name: "plot", Usage: "draw them into `FILE`, as SVG"},
		}, limitFlags(), keyFlags(), []cli.Flag{engineFlag()}),
		Action: a.bench,
	}
}

// limitFlags bound the engine.
func limitFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "permits", Value: 1, Usage: "partitions before the device has them, `N` at a time"},
		&cli.StringFlag{Name: "budget", Usage: "large memory of the engine, `BYTES` such as 4GiB; without it no limit"},
		&cli.IntFlag{Name: "budget-for", Usage: "in place of --budget: what `N` partitions in flight need, beside the process, key, device and inputs"},
		&cli.StringFlag{Name: "policy", Usage: "`POLICY` of the device channel: hold-until-accepted, channel-permits, bytes-only"},
		&cli.IntFlag{Name: "threads", Usage: "host threads of the engine, `N`; 0: all"},
	}
}

// bench is one call of the verb.
type bench struct {
	app         *app
	options     host.Options
	inputs      *benchInputs
	need        pipeline.Need // of a partition, as computed
	worker      int64         // bytes that the device's worker needs beside it
	count       int
	concurrency int
}

func (a *app) bench(ctx context.Context, cmd *cli.Command) (err error) {
	b := &bench{app: a, count: cmd.Int("count"), concurrency: min(cmd.Int("concurrency"), cmd.Int("count"))}
	if err := b.read(cmd); err != nil {
		return err
	}
	outs, err := openBenchOuts(cmd)
	if err != nil {
		return err
	}
	defer outs.discard()
	if b.inputs, err = a.makeBenchInputs(ctx, cmd, b.count); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.inputs.remove()) }()
	if err := b.budget(ctx, cmd); err != nil {
		return err
	}
	run, err := b.run(ctx, b.options)
	if err != nil {
		return err
	}
	result := b.result(run)
	if cmd.Bool("paired") {
		free := b.options
		free.HostBytes = 0
		unbounded, err := b.run(ctx, free)
		if err != nil {
			return err
		}
		result.compare(b.result(unbounded))
	}
	if err := outs.write(b, run); err != nil {
		return err
	}
	if err := a.print(result); err != nil {
		return err
	}
	return result.verdict(cmd.Float("want-use"))
}

// read reads the flags that need no look at the inputs.
func (b *bench) read(cmd *cli.Command) error {
	if given := countGiven(cmd, "c1", "sector-size", "kind"); given != 1 {
		return usage("bench: want --c1, --sector-size or --kind, one of them")
	}
	for _, name := range []string{"count", "concurrency", "permits"} {
		if n := cmd.Int(name); n < 1 {
			return usage("bench: --%s: found %d, want at least 1", name, n)
		}
	}
	if policy, err := pipeline.PolicyByName(cmd.String("policy")); err != nil {
		return usage("bench: --policy: %w", err)
	} else if policy.EarlyRelease() {
		return usage("bench: --policy: %s is for simulation alone", policy.Name())
	}
	if cmd.String("budget") != "" && cmd.Int("budget-for") != 0 {
		return usage("bench: --budget and --budget-for say the same thing: give one")
	}
	if share := cmd.Float("want-use"); share < 0 || share > 1 {
		return usage("bench: --want-use: found %g, want 0 to 1", share)
	}
	engine, err := enginePath(cmd)
	if err != nil {
		return err
	}
	source := b.app.keySource(cmd)
	b.options = host.Options{
		EnginePath: engine, ParamsDir: source.Dir, DevKeyLabel: source.DevLabel, Logger: b.app.logger(cmd),
		Permits: cmd.Int("permits"), Policy: cmd.String("policy"), Threads: cmd.Int("threads"), ReportEvery: sampleEvery,
	}
	if text := cmd.String("budget"); text != "" {
		if b.options.HostBytes, err = parseByteSize("budget", text); err != nil {
			return err
		}
	}
	return b.options.Validate()
}

// budget computes what partitions need, and the budget where it is asked for in
// partitions.
func (b *bench) budget(ctx context.Context, cmd *cli.Command) error {
	program, err := compileCircuit(ctx, b.inputs.circuit)
	if err != nil {
		return err
	}
	b.need, b.worker = pipeline.SplitNeed(program.Circuit)
	if n := cmd.Int("budget-for"); n > 0 {
		held := pipeline.ProcessBytes + pipeline.LayoutBytes(program.Circuit) + b.worker +
			int64(b.concurrency)*pipeline.InputBytes(b.inputs.largest)
		b.options.HostBytes = int64(n)*b.need.Whole() + held
	} else if n < 0 {
		return usage("bench: --budget-for: found %d, want at least 1", n)
	}
	return nil
}

// benchOuts are the files that a bench writes, nil where none is asked for. They
// are opened before any work.
type benchOuts struct{ trace, csv, plot *outFile }

func openBenchOuts(cmd *cli.Command) (*benchOuts, error) {
	o := new(benchOuts)
	for name, out := range map[string]**outFile{"trace": &o.trace, "csv": &o.csv, "plot": &o.plot} {
		if path := cmd.String(name); path != "" {
			var err error
			if *out, err = createOut(path); err != nil {
				o.discard()
				return nil, err
			}
		}
	}
	return o, nil
}

func (o *benchOuts) discard() {
	for _, out := range []*outFile{o.trace, o.csv, o.plot} {
		if out != nil {
			out.discard()
		}
	}
}

func (o *benchOuts) write(b *bench, run *benchRun) error {
	for _, out := range []struct {
		file *outFile
		fill func(io.Writer) error
	}{
		{o.trace, func(w io.Writer) error { return pipeline.WriteTrace(w, run.trace(b)) }},
		{o.csv, run.writeCSV},
		{o.plot, run.plot(b).writeSVG},
	} {
		if out.file != nil {
			if err := out.file.commit(out.fill); err != nil {
				return err
			}
		}
	}
	return nil
}

// verdict says where the run broke what was wanted of it; the answer has told
// the figures already.
func (r *benchResult) verdict(wantUse float64) error {
	used := r.Memory.Engine.Peak
	switch {
	case r.Budget > 0 && used > r.Budget:
		return answered(exitDegraded, "bench: memory reached %s, the budget is %s", byteSize(used), byteSize(r.Budget))
	case r.Budget > 0 && float64(used) < wantUse*float64(r.Budget):
		return answered(exitDegraded, "bench: memory reached %s, want %g of the budget of %s", byteSize(used), wantUse, byteSize(r.Budget))
	case !r.Idle:
		return answered(exitDegraded, "bench: the engine's counters are not back where they were")
	}
	return nil
}

// errNoReport says that an engine does not report its state.
var errNoReport = fmt.Errorf("watch engine: %w: it reports nothing", host.ErrEngine)
