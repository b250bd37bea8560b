package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/sealwright/sealwright/host"
	"github.com/sealwright/sealwright/host/daemon"
	"github.com/sealwright/sealwright/porep/srs"
)

func (a *app) serveCommand() *cli.Command {
	return &cli.Command{
		Name:  "serve",
		Usage: "run the daemon that proves for a miner",
		Description: `Serves cuzk.v1, which Curio calls, and the verbs status, jobs and cancel, on a unix socket. Runs until SIGTERM or
SIGINT; then takes no new jobs, and ends when those that are there have ended, or after --drain. A second signal
ends it at once.

   sealwright serve
   sealwright serve --config /etc/sealwright/sealwright.toml
   sealwright serve --socket /run/sealwright/sealwright.sock --metrics 127.0.0.1:9830 --memory 256GiB

A flag goes before the configuration. docs/cli.md has the configuration's keys. In Curio's configuration:
Address = "unix:///run/sealwright/sealwright.sock" under [Cuzk].`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "config", Usage: "configuration `FILE`, TOML"},
			socketFlag(),
			&cli.StringFlag{Name: "metrics", Usage: "answer GET /metrics on this loopback `ADDRESS`, such as 127.0.0.1:9830"},
			&cli.DurationFlag{Name: "drain", Usage: "how long jobs may go on at the end, `TIME` (default: 5m)"},
			&cli.StringFlag{Name: "memory", Usage: "large memory of the engine: a `SIZE` such as 256GiB, auto, or none for no limit (default: auto)"},
			&cli.IntFlag{Name: "permits", Usage: "partitions before the device has them, `N` at a time"},
			&cli.IntFlag{Name: "threads", Usage: "host threads of the engine, `N`; 0: all"},
			&cli.StringFlag{Name: "policy", Usage: "`POLICY` of the device channel"},
			&cli.IntFlag{Name: "max-jobs", Usage: "jobs that may wait and run together, `N`; more are refused (default: 64)"},
			&cli.StringFlag{Name: "params", Usage: "folder `DIR` of the keys (default: $" + srs.CacheVariable + ", else " + srs.DefaultDir + ")"},
			&cli.StringFlag{Name: "dev-key", Usage: "take the INSECURE development key of this `LABEL`"},
			engineFlag(),
		},
		Action: a.serve,
	}
}

func (a *app) serve(ctx context.Context, cmd *cli.Command) error {
	c := defaultServeConfig()
	if path := cmd.String("config"); path != "" {
		var err error
		if c, err = readServeConfig(path); err != nil {
			return err
		}
	}
	override(&c, cmd)
	o, err := a.daemonOptions(&c, cmd)
	if err != nil {
		return err
	}
	start := time.Now()
	err = daemon.Run(ctx, o)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return &codedError{exitDegraded, err}
	case err != nil:
		return environment(err)
	}
	return a.print(&serveResult{Socket: o.Socket, Drained: true, Seconds: time.Since(start).Seconds()})
}

// override puts the flags that are given over the configuration.
func override(c *serveConfig, cmd *cli.Command) {
	for name, field := range map[string]*string{
		"socket": &c.Socket, "metrics": &c.Metrics, "memory": &c.Memory.Host, "policy": &c.Engine.Policy,
		"params": &c.Keys.Dir, "dev-key": &c.Keys.DevKey, "engine": &c.Engine.Path,
	} {
		if cmd.IsSet(name) {
			*field = cmd.String(name)
		}
	}
	for name, field := range map[string]*int{"permits": &c.Engine.Permits, "threads": &c.Engine.Threads, "max-jobs": &c.Jobs.Max} {
		if cmd.IsSet(name) {
			*field = cmd.Int(name)
		}
	}
	if cmd.IsSet("drain") {
		c.Drain.Duration = cmd.Duration("drain")
	}
}

// daemonOptions turns the configuration into what the daemon takes.
func (a *app) daemonOptions(c *serveConfig, cmd *cli.Command) (daemon.Options, error) {
	o := daemon.Options{
		Socket: c.Socket, Metrics: c.Metrics, DrainTimeout: c.Drain.Duration, Version: version,
		Host: host.Options{
			EnginePath: c.Engine.Path, DeviceID: c.Engine.Device, Threads: c.Engine.Threads, Permits: c.Engine.Permits,
			Policy: c.Engine.Policy, ParamsDir: c.Keys.Dir, DevKeyLabel: c.Keys.DevKey,
		},
		Queue: host.QueueOptions{
			MaxJobs: c.Jobs.Max, MaxRunning: c.Jobs.Running, Keep: c.Jobs.Keep, OrphanGrace: c.Jobs.OrphanGrace.Duration,
		},
	}
	var err error
	if o.Logger, err = a.serveLogger(&c.Log, cmd.Bool("verbose")); err != nil {
		return o, err
	}
	if o.Host.EnginePath == "" {
		if o.Host.EnginePath, err = enginePath(cmd); err != nil {
			return o, err
		}
	}
	if o.Host.HostBytes, o.HostBytesReason, err = hostBytes(c.Memory.Host); err != nil {
		return o, err
	}
	o.Logger.Info("memory of the engine", "bytes", o.Host.HostBytes, "reason", o.HostBytesReason)
	if c.Memory.Device != noLimit {
		o.Host.DeviceBytes, err = parseByteSize("memory.device", c.Memory.Device)
	}
	return o, err
}

// noLimit is how a configuration says so.
const noLimit = "none"

// hostBytes returns the engine's share of memory, 0 for no limit, and how it
// came about.
func hostBytes(text string) (int64, string, error) {
	switch text {
	case noLimit:
		return 0, "no limit, as configured", nil
	case "auto":
		budget, err := host.MemoryBudget(host.MemoryRoots{})
		if err != nil {
			return 0, "", environment(err)
		}
		return budget.Each(1), budget.String(), nil
	}
	bytes, err := parseByteSize("memory", text)
	return bytes, "as configured", err
}

// serveLogger is the daemon's log, on stderr.
func (a *app) serveLogger(c *logConfig, verbose bool) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.Level)); err != nil {
		return nil, usage("log.level: found %q, want debug, info, warn or error", c.Level)
	}
	if verbose {
		level = slog.LevelDebug
	}
	o := &slog.HandlerOptions{Level: level}
	switch c.Format {
	case "text":
		return slog.New(slog.NewTextHandler(a.stderr, o)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(a.stderr, o)), nil
	}
	return nil, usage("log.format: found %q, want text or json", c.Format)
}

type serveResult struct {
	Socket  string  `json:"socket"`
	Drained bool    `json:"drained"`
	Seconds float64 `json:"seconds"`
}

func (r *serveResult) text(w io.Writer) {
	fmt.Fprintf(w, "drained after %s of serving %s\n", time.Duration(r.Seconds*float64(time.Second)).Round(time.Second), r.Socket)
}
