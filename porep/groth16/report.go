package groth16

import (
	"fmt"
	"log/slog"
	"strings"
	"time"
)

// Op is one operation of a proof: what ran, where, on how much, how long.
type Op struct {
	Name     string // "quotient", "msm h", "mask l" and so on
	Where    string // "device" or "host"
	Size     int    // points or field elements that took part
	Start    time.Time
	Duration time.Duration
}

// Report lists the operations of one partition's proof in the order in which
// they ended.
type Report struct{ Ops []Op }

// Where operations run.
const (
	OnDevice = "device"
	OnHost   = "host"
)

// Add appends an operation that began at start and ends now.
func (r *Report) Add(name, where string, size int, start time.Time) {
	r.Ops = append(r.Ops, Op{Name: name, Where: where, Size: size, Start: start, Duration: time.Since(start)})
}

// Total returns the sum of all durations.
func (r *Report) Total() time.Duration {
	var sum time.Duration
	for _, op := range r.Ops {
		sum += op.Duration
	}
	return sum
}

// String returns one line: "quotient 1.7s, msm h 9.1s, …".
func (r *Report) String() string {
	parts := make([]string, len(r.Ops))
	for i, op := range r.Ops {
		parts[i] = fmt.Sprintf("%s %s", op.Name, op.Duration.Round(time.Millisecond))
	}
	return strings.Join(parts, ", ")
}

// LogValue implements slog.LogValuer.
func (r *Report) LogValue() slog.Value { return slog.StringValue(r.String()) }
