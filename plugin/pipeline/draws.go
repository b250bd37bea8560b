package pipeline

import (
	"math"
	"math/rand/v2"
	"time"
)

// Draws describe a made-up load of equal jobs.
type Draws struct {
	Jobs, Partitions, Concurrency int
	Synthesis, Device, Finish     time.Duration // means
	Spread                        float64       // standard deviation of the times, over their mean
	Need                          Need
}

// Load draws a load: stage times are log-normal, never negative and with a long
// tail. The same seed draws the same times whatever pipeline they go through, so
// that policies are compared in pairs. Not for cryptography.
func (d Draws) Load(seed uint64) Load {
	random := rand.New(rand.NewPCG(seed, 0))
	variance := math.Log1p(d.Spread * d.Spread)
	draw := func(mean time.Duration) time.Duration {
		return time.Duration(float64(mean) * math.Exp(math.Sqrt(variance)*random.NormFloat64()-variance/2))
	}
	load := Load{Concurrency: d.Concurrency, Jobs: make([]LoadJob, d.Jobs)}
	for i := range load.Jobs {
		partitions := make([]Work, d.Partitions)
		for k := range partitions {
			partitions[k] = Work{Need: d.Need, Synthesis: draw(d.Synthesis), Device: draw(d.Device), Finish: draw(d.Finish)}
		}
		load.Jobs[i].Partitions = partitions
	}
	return load
}
