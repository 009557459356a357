package render

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"

	"lessgc/cmd/lessgc/internal/history"
	"lessgc/cmd/lessgc/internal/visible"
)

//go:embed course.html.tmpl
var coursePageSource string

var coursePageTemplate = parsed(func() (*template.Template, error) {
	return template.New("course").Funcs(template.FuncMap{"parts": nameParts}).Parse(coursePageSource)
})

// CourseHTML writes the course of a history as one page that needs no network, no script and no
// other file. command is the arguments that led to it. An error is that of w.
func CourseHTML(w io.Writer, c *history.Course, command []string) error {
	return coursePageTemplate().Execute(w, newCoursePage(visible.All(c, visible.Page), visible.All(command, visible.Page)))
}

// Bounds of the page: a browser draws that many points without delay.
const (
	pagePoints = 20_000
	pageRuns   = 60
	pageLeast  = 10 // runs, if there are many rows
)

type coursePage struct {
	*history.Course
	command []string
	first   int // run that is drawn
	rows    int // of all tables that are drawn
}

func newCoursePage(c *history.Course, command []string) *coursePage {
	rows := 0
	for _, t := range c.Tables {
		rows += len(t.Rows)
	}
	runs := min(pageRuns, max(pageLeast, pagePoints/max(rows, 1)))
	return &coursePage{c, command, max(0, len(c.Runs)-runs), pagePoints / runs}
}

// Style returns the style sheet of all pages.
func (p *coursePage) Style() template.CSS { return template.CSS(pageStyle) }

// CommandLine returns the command that makes the page again.
func (p *coursePage) CommandLine() string { return commandLine(p.command) }

// Count is the number of runs in words.
func (p *coursePage) Count() string { return plural(len(p.Runs), "run") }

// Earlier is a sentence about runs that are not drawn, or "".
func (p *coursePage) Earlier() string {
	if p.first == 0 {
		return ""
	}
	return fmt.Sprintf("%s not drawn; -json has all.", plural(p.first, "earlier run"))
}

// Shown are the runs that are drawn.
func (p *coursePage) Shown() []courseRun {
	var all []courseRun
	for i, s := range p.Runs[p.first:] {
		all = append(all, courseRun{s, p.first + i + 1, machines(s)})
	}
	return all
}

type courseRun struct {
	history.Stop
	Number  int
	Machine string
}

// A courseTable is a section of the page.
type courseTable struct {
	Heading string
	Folded  bool // each drawing is
	Plots   []coursePlot
	More    int // rows that are left out
}

// A coursePlot is the drawing of a row, and its table.
type coursePlot struct {
	Name, Package string
	Height, Foot  px
	Left, Right   px
	Zero          px
	Ticks         []svgTick
	Points        []coursePoint
	From, To      string // the commits at the ends
}

type coursePoint struct {
	Number                                         int
	Commit, Time, Class, Title                     string
	Change, Interval, Word, Before, After, Against string
	X, Y, Lo, Hi                                   px
	Bounded, None                                  bool
}

// Sections are the tables with their drawings.
func (p *coursePage) Sections() []courseTable {
	var all []courseTable
	room := p.rows
	for _, t := range p.Tables {
		out := courseTable{Heading: courseHeading(t), Folded: len(t.Rows) > manyRows}
		for _, row := range t.Rows {
			if room == 0 {
				out.More++
				continue
			}
			room--
			out.Plots = append(out.Plots, p.plot(t, row))
		}
		all = append(all, out)
	}
	return all
}

// plot draws a row: the runs from the left to the right, less above more.
func (p *coursePage) plot(t history.Table, row history.Row) coursePlot {
	const top, foot, left, right = 10, 130, 58, plotWidth - 8
	axis := courseAxis(row, len(p.Runs)-p.first)
	axis.from, axis.to = foot, top
	plot := coursePlot{Name: rowName(row), Package: row.Package, Height: foot + 24, Foot: foot, Left: left, Right: right, Ticks: axis.upright()}
	plot.Zero, _ = axis.at(1)
	runs := p.Runs[p.first:]
	for i, s := range runs {
		point := coursePoint{Number: p.first + i + 1, Commit: orNone(shortCommit(s.Commit)), Time: s.Time.Format("2006-01-02 15:04"), X: px(left + (right-left)*(float64(i)+0.5)/float64(len(runs)))}
		x := row.Points[p.first+i]
		if x == nil {
			point.None = true
			plot.Points = append(plot.Points, point)
			continue
		}
		point.Change, point.Interval, point.Word = pointWords(t, x)
		point.Class, point.Bounded, point.Against = string(x.Word), x.Bounded, x.Against
		point.Y, _ = axis.at(x.Ratio)
		if x.Bounded {
			point.Lo, _ = axis.at(x.Lo)
			point.Hi, _ = axis.at(x.Hi)
		}
		if x.Median != 0 || x.Baseline != 0 {
			point.Before, point.After = amount(x.Baseline, t.Unit), amount(x.Median, t.Unit)
		}
		point.Title = fmt.Sprintf("%s, %s: %s %s %s; %s, against %s", point.Commit, point.Time, point.Change, point.Interval, point.Word, plural(x.Pairs, "pair"), x.Against)
		plot.Points = append(plot.Points, point)
	}
	plot.From, plot.To = plot.Points[0].Commit, plot.Points[len(plot.Points)-1].Commit
	return plot
}

// upright names as many changes as an axis from below to above has room for.
func (a svgAxis) upright() []svgTick {
	const room = 17
	zero, _ := a.at(1)
	ticks := []svgTick{{zero, "0"}}
	for _, side := range tickChanges {
		last := zero
		for _, change := range side {
			if at, cut := a.at(1 + change/100); !cut && math.Abs(float64(at-last)) >= room {
				ticks = append(ticks, svgTick{at, fmt.Sprintf("%+g %%", change)})
				last = at
			}
		}
	}
	return ticks
}
