package render

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"lessgc/cmd/lessgc/internal/verdict"
)

// The drawings are geometry only: the template writes the elements, so that
// every name in them is escaped where it stands. All are 400 units wide, which
// is legible on a telephone and three abreast on a desk.
const plotWidth = 400

// A px is a length in a drawing, written with one digit.
type px float64

func (p px) String() string { return strconv.FormatFloat(math.Round(float64(p)*10)/10, 'f', -1, 64) }

type svgTick struct {
	At    px
	Label string
}

type svgBand struct{ X, Width px }

// A svgAxis maps ratios to positions on a logarithmic scale, on which half and
// double lie equally far from 1.
type svgAxis struct {
	reach    float64 // largest |log ratio| that has a position
	from, to float64 // units
}

// at returns the position of a ratio. cut is true if it lies beyond the end, where it
// is put.
func (a svgAxis) at(ratio float64) (at px, cut bool) {
	x := math.Log(ratio) / a.reach
	if math.IsNaN(x) {
		x = 0
	}
	clamped := min(max(x, -1), 1)
	return px(a.from + (a.to-a.from)*(clamped+1)/2), x != clamped
}

// around is the band of ratios that differ by less than d.
func (a svgAxis) around(d float64) *svgBand {
	if d <= 0 {
		return nil
	}
	lo, _ := a.at(1 / (1 + d))
	hi, _ := a.at(1 + d)
	return &svgBand{lo, hi - lo}
}

// tickChanges are the changes that an axis may name, in percent.
var tickChanges = [][]float64{
	{0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 400, 900, 1900},
	{-0.2, -0.5, -1, -2, -5, -10, -20, -30, -50, -70, -80, -90, -95},
}

// ticks names as many changes as there is room for, from the middle outwards.
func (a svgAxis) ticks() []svgTick {
	const room, edge = 46, 22
	zero, _ := a.at(1)
	ticks := []svgTick{{zero, "0"}}
	for _, side := range tickChanges {
		last := zero
		for _, change := range side {
			at, cut := a.at(1 + change/100)
			if !cut && math.Abs(float64(at-last)) >= room && float64(at) >= a.from+edge && float64(at) <= a.to-edge {
				ticks = append(ticks, svgTick{at, fmt.Sprintf("%+g %%", change)})
				last = at
			}
		}
	}
	return ticks
}

// A forest is the interval plots of one metric, on one scale.
type forest struct {
	Heading    string
	Open       bool
	Less, More string // what the directions mean
	Plots      []forestPlot
}

type forestPlot struct {
	Name, Package   string
	Height, Foot    px // all, and where the axis is
	Label1, Label2  px // baselines of the two lines of words below it
	Zero            px
	Margin, Floor   *svgBand
	Ticks           []svgTick
	Lines           []forestLine
	HeadY, FootLine px
}

type forestLine struct {
	Name, Full, Text, Class, Title string
	TextY, Y                       px
	X, Lo, Hi                      px
	Bounded                        bool
	Arrows                         []string // outlines of the ends that lie outside
}

// Forests are the interval plots of all metrics that have intervals.
func (p *page) Forests() []forest {
	var all []forest
	for m, metric := range p.Metrics {
		if metric.Exact || metric.Show().Collector || len(compared(p.Report, m)) == 0 {
			continue
		}
		f := forest{Heading: p.heading(m), Open: len(all) == 0, Less: "less " + metric.Title, More: "more " + metric.Title}
		axis := p.ratioAxis(m)
		for _, row := range p.plotRows() {
			for _, cells := range p.byGroup() {
				if plot, ok := p.forestPlot(row, m, cells, axis); ok {
					f.Plots = append(f.Plots, plot)
				}
			}
		}
		all = append(all, f)
	}
	return all
}

// plotRows are the mean and then all rows.
func (p *page) plotRows() []int {
	rows := []int{verdict.Geomean}
	for row := range p.Rows {
		rows = append(rows, row)
	}
	return rows
}

// ratioAxis holds all that is plotted of a metric, up to a factor of 20.
func (p *page) ratioAxis(m int) svgAxis {
	reach := 1.8 * math.Log1p(max(p.Margin, 0.01))
	for _, x := range p.Comparisons {
		if x.Metric != m {
			continue
		}
		ends := []float64{x.Ratio, 1 + x.Floor}
		if x.Bounded {
			ends = append(ends, x.Lo, x.Hi)
		}
		for _, end := range ends {
			if l := math.Abs(math.Log(end)); l <= math.Log(20) {
				reach = max(reach, 1.08*l)
			}
		}
	}
	return svgAxis{reach, 4, plotWidth - 4}
}

