package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/sealwright/sealwright/plugin/pipeline"
)

// benchResult is the answer of bench.
type benchResult struct {
	Circuit     string       `json:"circuit"`
	Count       int          `json:"count"`
	Concurrency int          `json:"concurrency"`
	Limits      benchLimits  `json:"limits"`
	Budget      int64        `json:"budget"` // bytes; 0: no limit
	DevKey      string       `json:"dev_key,omitempty"`
	Seconds     float64      `json:"seconds"`
	PerProof    float64      `json:"seconds_per_proof"`
	Latency     benchLatency `json:"latency"`
	Stages      []stageTime  `json:"stages"`      // means of a partition
	DeviceBusy  float64      `json:"device_busy"` // share of the time
	Memory      benchMemory  `json:"memory"`
	Buffers     []benchPeak  `json:"buffers"` // those that lived
	AlivePeak   int          `json:"alive_peak"`
	Idle        bool         `json:"idle"` // the counters are back where they were

	Unbounded *benchResult `json:"unbounded,omitempty"`
	Loss      *float64     `json:"loss,omitempty"` // of throughput, against unbounded
}

// benchLimits are the engine's, with their defaults filled in.
type benchLimits struct {
	Policy        string `json:"policy"`
	Permits       int    `json:"permits"`
	Channel       int    `json:"channel"` // 0: without bound
	DeviceWorkers int    `json:"device_workers"`
	FinishSlots   int    `json:"finish_slots"`
	AliveBound    int    `json:"alive_bound"` // 0: bytes alone bound it
}

// benchLatency is of a proof, from the call to the verified answer.
type benchLatency struct {
	Mean float64 `json:"mean_ms"`
	P50  float64 `json:"p50_ms"`
	P90  float64 `json:"p90_ms"`
	P99  float64 `json:"p99_ms"`
	Max  float64 `json:"max_ms"`
}

// benchMemory is in bytes.
type benchMemory struct {
	Engine       benchProcess `json:"engine"`
	Host         benchProcess `json:"host"`
	ReservedPeak int64        `json:"reserved_peak"`
	UsedPeak     int64        `json:"used_peak"`      // of large buffers
	Worker       int64        `json:"worker"`         // what the device works in, as computed
	Partition    int64        `json:"partition"`      // what one reserves beside, as computed
	Took         int64        `json:"partition_took"` // what one really took, the most
}

// benchProcess is the resident memory of a process: peaks of the samples, and
// the kernel's own high water over the process's whole life, files included.
type benchProcess struct {
	Peak      int64 `json:"anon_shared_peak"`
	Mean      int64 `json:"anon_shared_mean"`
	FilePeak  int64 `json:"file_peak"`
	HighWater int64 `json:"rss_high_water"`
}

type benchPeak struct {
	Kind  string `json:"kind"`
	Count int64  `json:"count_peak"` // of the samples
	Bytes int64  `json:"bytes_peak"`
}

func (b *bench) result(run *benchRun) *benchResult {
	trace := run.trace(b)
	seen := trace.Seen()
	r := &benchResult{
		Circuit: b.inputs.circuit, Count: b.count, Concurrency: b.concurrency, Limits: newBenchLimits(trace.Limits),
		Budget: run.budget, DevKey: b.options.DevKeyLabel,
		Seconds: run.took.Seconds(), PerProof: run.took.Seconds() / float64(b.count),
		Latency: newBenchLatency(seen.Latencies), Stages: run.stages(seen),
		DeviceBusy: seen.DeviceBusy(run.engine.DeviceWorkers), AlivePeak: run.after.Pipeline.AlivePeak,
		Idle: idleAgain(&run.before, &run.after),
	}
	r.Memory = benchMemory{
		ReservedPeak: run.after.Memory.ReservedPeak, UsedPeak: run.after.Memory.UsedPeak, Partition: b.need.Whole(), Worker: b.worker,
	}
	for i := range run.samples {
		r.Memory.Engine.add(run.samples[i].engine, len(run.samples))
		r.Memory.Host.add(run.samples[i].self, len(run.samples))
	}
	for i := range run.jobs {
		for _, p := range run.jobs[i].result.Partitions {
			r.Memory.Took = max(r.Memory.Took, reserved(p.Took, pipeline.Need{}).Whole())
		}
	}
	r.Buffers = run.bufferPeaks()
	return r
}

func newBenchLimits(l pipeline.Limits) benchLimits {
	bound, _ := l.AliveBound()
	out := benchLimits{
		Policy: l.Policy.Name(), Permits: l.Permits, Channel: l.Channel, DeviceWorkers: l.DeviceWorkers,
		FinishSlots: l.FinishSlots, AliveBound: bound,
	}
	if l.Channel == pipeline.Unbounded {
		out.Channel = 0
	}
	return out
}

func newBenchLatency(latencies []time.Duration) benchLatency {
	sorted := slices.Sorted(slices.Values(latencies))
	if len(sorted) == 0 {
		return benchLatency{}
	}
	var sum time.Duration
	for _, d := range sorted {
		sum += d
	}
	return benchLatency{
		Mean: milliseconds(sum / time.Duration(len(sorted))), P50: milliseconds(percentile(sorted, 0.5)),
		P90: milliseconds(percentile(sorted, 0.9)), P99: milliseconds(percentile(sorted, 0.99)),
		Max: milliseconds(sorted[len(sorted)-1]),
	}
}

// percentile is the least value that a share of the sorted ones do not pass.
func percentile(sorted []time.Duration, share float64) time.Duration {
	return sorted[max(0, int(math.Ceil(share*float64(len(sorted))))-1)]
}

