package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

func TestPlot(t *testing.T) {
	curve := series{name: "a < b & c", points: []point{{0, 0}, {1, 3}, {2, 1 << 20}}}
	p := &plot{title: `"title" & more`, panels: []panel{
		{title: "bytes", unit: bytesAxis, series: []series{curve}, limit: &limit{"budget", 2 << 20}},
		{title: "nothing", unit: countAxis, series: []series{{name: "empty"}}},
		{title: "flat", unit: countAxis, series: []series{{name: "one", points: []point{{0, 0}}}}},
	}}
	var out bytes.Buffer
	if err := p.writeSVG(&out); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for d := xml.NewDecoder(&out); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("the plot is no XML: %v", err)
		}
	}
	for _, want := range []string{"a &lt; b &amp; c", "budget", "2 MiB", "seconds"} {
		if !strings.Contains(text, want) {
			t.Errorf("the plot lacks %q", want)
		}
	}
	if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
		t.Error("the plot has a number that is none")
	}
}

func TestThinKeepsPeaks(t *testing.T) {
	points := make([]point, 1000)
	for i := range points {
		points[i] = point{x: float64(i)}
	}
	points[517].y = 9
	kept := thin(points, 10)
	if len(kept) != 10 || kept[5] != points[517] {
		t.Errorf("kept %v", kept)
	}
}

func TestSteps(t *testing.T) {
	for most, want := range map[float64]float64{1: 0.2, 8: 1, 9: 2, 35: 5, 0.7: 0.1} {
		if got := niceStep(most, 8); got < want*0.999 || got > want*1.001 {
			t.Errorf("step to %g: %g, want %g", most, got, want)
		}
	}
	for most, want := range map[float64]float64{0: 1, 1024: 256, 1025: 512} {
		if got := bytesAxis.step(most); got != want {
			t.Errorf("bytes to %g: %g, want %g", most, got, want)
		}
	}
}

func TestPercentile(t *testing.T) {
	var sorted []time.Duration
	for i := range 10 {
		sorted = append(sorted, time.Duration(i+1))
	}
	for share, want := range map[float64]time.Duration{0: 1, 0.5: 5, 0.9: 9, 0.99: 10, 1: 10} {
		if got := percentile(sorted, share); got != want {
			t.Errorf("%g: %d, want %d", share, got, want)
		}
	}
	if l := newBenchLatency(nil); l != (benchLatency{}) {
		t.Errorf("latency of nothing: %+v", l)
	}
}
