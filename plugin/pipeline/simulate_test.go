package pipeline

import (
	"errors"
	"math"
	"reflect"
	"testing"
	"time"
)

const gib = 1 << 30

// peerDraws are the figures of a peer's machine: 12 syntheses of 29 s beside a
// device that takes 3.5 s, 15 proofs of 10 partitions at a time.
func peerDraws() Draws {
	return Draws{
		Jobs: 20, Partitions: 10, Concurrency: 15, Synthesis: 29 * time.Second, Device: 3500 * time.Millisecond,
		Finish: 100 * time.Millisecond, Spread: 0.3, Need: Need{Synthesis: 16 * gib, Device: 16 * gib, Finish: 4 * gib},
	}
}

func TestCompareAtThePeersFigures(t *testing.T) {
	const permits, seeds = 12, 30
	for _, c := range []struct {
		policy             Policy
		budget             int64
		aliveMin, aliveMax int
		lossMean           float64
	}{
		{EarlyRelease{}, 0, 60, 90, 0},
		{HoldUntilAccepted{}, 0, 13, 15, 0.01},
		{HoldUntilAccepted{}, 14*16*gib + 4*gib, 13, 15, 0.01},
		{ChannelPermits{}, 0, 20, 26, 0.005},
		{BytesOnly{}, 0, 60, 90, 0},
		{BytesOnly{}, 14*16*gib + 4*gib, 13, 18, 0.01},
	} {
		got, err := Compare(Limits{Permits: permits, Policy: c.policy, Budget: c.budget}, peerDraws(), seeds)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s, budget %d GiB: %+v", c.policy.Name(), c.budget/gib, *got)
		if got.Peaks.Alive < c.aliveMin || got.Peaks.Alive > c.aliveMax {
			t.Errorf("%s: %d alive, expected %d to %d", c.policy.Name(), got.Peaks.Alive, c.aliveMin, c.aliveMax)
		}
		if got.LossMean > c.lossMean || got.LossMean < -1e-9 {
			t.Errorf("%s: mean loss %.4f, expected at most %.4f", c.policy.Name(), got.LossMean, c.lossMean)
		}
		if c.budget > 0 && got.Peaks.Bytes > c.budget {
			t.Errorf("%s: %d bytes of %d", c.policy.Name(), got.Peaks.Bytes, c.budget)
		}
	}
}

func TestSimulateTakesTheTimeItMust(t *testing.T) {
	work := Work{Synthesis: 4 * time.Second, Device: 2 * time.Second, Finish: time.Second, Need: Need{Synthesis: 5, Device: 8, Finish: 1}}
	job := LoadJob{Before: 3 * time.Second, Partitions: []Work{work, work}, After: 5 * time.Second}
	got, err := Simulate(Limits{Permits: 1, Budget: 10}, Load{Jobs: []LoadJob{job, job}, Concurrency: 1})
	if err != nil {
		t.Fatal(err)
	}
	// 3 s before; the second partition's 8 bytes are there when the first one's finish
	// stage begins at 3+4+2; then 4+2+1 s of its own and 5 s after.
	const want = 2 * (3 + 4 + 2 + 4 + 2 + 1 + 5) * time.Second
	if got.Makespan != want || got.Jobs != 2 || got.Partitions != 4 || got.PerJob() != want/2 {
		t.Errorf("made %d jobs, %d partitions in %s, expected %s", got.Jobs, got.Partitions, got.Makespan, want)
	}
	if got.Peaks != (Peaks{Alive: 2, Sets: 1, Piled: 1, Bytes: 9}) || got.Busy != 8*time.Second {
		t.Errorf("peaks %+v, busy %s", got.Peaks, got.Busy)
	}
	if c := got.Ended; c.Alive+c.Permits+c.Channel+c.Workers+c.Slots != 0 || c.Reserved != 0 || c.Proved != 4 {
		t.Errorf("at the end %+v", c)
	}
	if !reflect.DeepEqual(got.Latencies, []time.Duration{want / 2, want / 2}) {
		t.Errorf("latencies %s", got.Latencies)
	}
}

func TestSimulateRefusesWhatNeverFits(t *testing.T) {
	draws := peerDraws()
	_, err := Simulate(Limits{Permits: 1, Budget: 15 * gib}, draws.Load(1))
	if budget := new(BudgetError); !errors.As(err, &budget) || budget.Need != 16*gib || budget.Budget != 15*gib {
		t.Errorf("got %v", err)
	}
	if _, err := Simulate(Limits{}, draws.Load(1)); err == nil {
		t.Error("no permits: no error")
	}
}

func TestDrawsArePaired(t *testing.T) {
	draws := peerDraws()
	if a, b := draws.Load(7), draws.Load(7); !reflect.DeepEqual(a, b) {
		t.Error("the same seed drew two loads")
	}
	if a, b := draws.Load(7), draws.Load(8); reflect.DeepEqual(a, b) {
		t.Error("two seeds drew one load")
	}
	var sum, squares, n float64
	for seed := range uint64(100) {
		for _, job := range draws.Load(seed).Jobs {
			for _, w := range job.Partitions {
				s := w.Synthesis.Seconds()
				sum, squares, n = sum+s, squares+s*s, n+1
			}
		}
	}
	mean := sum / n
	if spread := math.Sqrt(squares/n-mean*mean) / mean; math.Abs(mean-29) > 0.5 || math.Abs(spread-draws.Spread) > 0.02 {
		t.Errorf("mean %.2f s, spread %.3f, expected 29 s and %.3f", mean, spread, draws.Spread)
	}
}
