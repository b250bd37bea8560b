package main

import (
	"fmt"
	"math"
	"time"

	"github.com/sealwright/sealwright/plugin/pipeline"
)

// planCircuit is what a plan must know of a circuit; sizes in bytes.
type planCircuit struct {
	id         string
	partitions int
	need       pipeline.Need
	vector     int64 // one of a, b, c, h
	key        int64 // the key's file, and about its points on a device
	resident   int64 // what an engine keeps of the circuit itself
}

// What a device's memory is weighed by: vectors that a whole partition works in
// (a, b, one of the quotient, and the buckets and digits of the sums), and the least
// where sums go in pieces. Counted from such provers; an engine measures its own.
const (
	deviceVectors      = 5
	deviceVectorsLeast = 3
	deviceReserve      = 20 // a twentieth stays for the driver and the display
)

// What the choice is simulated with.
const (
	planSeeds    = 10
	planProofs   = 20
	planAtOnce   = 15
	planFinish   = 500 * time.Millisecond
	mostLoss     = 0.01 // of the throughput, mean
	betterBy     = 0.005
	mostPermits  = 256
	channelPlace = 1 // of the default policy
)

// makePlan decides. It fails where not even one partition fits.
func makePlan(m machine, c planCircuit) (*planResult, error) {
	p := &planResult{
		Circuit: c.id, Memory: m.memory.Limit.Bytes, Margin: m.memory.Margin, VRAM: m.vram, Devices: m.devices,
		NeedBytes: c.need.Whole(), KeyBytes: c.key, DeviceWorkers: 1, FinishSlots: 1,
	}
	if err := p.placeKey(m, c); err != nil {
		return nil, err
	}
	if err := p.setBudget(m, c); err != nil {
		return nil, err
	}
	p.setPermits(m, c)
	return p, p.choosePolicy(m, c)
}

// placeKey decides where the proving key lies.
func (p *planResult) placeKey(m machine, c planCircuit) error {
	usable := m.vram - m.vram/deviceReserve
	work, least := deviceVectors*c.vector, deviceVectorsLeast*c.vector
	switch {
	case m.vram == 0:
		p.SRS = "mapped"
		p.say("The proving key (%s) is mapped and read by the CPU engine; %s of memory stay free so that it remains in the page cache.",
			byteSize(c.key), byteSize(c.key))
	case c.key+work <= usable:
		p.SRS, p.DeviceBytes = "resident", c.key+work
		p.say("The proving key (%s) stays on the device: with about %s to work in it fits into %s of VRAM, so nothing of it crosses the bus again.",
			byteSize(c.key), byteSize(work), byteSize(m.vram))
	case least <= usable:
		p.SRS, p.DeviceBytes = "streamed", min(work, usable)
		p.say("The proving key (%s) is streamed to the device for every partition: with about %s to work in it does not fit into %s of VRAM.",
			byteSize(c.key), byteSize(work), byteSize(m.vram))
		if work > usable {
			p.say("The device works in pieces, since a whole partition would take about %s; expect it to be slower.", byteSize(work))
		}
	default:
		return environment(fmt.Errorf("plan: a partition of %s takes at least %s of VRAM to work in, the device has %s",
			c.id, byteSize(least), byteSize(m.vram)))
	}
	if p.SRS != "resident" {
		p.PageCache = c.key
	}
	return nil
}

// setBudget decides what each engine may reserve.
func (p *planResult) setBudget(m machine, c planCircuit) error {
	p.Budget = (m.memory.Bytes-p.PageCache)/int64(m.devices) - c.resident
	if p.Budget < c.need.Whole() && p.PageCache > 0 {
		p.PageCache = 0
		p.Budget = m.memory.Each(m.devices) - c.resident
		p.say("There is too little memory to keep the key in the page cache: parts of it are read from the disk for every partition, which costs time.")
	}
	if p.Budget < c.need.Whole() {
		return environment(fmt.Errorf("plan: a partition of %s takes %s, %s of memory leave %s for each of %d engines",
			c.id, byteSize(c.need.Whole()), byteSize(m.memory.Limit.Bytes), byteSize(max(0, p.Budget)), m.devices))
	}
	p.say("Each engine's budget is %s: %s of memory (%s) less a margin of %s%s%s; a partition reserves %s before its synthesis.",
		byteSize(p.Budget), byteSize(m.memory.Limit.Bytes), m.memory.Limit.Source, byteSize(m.memory.Margin),
		when(p.PageCache > 0, " and the page cache"), when(m.devices > 1, fmt.Sprintf(", over %d devices", m.devices)), byteSize(c.need.Whole()))
	return nil
}

// setPermits takes as many as keep the device busy, or as fit.
func (p *planResult) setPermits(m machine, c planCircuit) {
	ratio := m.synthesis.Seconds() / m.device.Seconds()
	wanted := int(min(math.Ceil(ratio*(1+m.spread))+1, mostPermits))
	fit := int(min(p.Budget/c.need.Whole(), mostPermits))
	p.wanted = wanted
	p.Permits = max(1, min(wanted, fit))
	why := fmt.Sprintf("synthesis (%s) takes %.1f times as long as the device (%s), so about %d at a time keep it fed", m.synthesis, ratio, m.device, wanted)
	if fit < wanted {
		why += fmt.Sprintf(", but the budget holds no more than %d", fit)
	}
	p.say("Permits: %d, since %s.", p.Permits, why)
}

// choosePolicy takes the default unless it costs more than it may and another
// costs less within the same budget.
func (p *planResult) choosePolicy(m machine, c planCircuit) error {
	draws := pipeline.Draws{
		Jobs: planProofs, Partitions: c.partitions, Concurrency: planAtOnce, Spread: m.spread, Need: c.need,
		Synthesis: m.synthesis, Device: m.device, Finish: planFinish,
	}
	standard := pipeline.Limits{Permits: p.wanted, DeviceWorkers: p.DeviceWorkers, FinishSlots: p.FinishSlots}.Unlimited()
	var chosen *pipeline.Comparison
	for _, policy := range pipeline.Policies() {
		if policy.EarlyRelease() || chosen != nil && chosen.LossMean <= mostLoss {
			continue
		}
		limits := pipeline.Limits{
			Permits: p.Permits, DeviceWorkers: p.DeviceWorkers, FinishSlots: p.FinishSlots, Budget: p.Budget, Policy: policy,
		}
		got, err := pipeline.CompareTo(standard, limits, draws, planSeeds)
		if err != nil {
			return fmt.Errorf("plan: %w", err)
		}
		if chosen == nil || got.LossMean < chosen.LossMean-betterBy {
			chosen = got
		}
	}
	p.take(chosen)
	p.say("Policy %s%s: in simulation at most %d partitions are alive and %s reserved; a proof takes %.1f s, which is %.2f%% of the throughput lost against %d permits and no bound on memory (%.2f%% at worst).",
		p.Policy, channelText(p.Channel), p.AlivePeak, byteSize(p.BytesPeak), p.SecondsPerProof, 100*p.LossMean, p.wanted, 100*p.LossWorst)
	if p.Permits < p.wanted {
		p.say("More memory would help: %d permits would take %s.", p.wanted,
			byteSize(int64(p.wanted)*c.need.Whole()+int64(channelPlace+p.DeviceWorkers)*max(c.need.Device, c.need.Finish)))
	}
	return nil
}

func channelText(n *int) string {
	if n == nil {
		return ", a device channel that bytes alone bound"
	}
	return fmt.Sprintf(", a device channel of %d", *n)
}

func when(condition bool, text string) string {
	if condition {
		return text
	}
	return ""
}