// stages are the mean times of a partition. Wait begins when its input has
// reached the engine.
func (run *benchRun) stages(seen *pipeline.Outcome) []stageTime {
	n := time.Duration(max(1, seen.Partitions))
	var verify time.Duration
	for i := range run.jobs {
		for _, p := range run.jobs[i].result.Partitions {
			verify += p.Verify
		}
	}
	t := seen.Times
	return []stageTime{
		newStageTime("wait", t.Wait/n), newStageTime("synthesis", t.Synthesis/n), newStageTime("queue", t.Queue/n),
		newStageTime("device", t.Device/n), newStageTime("hand_over", t.HandOver/n), newStageTime("finish", t.Finish/n),
		newStageTime("verify", verify/n),
	}
}

// add takes one of n samples.
func (p *benchProcess) add(m processMemory, n int) {
	p.Peak = max(p.Peak, m.owned())
	p.Mean += m.owned() / int64(n)
	p.FilePeak = max(p.FilePeak, m.File)
	p.HighWater = max(p.HighWater, m.HighWater)
}

func (run *benchRun) bufferPeaks() []benchPeak {
	peaks := []benchPeak{}
	for i, b := range run.after.Buffers {
		if b.HighWater == 0 {
			continue
		}
		peak := benchPeak{Kind: b.Kind, Bytes: b.HighWater}
		for k := range run.samples {
			if seen := run.samples[k].report.Buffers; i < len(seen) {
				peak.Count = max(peak.Count, seen[i].Count)
			}
		}
		peaks = append(peaks, peak)
	}
	return peaks
}

// compare sets a run without a budget beside this one.
func (r *benchResult) compare(unbounded *benchResult) {
	loss := 1 - unbounded.Seconds/r.Seconds
	r.Unbounded, r.Loss = unbounded, &loss
}

func (r *benchResult) text(w io.Writer) {
	fmt.Fprintf(w, "proved     %d of %s, %d at a time, each verified\n", r.Count, r.Circuit, r.Concurrency)
	if r.DevKey != "" {
		fmt.Fprintf(w, "INSECURE   development key %q: the proofs are worth nothing on a network\n", r.DevKey)
	}
	r.limitsText(w)
	r.runText(w)
	if r.Unbounded != nil {
		fmt.Fprintf(w, "\nthe same without a budget\n")
		r.Unbounded.runText(w)
		fmt.Fprintf(w, "\nloss       %.1f%% of throughput under the budget: %.3f s a proof against %.3f s\n",
			*r.Loss*100, r.PerProof, r.Unbounded.PerProof)
	}
}

func (r *benchResult) limitsText(w io.Writer) {
	l := r.Limits
	channel, bound := fmt.Sprint(l.Channel), fmt.Sprintf("at most %d partitions alive", l.AliveBound)
	if l.Channel == 0 {
		channel, bound = "without bound", "bytes alone bound what is alive"
	}
	fmt.Fprintf(w, "limits     %s: %d permit(s), channel %s, %d device worker(s), %d finish slot(s): %s\n",
		l.Policy, l.Permits, channel, l.DeviceWorkers, l.FinishSlots, bound)
}

// runText writes what is of one run alone.
func (r *benchResult) runText(w io.Writer) {
	fmt.Fprintf(w, "time       %.3f s a proof, %.1f s in all; the device was busy %.1f%% of it\n", r.PerProof, r.Seconds, r.DeviceBusy*100)
	l := r.Latency
	fmt.Fprintf(w, "latency    mean %s, p50 %s, p90 %s, p99 %s, worst %s\n",
		secondsText(l.Mean), secondsText(l.P50), secondsText(l.P90), secondsText(l.P99), secondsText(l.Max))
	fmt.Fprintf(w, "partition  mean %s\n", stagesText(r.Stages))
	r.Memory.Engine.text(w, "engine")
	r.Memory.Host.text(w, "host")
	if r.Budget > 0 {
		fmt.Fprintf(w, "budget     %s: memory reached %.1f%% of it, reservations %.1f%%, large buffers %.1f%%\n", byteSize(r.Budget),
			percent(r.Memory.Engine.Peak, r.Budget), percent(r.Memory.ReservedPeak, r.Budget), percent(r.Memory.UsedPeak, r.Budget))
	} else {
		fmt.Fprintf(w, "budget     none: reservations reached %s, large buffers %s\n", byteSize(r.Memory.ReservedPeak), byteSize(r.Memory.UsedPeak))
	}
	fmt.Fprintf(w, "alive      %d partition(s) at most; one needs %s as computed, took %s; on the device %s more\n",
		r.AlivePeak, byteSize(r.Memory.Partition), byteSize(r.Memory.Took), byteSize(r.Memory.Worker))
	for _, b := range r.Buffers {
		fmt.Fprintf(w, "buffers    %-8s %3d at most, %s\n", b.Kind, b.Count, byteSize(b.Bytes))
	}
	if !r.Idle {
		fmt.Fprintln(w, "LEAK       the engine's counters are not back where they were before")
	}
}

func (p benchProcess) text(w io.Writer, name string) {
	fmt.Fprintf(w, "%-10s %s anonymous and shared at most, %s on average; files apart %s; all together %s\n", name,
		byteSize(p.Peak), byteSize(p.Mean), byteSize(p.FilePeak), byteSize(p.HighWater))
}

func percent(part, of int64) float64 { return 100 * float64(part) / float64(of) }