func (p *page) forestPlot(row, m int, cells []int, axis svgAxis) (forestPlot, bool) {
	plot := forestPlot{Name: "geometric mean" + against(p.Report, cells)}
	if row != verdict.Geomean {
		plot.Name, plot.Package = p.Rows[row].Name, p.packageOf(row)
	}
	for _, c := range cells {
		if x := p.comparisons[pageSpot{row, c, m}]; x != nil {
			plot.add(p.forestLine(x, axis), x, axis)
		}
	}
	plot.close(axis)
	plot.Margin, plot.Floor = axis.around(p.Margin), axis.around(p.floor(row, m, cells))
	return plot, len(plot.Lines) > 0
}

// The height of a line of a forest, and where the first begins.
const forestPitch, forestHead = 34, 4

// add places a line below the others.
func (f *forestPlot) add(line forestLine, x *verdict.Comparison, axis svgAxis) {
	top := forestHead + forestPitch*len(f.Lines)
	line.TextY, line.Y = px(top+13), px(top+24)
	line.Arrows = arrows(x, axis, float64(line.Y))
	f.Lines = append(f.Lines, line)
}

// close places the axis below the lines.
func (f *forestPlot) close(axis svgAxis) {
	foot := px(forestHead + forestPitch*len(f.Lines) + 2)
	f.HeadY = forestHead
	f.Foot, f.FootLine, f.Label1, f.Label2, f.Height = foot, foot+4, foot+20, foot+37, foot+44
	f.Zero, _ = axis.at(1)
	f.Ticks = axis.ticks()
}

// byGroup lists the cells of each group, those that are only a measure of noise
// last.
func (p *page) byGroup() [][]int {
	var groups [][]int
	for c, cell := range p.Cells {
		i := slices.IndexFunc(groups, func(g []int) bool { return p.Cells[g[0]].Group == cell.Group })
		if i < 0 {
			i = len(groups)
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], c)
	}
	for _, cells := range groups {
		slices.SortStableFunc(cells, func(a, b int) int {
			switch {
			case p.Cells[a].AA == p.Cells[b].AA:
				return 0
			case p.Cells[a].AA:
				return 1
			}
			return -1
		})
	}
	return groups
}

func (p *page) forestLine(x *verdict.Comparison, axis svgAxis) forestLine {
	cell := p.Cells[x.Cell]
	line := intervalLine(x, axis)
	line.Name, line.Full, line.Class = shorten(cell.Name, 24), cell.Name, string(x.Word)
	if cell.AA {
		line.Class = "noise"
	} else {
		line.Text += " " + string(x.Word)
	}
	line.Title = fmt.Sprintf("%s against %s: %s; %s", cell.Name, p.Cells[x.Ref].Name, line.Text, p.small(x))
	return line
}

// intervalLine places a ratio and its interval.
func intervalLine(x *verdict.Comparison, axis svgAxis) forestLine {
	line := forestLine{Bounded: x.Bounded, Text: change(x)}
	line.X, _ = axis.at(x.Ratio)
	if x.Bounded {
		line.Lo, _ = axis.at(x.Lo)
		line.Hi, _ = axis.at(x.Hi)
	}
	return line
}

// arrows point to what lies beyond the ends of the axis.
func arrows(x *verdict.Comparison, axis svgAxis, y float64) []string {
	var out []string
	_, point := axis.at(x.Ratio)
	lo, hi := point && x.Ratio < 1, point && x.Ratio > 1
	if x.Bounded {
		_, cutLo := axis.at(x.Lo)
		_, cutHi := axis.at(x.Hi)
		lo, hi = lo || cutLo && x.Lo < 1, hi || cutHi && x.Hi > 1
	}
	if lo {
		out = append(out, fmt.Sprintf("M%v %vl8 -5v10z", px(axis.from-4), px(y)))
	}
	if hi {
		out = append(out, fmt.Sprintf("M%v %vl-8 -5v10z", px(axis.to+4), px(y)))
	}
	return out
}

// shorten cuts a name for a drawing, where lines do not wrap. The whole name is
// then in a title.
func shorten(s string, most int) string {
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return string(runes[:most-1]) + "…"
}

// The measures of a bar chart.
const (
	barLeft    = 112
	barRoom    = 212
	barPitch   = 17
	barLongest = 3 // times the baseline; longer ones are cut
)

// Where the dots of a scatter may lie.
const scatterLeft, scatterRight, scatterTop, scatterFoot = 62.0, 392.0, 10.0, 180.0
