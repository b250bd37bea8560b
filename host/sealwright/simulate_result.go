package main

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"
	"time"

	"github.com/sealwright/sealwright/plugin/pipeline"
)

// policyResult is how one policy fares. Peaks are the highest over all seeds,
// losses are shares of the throughput of a pipeline that memory does not bound.
type policyResult struct {
	Policy          string  `json:"policy"`
	Permits         int     `json:"permits"`
	Channel         *int    `json:"channel"` // null: bytes alone bound it
	DeviceWorkers   int     `json:"device_workers"`
	FinishSlots     int     `json:"finish_slots"`
	Budget          int64   `json:"budget"`      // bytes; 0: no limit
	AliveBound      *int    `json:"alive_bound"` // null: not bounded by count
	AlivePeak       int     `json:"alive_peak"`
	SetsPeak        int     `json:"sets_peak"`  // with a, b, c alive: alive, without the finish stage
	PiledPeak       int     `json:"piled_peak"` // synthesized, waiting for the device
	BytesPeak       int64   `json:"bytes_peak"` // reserved
	LossMean        float64 `json:"loss_mean"`
	LossWorst       float64 `json:"loss_worst"`
	SecondsPerProof float64 `json:"seconds_per_proof"`
	DeviceBusy      float64 `json:"device_busy"`   // share of the time
	WaitSeconds     float64 `json:"wait_seconds"`  // for a permit and bytes, mean of a partition
	QueueSeconds    float64 `json:"queue_seconds"` // from synthesis to the device, mean of a partition
}

func policyRow(c *pipeline.Comparison) policyResult {
	l := c.Limits
	r := policyResult{
		Policy: l.Policy.Name(), Permits: l.Permits, DeviceWorkers: l.DeviceWorkers, FinishSlots: l.FinishSlots, Budget: l.Budget,
		AlivePeak: c.Peaks.Alive, SetsPeak: c.Peaks.Sets, PiledPeak: c.Peaks.Piled, BytesPeak: c.Peaks.Bytes,
		LossMean: c.LossMean, LossWorst: c.LossWorst, SecondsPerProof: c.PerJob.Seconds(), DeviceBusy: c.DeviceBusy,
		WaitSeconds: c.Wait.Seconds(), QueueSeconds: c.Queue.Seconds(),
	}
	if l.Channel != pipeline.Unbounded {
		r.Channel = &l.Channel
	}
	if bound, ok := l.AliveBound(); ok {
		r.AliveBound = &bound
	}
	return r
}

func (r *policyResult) budget() string {
	if r.Budget == 0 {
		return "none"
	}
	return byteSize(r.Budget)
}

// loadResult is what was proved.
type loadResult struct {
	Count       int     `json:"count"` // proofs
	Partitions  int     `json:"partitions"`
	Concurrency int     `json:"concurrency"`
	Synthesis   float64 `json:"synthesis_seconds"`
	Device      float64 `json:"device_seconds"`
	Finish      float64 `json:"finish_seconds"`
	Spread      float64 `json:"spread"`
	NeedBytes   int64   `json:"need_bytes"`   // of a partition, before synthesis
	FinishBytes int64   `json:"finish_bytes"` // of it, in the finish stage
}

func loadOf(d *pipeline.Draws) loadResult {
	return loadResult{
		Count: d.Jobs, Partitions: d.Partitions, Concurrency: d.Concurrency, Spread: d.Spread,
		Synthesis: d.Synthesis.Seconds(), Device: d.Device.Seconds(), Finish: d.Finish.Seconds(),
		NeedBytes: d.Need.Whole(), FinishBytes: d.Need.Finish,
	}
}

// simulateResult answers simulate: the policy that was asked for at the top, then
// all of them.
type simulateResult struct {
	Circuit string `json:"circuit"`
	Layout  string `json:"layout"`
	Seeds   int    `json:"seeds"`
	policyResult
	Load     loadResult     `json:"load"`
	Policies []policyResult `json:"policies"`
}

func (r *simulateResult) text(w io.Writer) {
	l := r.Load
	fmt.Fprintf(w, "%d proofs of %s, %d at a time, %d partitions each of %s (%s layout), %d seeds\n",
		l.Count, r.Circuit, l.Concurrency, l.Partitions, byteSize(l.NeedBytes), r.Layout, r.Seeds)
	fmt.Fprintf(w, "synthesis %s, device %s, finish %s, each ± %.0f%%; %d permits, %d device workers, %d finish slots\n\n",
		seconds(l.Synthesis), seconds(l.Device), seconds(l.Finish), l.Spread*100, r.Permits, r.DeviceWorkers, r.FinishSlots)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "policy\tbudget\talive\tbound\ta,b,c sets\twaiting for device\treserved\tseconds a proof\tloss mean\tloss worst\tdevice busy\t")
	for i := range r.Policies {
		p := &r.Policies[i]
		bound := "none"
		if p.AliveBound != nil {
			bound = fmt.Sprint(*p.AliveBound)
		} else if p.Budget > 0 {
			bound = "bytes"
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%d\t%d\t%s\t%.1f\t%s\t%s\t%.1f%%\t\n", p.Policy, p.budget(), p.AlivePeak, bound,
			p.SetsPeak, p.PiledPeak, byteSize(p.BytesPeak), p.SecondsPerProof, lossPercent(p.LossMean), lossPercent(p.LossWorst), 100*p.DeviceBusy)
	}
	t.Flush() //nolint:errcheck // as every answer's text
	fmt.Fprintf(w, "\n%s: at most %d partitions alive and %s reserved, for %s of the throughput (%s at worst)\n",
		r.Policy, r.AlivePeak, byteSize(r.BytesPeak), lossPercent(r.LossMean), lossPercent(r.LossWorst))
}

// lossPercent writes a share to a hundredth of a percent, which is never -0.
func lossPercent(share float64) string { return fmt.Sprintf("%.2f%%", math.Round(share*1e4)/1e2+0) }

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
