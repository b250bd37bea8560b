package pipeline

import "time"

// Comparison is how limits fare against others, over the same draws: against a
// pipeline that memory does not bound, unless CompareTo says otherwise.
type Comparison struct {
	Limits     Limits        // with defaults
	Peaks      Peaks         // the highest over all seeds
	PerJob     time.Duration // mean over the seeds
	LossMean   float64       // of throughput: 0.01 is 1%
	LossWorst  float64       // of the worst seed
	DeviceBusy float64       // share of the time, mean
	Wait       time.Duration // for a permit and bytes, mean of a partition
	Queue      time.Duration // from the end of synthesis to the device, mean of a partition
}

// Unlimited is a pipeline with as many permits and workers, and no bound on what
// waits for the device nor on bytes: the best that any policy can do.
func (l Limits) Unlimited() Limits {
	l.Budget, l.Channel, l.Policy = 0, 0, BytesOnly{}
	return l
}

// Compare simulates limits over seeds 1 to seeds, and Unlimited over the same
// draws.
func Compare(limits Limits, draws Draws, seeds int) (*Comparison, error) {
	return CompareTo(limits.Unlimited(), limits, draws, seeds)
}

// CompareTo is Compare against limits of the caller's choice in place of
// Unlimited.
func CompareTo(standard, limits Limits, draws Draws, seeds int) (*Comparison, error) {
	c := &Comparison{Limits: limits.withDefaults()}
	for seed := uint64(1); seed <= uint64(seeds); seed++ {
		load := draws.Load(seed)
		best, err := Simulate(standard, load)
		if err != nil {
			return nil, err
		}
		own, err := Simulate(limits, load)
		if err != nil {
			return nil, err
		}
		c.add(best, own)
	}
	c.mean(seeds)
	return c, nil
}

func (c *Comparison) add(best, own *Outcome) {
	loss := own.Loss(best)
	c.LossMean += loss
	c.LossWorst = max(c.LossWorst, loss)
	c.PerJob += own.PerJob()
	c.DeviceBusy += own.DeviceBusy(c.Limits.DeviceWorkers)
	c.Wait += own.Times.Wait / time.Duration(max(1, own.Partitions))
	c.Queue += own.Times.Queue / time.Duration(max(1, own.Partitions))
	c.Peaks = Peaks{
		Alive: max(c.Peaks.Alive, own.Peaks.Alive), Sets: max(c.Peaks.Sets, own.Peaks.Sets),
		Piled: max(c.Peaks.Piled, own.Peaks.Piled), Bytes: max(c.Peaks.Bytes, own.Peaks.Bytes),
	}
}

func (c *Comparison) mean(seeds int) {
	n := max(1, seeds)
	c.LossMean /= float64(n)
	c.DeviceBusy /= float64(n)
	c.PerJob /= time.Duration(n)
	c.Wait /= time.Duration(n)
	c.Queue /= time.Duration(n)
}
