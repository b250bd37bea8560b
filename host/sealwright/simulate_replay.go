package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v3"

	"github.com/sealwright/sealwright/plugin/pipeline"
)

// replay simulates a recorded run with its own times and limits, or with limits
// that flags change, and holds it against what the run did.
func (a *app) replay(cmd *cli.Command, path string) error {
	for _, flag := range []string{"circuit", "synthesis", "device", "finish", "spread", "seeds", "count", "layout"} {
		if cmd.IsSet(flag) {
			return usage("--%s has no place beside --replay: the trace says it", flag)
		}
	}
	trace, err := readTrace(path)
	if err != nil {
		return err
	}
	seen, err := replayRow(trace.Seen(), trace.Limits)
	if err != nil {
		return err
	}
	load := trace.Load()
	if cmd.IsSet("concurrency") {
		load.Concurrency = cmd.Int("concurrency")
	}
	limits, err := changedLimits(cmd, trace.Limits)
	if err != nil {
		return err
	}
	best, err := pipeline.Simulate(limits.Unlimited(), load)
	if err != nil {
		return usage("replay %s: %w", path, err)
	}
	own, err := pipeline.Simulate(limits, load)
	if err != nil {
		return usage("replay %s: %w", path, err)
	}
	predicted, err := replayRow(own, limits)
	if err != nil {
		return err
	}
	predicted.LossMean = own.Loss(best)
	predicted.LossWorst = predicted.LossMean
	return a.print(&replayResult{Trace: path, Circuit: trace.Circuit, policyResult: *predicted, Count: own.Jobs, Partitions: own.Partitions, Seen: *seen})
}

func readTrace(path string) (*pipeline.Trace, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, environment(fmt.Errorf("open trace: %w", err))
	}
	defer file.Close()
	trace, err := pipeline.ReadTrace(file)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
		if errors.Is(err, pipeline.ErrTrace) {
			return nil, invalid(err)
		}
	}
	return trace, err
}

// changedLimits returns a trace's limits with what flags say otherwise.
func changedLimits(cmd *cli.Command, limits pipeline.Limits) (pipeline.Limits, error) {
	asked, err := readLimits(cmd)
	if err != nil {
		return limits, err
	}
	if cmd.IsSet("policy") {
		limits.Policy, limits.Channel = asked.Policy, 0
	}
	if cmd.IsSet("permits") {
		limits.Permits = asked.Permits
	}
	if cmd.IsSet("budget") {
		limits.Budget = asked.Budget
	}
	if cmd.IsSet("device-workers") {
		limits.DeviceWorkers = asked.DeviceWorkers
	}
	if cmd.IsSet("finish-slots") {
		limits.FinishSlots = asked.FinishSlots
	}
	return limits, nil
}

// replayRow writes an outcome as a policy's row.
func replayRow(o *pipeline.Outcome, limits pipeline.Limits) (*policyResult, error) {
	v, err := pipeline.NewVirtual(limits)
	if err != nil {
		return nil, err
	}
	c := pipeline.Comparison{Limits: v.Limits(), Peaks: o.Peaks, PerJob: o.PerJob()}
	row := policyRow(&c)
	row.DeviceBusy = o.DeviceBusy(row.DeviceWorkers)
	row.WaitSeconds = o.Times.Wait.Seconds() / float64(max(1, o.Partitions))
	row.QueueSeconds = o.Times.Queue.Seconds() / float64(max(1, o.Partitions))
	return &row, nil
}

// replayResult answers simulate --replay: what is predicted at the top, and what
// the recorded run did. A trace does not tell what was reserved.
type replayResult struct {
	Trace   string `json:"trace"`
	Circuit string `json:"circuit"`
	policyResult
	Count      int          `json:"count"`
	Partitions int          `json:"partitions"`
	Seen       policyResult `json:"seen"`
}

func (r *replayResult) text(w io.Writer) {
	fmt.Fprintf(w, "%s: %d proofs of %s, %d partitions\n", r.Trace, r.Count, r.Circuit, r.Partitions)
	for _, row := range []struct {
		what string
		of   *policyResult
	}{{"seen", &r.Seen}, {"predicted", &r.policyResult}} {
		fmt.Fprintf(w, "%-10s %.3f seconds a proof, %d alive at most, device %.1f%% busy (%s, %d permits, budget %s)\n", row.what,
			row.of.SecondsPerProof, row.of.AlivePeak, 100*row.of.DeviceBusy, row.of.Policy, row.of.Permits, row.of.budget())
	}
	fmt.Fprintf(w, "%-10s %s reserved at most, %.2f%% of the throughput lost to limits\n", "", byteSize(r.BytesPeak), 100*r.LossMean)
}
