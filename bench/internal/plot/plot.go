// Package plot draws line charts as SVG, for the pages of results.
package plot

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
)

// A Line is a series of points, in the order of X. Points that are not finite break the line.
type Line struct {
	Name   string
	X, Y   []float64 // of the same length
	Dashed bool      // as limits are
}

// A Chart has one pair of axes. Both begin at 0.
type Chart struct {
	Title, XName, YName string
	MaxX, MaxY          float64 // ends of the axes, 0 for the largest value
	Lines               []Line
}

const (
	width, height = 760, 260
	left, right   = 62, 150 // margins; the legend is on the right
	top, bottom   = 30, 40
)

var colors = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"}

// WriteFile makes a file with charts below each other.
func WriteFile(name string, charts ...Chart) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(SVG(file, charts...), file.Close())
}

// SVG writes charts below each other as one picture.
func SVG(w io.Writer, charts ...Chart) error {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11">`+"\n", width, height*len(charts))
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", width, height*len(charts))
	for i, c := range charts {
		fmt.Fprintf(&b, `<g transform="translate(0 %d)">`+"\n", i*height)
		c.draw(&b)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func (c *Chart) draw(b *strings.Builder) {
	maxX, maxY := c.ends()
	x := func(v float64) float64 { return left + v/maxX*(width-left-right) }
	y := func(v float64) float64 { return height - bottom - min(v, maxY)/maxY*(height-top-bottom) }
	text(b, left, 18, "start", "#000", c.Title)
	for v := 0.0; v <= maxY*1.0001; v += step(maxY) {
		fmt.Fprintf(b, `<path d="M%d %.1fH%d" stroke="#ddd"/>`+"\n", left, y(v), width-right)
		text(b, left-6, y(v)+4, "end", "#000", fmt.Sprintf("%g", round(v)))
	}
	for v := 0.0; v <= maxX*1.0001; v += step(maxX) {
		text(b, x(v), height-bottom+15, "middle", "#000", fmt.Sprintf("%g", round(v)))
	}
	text(b, (width-right+left)/2, height-8, "middle", "#000", c.XName)
	fmt.Fprintf(b, `<g transform="rotate(-90 14 %d)">`, height/2)
	text(b, 14, height/2, "middle", "#000", c.YName)
	b.WriteString("</g>\n")
	for i, l := range c.Lines {
		color, dash := colors[i%len(colors)], ""
		if l.Dashed {
			color, dash = "#888", ` stroke-dasharray="5 4"`
		}
		fmt.Fprintf(b, `<path d="%s" fill="none" stroke="%s" stroke-width="1.5"%s/>`+"\n", path(l, x, y), color, dash)
		text(b, width-right+10, float64(top+10+15*i), "start", color, l.Name)
	}
}

// ends are the ends of the axes.
func (c *Chart) ends() (x, y float64) {
	x, y = c.MaxX, c.MaxY
	for _, l := range c.Lines {
		for i := range l.X {
			if c.MaxX == 0 && finite(l.X[i]) {
				x = max(x, l.X[i])
			}
			if c.MaxY == 0 && finite(l.Y[i]) {
				y = max(y, l.Y[i]*1.05)
			}
		}
	}
	return max(x, 1e-9), max(y, 1e-9)
}

func path(l Line, x, y func(float64) float64) string {
	var b strings.Builder
	verb := 'M'
	for i := range l.X {
		if !finite(l.X[i]) || !finite(l.Y[i]) {
			verb = 'M'
			continue
		}
		fmt.Fprintf(&b, "%c%.1f %.1f", verb, x(l.X[i]), y(l.Y[i]))
		verb = 'L'
	}
	return b.String()
}

func text(b *strings.Builder, x, y float64, anchor, color, s string) {
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="%s" fill="%s">`, x, y, anchor, color)
	xml.EscapeText(b, []byte(s)) // a strings.Builder does not fail
	b.WriteString("</text>\n")
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// step is 1, 2 or 5 times a power of ten, for four to ten ticks.
func step(end float64) float64 {
	s := math.Pow(10, math.Floor(math.Log10(end/4)))
	for _, f := range []float64{5, 2} {
		if f*s <= end/4 {
			return f * s
		}
	}
	return s
}

// round removes what adding steps up leaves.
func round(v float64) float64 { return math.Round(v*1e9) / 1e9 }
