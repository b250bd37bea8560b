package main

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"math"
	"strconv"
	"strings"
)

// plot is curves over time, in panels one below the other with the same time
// axis.
type plot struct {
	title  string
	panels []panel
}

type panel struct {
	title  string
	unit   axis
	series []series
	limit  *limit // nil: none
}

// series is a curve; its points are in the order of time, in seconds.
type series struct {
	name   string
	points []point
}

type point struct{ x, y float64 }

// limit is a level that a panel's curves are held against.
type limit struct {
	name string
	at   float64
}

// axis says where an axis that reaches to most has its ticks, and what they say.
type axis struct {
	step func(most float64) float64
	text func(float64) string
}

// Lengths in pixels.
const (
	plotWidth   = 960
	plotLeft    = 84
	plotRight   = 24
	plotTop     = 40
	panelHeight = 190
	panelGap    = 58
	plotBottom  = 44
	columns     = (plotWidth - plotLeft - plotRight) * 2 // points of a curve at most
)

// colours tell curves apart for most eyes (Okabe and Ito, 2008).
var colours = [...]string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555", "#000000"}

// writeSVG draws the plot.
func (p *plot) writeSVG(w io.Writer) error {
	out := bufio.NewWriter(w)
	height := plotTop + len(p.panels)*(panelHeight+panelGap) - panelGap + plotBottom
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" font-family="sans-serif" font-size="12">`+"\n",
		plotWidth, height)
	fmt.Fprintf(out, `<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", plotWidth, height)
	fmt.Fprintf(out, `<text x="%d" y="18" font-size="14" font-weight="bold">%s</text>`+"\n", plotLeft, html.EscapeString(p.title))
	seconds := p.seconds()
	for i := range p.panels {
		p.panels[i].write(out, plotTop+i*(panelHeight+panelGap), seconds)
	}
	fmt.Fprintf(out, `<text x="%d" y="%d" text-anchor="end">seconds</text>`+"\n</svg>\n", plotWidth-plotRight, height-8)
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write plot: %w", err)
	}
	return nil
}

// seconds is where the time axis ends.
func (p *plot) seconds() float64 {
	end := 0.0
	for _, panel := range p.panels {
		for _, s := range panel.series {
			if n := len(s.points); n > 0 {
				end = max(end, s.points[n-1].x)
			}
		}
	}
	return max(end, 1e-3)
}

// frame turns values into pixels.
type frame struct {
	top           int
	seconds, most float64
}

func (f frame) x(seconds float64) float64 {
	return plotLeft + seconds/f.seconds*(plotWidth-plotLeft-plotRight)
}

func (f frame) y(value float64) float64 {
	return float64(f.top+panelHeight) - value/f.most*panelHeight
}

func (p *panel) write(out io.Writer, top int, seconds float64) {
	highest := 0.0
	for _, s := range p.series {
		for _, pt := range s.points {
			highest = max(highest, pt.y)
		}
	}
	if p.limit != nil {
		highest = max(highest, p.limit.at)
	}
	step := p.unit.step(highest)
	f := frame{top: top, seconds: seconds, most: max(step, math.Ceil(highest*1.02/step)*step)}
	p.writeLegend(out, top)
	for v := 0.0; v <= f.most*1.001; v += step {
		y := f.y(v)
		fmt.Fprintf(out, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#dddddd"/>`+"\n", plotLeft, y, plotWidth-plotRight, y)
		fmt.Fprintf(out, `<text x="%d" y="%.1f" text-anchor="end" fill="#555555">%s</text>`+"\n", plotLeft-8, y+4, p.unit.text(v))
	}
	f.writeTime(out)
	for i, s := range p.series {
		f.writeCurve(out, s, colours[i%len(colours)])
	}
	if p.limit != nil {
		y := f.y(p.limit.at)
		fmt.Fprintf(out, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#aa0000" stroke-dasharray="6 4"/>`+"\n",
			plotLeft, y, plotWidth-plotRight, y)
		fmt.Fprintf(out, `<text x="%d" y="%.1f" text-anchor="end" fill="#aa0000">%s</text>`+"\n",
			plotWidth-plotRight, y-4, html.EscapeString(p.limit.name))
	}
}

// writeLegend writes the panel's title and what its colours mean, above it.
func (p *panel) writeLegend(out io.Writer, top int) {
	fmt.Fprintf(out, `<text x="%d" y="%d">%s`, plotLeft, top-6, html.EscapeString(p.title))
	for i, s := range p.series {
		fmt.Fprintf(out, `<tspan dx="14" fill="%s" font-weight="bold">&#9632; </tspan><tspan fill="%[1]s">%s</tspan>`,
			colours[i%len(colours)], html.EscapeString(s.name))
	}
	fmt.Fprintln(out, `</text>`)
}

func (f frame) writeTime(out io.Writer) {
	base := f.top + panelHeight
	step := niceStep(f.seconds, 8)
	for v := 0.0; v <= f.seconds*1.001; v += step {
		x := f.x(v)
		fmt.Fprintf(out, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#999999"/>`+"\n", x, base, x, base+4)
		fmt.Fprintf(out, `<text x="%.1f" y="%d" text-anchor="middle" fill="#555555">%s</text>`+"\n", x, base+17,
			strconv.FormatFloat(v, 'g', 6, 64))
	}
	fmt.Fprintf(out, `<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="#999999"/>`+"\n", plotLeft, base, plotWidth-plotRight, base)
}

// writeCurve draws a curve whose value holds until the next point.
func (f frame) writeCurve(out io.Writer, s series, colour string) {
	points := thin(s.points, columns)
	if len(points) == 0 {
		return
	}
	var path strings.Builder
	fmt.Fprintf(&path, "M%.1f %.1f", f.x(points[0].x), f.y(points[0].y))
	for _, pt := range points[1:] {
		fmt.Fprintf(&path, "H%.1fV%.1f", f.x(pt.x), f.y(pt.y))
	}
	fmt.Fprintf(out, `<path d="%s" fill="none" stroke="%s" stroke-width="1.5"/>`+"\n", path.String(), colour)
}

// thin leaves at most n points, of each group the highest: peaks stay.
func thin(points []point, n int) []point {
	if len(points) <= n {
		return points
	}
	kept := make([]point, 0, n)
	for i := range n {
		group := points[i*len(points)/n : (i+1)*len(points)/n]
		best := group[0]
		for _, pt := range group[1:] {
			if pt.y > best.y {
				best = pt
			}
		}
		kept = append(kept, best)
	}
	return kept
}

// niceStep is a step of 1, 2 or 5 times a power of ten that makes at most n
// steps up to most.
func niceStep(most float64, n int) float64 {
	least := max(most, 1e-9) / float64(n)
	power := math.Pow(10, math.Floor(math.Log10(least)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= least*0.999 {
			return m * power
		}
	}
	return 10 * power
}

// trimZero takes a ".0" out of "2.0 GiB".
func trimZero(text string) string { return strings.Replace(text, ".0 ", " ", 1) }
