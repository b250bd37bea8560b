package main

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// How often progress is told where there is no terminal to draw on.
const (
	progressEvery  = 5 * time.Second
	progressRedraw = 100 * time.Millisecond
	progressSteps  = 1000
)

// tracker tells what goes on and how long it took: a bar on a terminal, lines
// elsewhere. One goroutine uses it at a time.
type tracker struct {
	w        io.Writer
	terminal bool
	bar      *progressbar.ProgressBar

	stage string
	began time.Time
	told  time.Time
}

func (a *app) tracker() *tracker { return &tracker{w: a.stderr, terminal: a.terminal} }

// begin ends the stage before and starts one.
func (t *tracker) begin(stage string) {
	t.end()
	t.stage, t.began = stage, time.Now()
	t.told = t.began
	if t.terminal {
		t.bar = progressbar.NewOptions64(-1, progressbar.OptionSetWriter(t.w), progressbar.OptionSetDescription(stage),
			progressbar.OptionThrottle(progressRedraw), progressbar.OptionClearOnFinish(), progressbar.OptionSetPredictTime(false),
			progressbar.OptionSpinnerType(14))
		t.draw(t.bar.RenderBlank())
	}
}

// at tells how far the stage is; total 0 means not known.
func (t *tracker) at(done, total int64) {
	switch {
	case total <= 0 || t.stage == "":
	case t.terminal:
		t.bar.ChangeMax64(progressSteps)
		t.draw(t.bar.Set64(done * progressSteps / total))
	case time.Since(t.told) >= progressEvery:
		t.told = time.Now()
		fmt.Fprintf(t.w, "sealwright: %s %d%%\n", t.stage, done*100/total)
	}
}

// detail tells what of the stage goes on, and how far the stage is.
func (t *tracker) detail(text string, done, total int64) {
	if t.terminal {
		t.bar.Describe(t.stage + ", " + text)
		t.at(done, total)
	} else {
		fmt.Fprintf(t.w, "sealwright: %s\n", text)
	}
}

// abandon ends the stage without a word: an error will be told.
func (t *tracker) abandon() {
	if t.bar != nil {
		t.draw(t.bar.Clear())
		t.bar = nil
	}
	t.stage = ""
}

// end ends the stage, if there is one, and says how long it took.
func (t *tracker) end() {
	if t.stage == "" {
		return
	}
	took := time.Since(t.began)
	if t.bar != nil {
		t.draw(t.bar.Finish())
		t.bar = nil
	}
	fmt.Fprintf(t.w, "sealwright: %s %s\n", t.stage, took.Round(roundTo(took)))
	t.stage = ""
}

// draw takes the bar's error: a terminal that cannot be drawn on stops no work.
func (t *tracker) draw(error) {}

func roundTo(d time.Duration) time.Duration {
	if d < time.Second {
		return 10 * time.Microsecond
	}
	return 10 * time.Millisecond
}
