package render

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/curve"
	"lessgc/cmd/lessgc/internal/visible"
)

//go:embed tune.html.tmpl
var tuneSource string

var tuneTemplate = parsed(func() (*template.Template, error) {
	return template.New("tune").Parse(tuneSource)
})

// TunePage writes the report as one page without scripts: the curve of each program with its intervals, and what was
// measured over it. An error is that of w.
func TunePage(w io.Writer, r *curve.Report) error {
	return tuneTemplate().Execute(w, &tunePage{visible.All(r, visible.Page)})
}

type tunePage struct{ *curve.Report }

func (p *tunePage) Style() template.CSS { return template.CSS(pageStyle) }

// Programs are the subjects with their drawings.
func (p *tunePage) Programs() []tuneSubject {
	var all []tuneSubject
	for i := range p.Subjects {
		all = append(all, tuneSubject{&p.Subjects[i], p.Report})
	}
	return all
}

// RecordText is the record of predictions, or "".
func (p *tunePage) RecordText() string {
	if p.Record == nil || p.Record.GC.All == 0 {
		return ""
	}
	r := p.Record
	return fmt.Sprintf("Of all predictions that were measured, inside their 90 %% interval: GC CPU %d of %d, peak RSS %d of %d, all CPU %d of %d.",
		r.GC.Inside, r.GC.All, r.RSS.Inside, r.RSS.All, r.CPU.Inside, r.CPU.All)
}

type tuneSubject struct {
	*curve.Subject
	report *curve.Report
}

func (s tuneSubject) Observed() string     { return observedText(s.Subject) }
func (s tuneSubject) LimitTexts() []string { return limitTexts(s.Subject) }
func (s tuneSubject) Texts() []string      { return adviceTexts(s.report, s.Subject) }
func (s tuneSubject) Table() [][]string    { return tuneTable(s.Subject) }
func (s tuneSubject) ToSet() string        { return strings.Join(SettingLines(s.Subject), "\n") }
func (s tuneSubject) Worth() bool          { return s.Advice.Change || s.Limit > 0 }
func (s tuneSubject) Measured() bool       { return len(s.Outcomes) > 0 }
func (s tuneSubject) Proof() [][]string    { return outcomeTable(s.Subject) }
func (s tuneSubject) Bounded() [][]string {
	if len(s.Limits) == 0 {
		return nil
	}
	return limitTable(s.Subject)
}

// A tuneChart is one figure over GOGC, whose scale is logarithmic: the line of the prediction, the band of its interval, and
// points with intervals for what was measured.
type tuneChart struct {
	Title, Line, Band string
	X, Y              []svgTick
	Points            []tunePoint
	Best              px // where the recommended setting is; 0 for none
}

type tunePoint struct{ X, Y, Lo, Hi px }

// The frame of a chart.
const (
	tuneLeft, tuneRight = 68, 380
	tuneTop, tuneFoot   = 12, 200
)

// Charts returns the charts of GC CPU, all CPU and peak memory.
func (s tuneSubject) Charts() []tuneChart {
	memory := func(p *curve.Prediction) curve.Value { return p.RSS }
	name := "peak RSS"
	if s.RSS == 0 {
		memory, name = func(p *curve.Prediction) curve.Value { return p.Heap }, "peak of the heap"
	}
	share := func(v float64) string { return fmt.Sprintf("%.3g %%", 100*v) }
	all := []tuneChart{
		s.chart("GC CPU, share of "+s.Of, share, func(p *curve.Prediction) curve.Value { return p.GC }, func(o *curve.Outcome) curve.Value { return o.GC }),
		s.chart(name, func(v float64) string { return size(int64(v)) }, memory, func(o *curve.Outcome) curve.Value { return o.RSS }),
	}
	if s.Of == curve.Busy {
		all = append(all, s.chart("all CPU, of that observed", share, func(p *curve.Prediction) curve.Value { return p.CPU }, func(o *curve.Outcome) curve.Value { return o.CPU }))
	}
	return all
}

func (s tuneSubject) chart(title string, label func(float64) string, value func(*curve.Prediction) curve.Value, measured func(*curve.Outcome) curve.Value) tuneChart {
	c := tuneChart{Title: title}
	curveOf := slices.DeleteFunc(slices.Clone(s.Curve), func(p curve.Prediction) bool { return p.Setting.GOGC <= 0 })
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range curveOf {
		v := value(&curveOf[i])
		lo, hi = min(lo, v.Lo), max(hi, v.Hi)
	}
	for i := range s.Outcomes {
		if v := measured(&s.Outcomes[i]); v.Value > 0 && s.Outcomes[i].Setting.GOGC > 0 {
			lo, hi = min(lo, v.Lo), max(hi, v.Hi)
		}
	}
	if !(hi > lo) {
		hi = lo + 1
	}
	x := func(gogc float64) px {
		return px(tuneLeft + (tuneRight-tuneLeft)*math.Log(gogc/25)/math.Log(1600.0/25))
	}
	y := func(v float64) px { return px(tuneFoot - (tuneFoot-tuneTop)*(v-lo)/(hi-lo)) }
	var line, up, down []string
	for i := range curveOf {
		p := &curveOf[i]
		v := value(p)
		at := x(p.Setting.GOGC)
		line = append(line, fmt.Sprintf("%v %v", at, y(v.Value)))
		up = append(up, fmt.Sprintf("%v %v", at, y(v.Hi)))
		down = append(down, fmt.Sprintf("%v %v", at, y(v.Lo)))
	}
	slices.Reverse(down)
	c.Line, c.Band = "M"+strings.Join(line, "L"), "M"+strings.Join(append(up, down...), "L")+"Z"
	for _, g := range []float64{25, 50, 100, 200, 400, 800, 1600} {
		c.X = append(c.X, svgTick{x(g), gogcText(g)})
	}
	for i := range 5 {
		v := lo + (hi-lo)*float64(i)/4
		c.Y = append(c.Y, svgTick{y(v), label(v)})
	}
	for i := range s.Outcomes {
		o := &s.Outcomes[i]
		if v := measured(o); v.Value > 0 && o.Setting.GOGC > 0 {
			c.Points = append(c.Points, tunePoint{x(o.Setting.GOGC), y(v.Value), y(v.Lo), y(v.Hi)})
		}
	}
	if s.Advice.Change && s.Advice.Best.Setting.GOGC > 0 {
		c.Best = x(s.Advice.Best.Setting.GOGC)
	}
	return c
}
