package main

import (
	"context"
	"fmt"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/sealwright/sealwright/host"
	"github.com/sealwright/sealwright/plugin/pipeline"
	"github.com/sealwright/sealwright/porep/circuit"
)

func (a *app) planCommand() *cli.Command {
	return &cli.Command{
		Name:  "plan",
		Usage: "say what to configure on a machine, and why",
		Description: `Weighs a machine's memory against what a circuit's partitions and key take: how many permits, which budget,
which policy of the device channel, and whether the proving key stays on the device. Stage times are the ones to plan for; the choice is
simulated with them.

   sealwright plan --memory 256GiB --vram 24GiB
   sealwright plan --memory 1TiB --vram 139GiB --devices 2 --synthesis 12s --device 1s --json`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "memory", Usage: "the machine's memory as `SIZE` (default: this machine's, with its cgroups' limits)"},
			&cli.StringFlag{Name: "vram", Value: "0", Usage: "memory of one device as `SIZE`; 0: no GPU"},
			&cli.IntFlag{Name: "devices", Value: 1, Usage: "devices, each with an engine of its own: `N`"},
			&cli.StringFlag{Name: "circuit", Value: "porep-32g", Usage: "`ID` of the largest circuit to be proved"},
			&cli.DurationFlag{Name: "synthesis", Value: 29 * time.Second, Usage: "`TIME` of a partition's synthesis to plan for"},
			&cli.DurationFlag{Name: "device", Value: 3500 * time.Millisecond, Usage: "`TIME` on the device to plan for"},
			&cli.FloatFlag{Name: "spread", Value: 0.3, Usage: "standard deviation of the times over their mean: `X`"},
		},
		Action: a.plan,
	}
}

func (a *app) plan(ctx context.Context, cmd *cli.Command) error {
	m, err := readMachine(cmd)
	if err != nil {
		return err
	}
	shape, err := shapeOf(cmd.String("circuit"))
	if err != nil {
		return err
	}
	program, err := a.compile(ctx, shape.CircuitID)
	if err != nil {
		return err
	}
	c := program.Circuit
	_, keyBytes := circuit.KeySize(c)
	p, err := makePlan(m, planCircuit{
		id: shape.CircuitID, partitions: max(1, shape.Partitions), need: pipeline.NeedOf(c), vector: pipeline.VectorBytes(c),
		key: keyBytes, resident: c.Bytes() + pipeline.LayoutBytes(c),
	})
	if err != nil {
		return err
	}
	return a.print(p)
}

// machine is what a plan is for.
type machine struct {
	memory            host.Budget
	vram              int64 // of one device; 0: no GPU
	devices           int
	synthesis, device time.Duration
	spread            float64
}

func readMachine(cmd *cli.Command) (machine, error) {
	m := machine{
		devices: cmd.Int("devices"), synthesis: cmd.Duration("synthesis"), device: cmd.Duration("device"), spread: cmd.Float("spread"),
	}
	const mostDevices, leastTime, mostTime = 64, time.Millisecond, 24 * time.Hour
	if m.devices < 1 || m.devices > mostDevices {
		return m, usage("--devices: found %d, want 1 to %d", m.devices, mostDevices)
	}
	for _, flag := range []string{"synthesis", "device"} {
		if t := cmd.Duration(flag); t < leastTime || t > mostTime {
			return m, usage("--%s: found %s, want %s to %s", flag, t, leastTime, mostTime)
		}
	}
	if !(m.spread >= 0 && m.spread <= 3) { // not NaN either
		return m, usage("--spread: found %v, want 0 to 3", m.spread)
	}
	var err error
	if m.vram, err = parseByteSize("vram", cmd.String("vram")); err != nil {
		return m, err
	}
	m.memory, err = readMemory(cmd.String("memory"))
	return m, err
}

// readMemory reads --memory; without it, what this machine has.
func readMemory(text string) (host.Budget, error) {
	if text == "" {
		b, err := host.MemoryBudget(host.MemoryRoots{})
		if err != nil {
			return b, environment(fmt.Errorf("find this machine's memory: %w (say it with --memory)", err))
		}
		return b, nil
	}
	bytes, err := parseByteSize("memory", text)
	return host.BudgetOf(host.MemoryLimit{Bytes: bytes, Source: "--memory"}), err
}
