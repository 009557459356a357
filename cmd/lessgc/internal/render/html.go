package render

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"
	"sync"

	"lessgc/cmd/lessgc/internal/verdict"
	"lessgc/cmd/lessgc/internal/visible"
)

var (
	//go:embed html.tmpl
	pageSource string
	//go:embed page.css
	pageStyle string // of all pages
)

// parsed returns a template that is parsed at its first use: most runs of the command, and
// the helper of every trial, show no page.
func parsed(parse func() (*template.Template, error)) func() *template.Template {
	return sync.OnceValue(func() *template.Template { return template.Must(parse()) })
}

var pageTemplate = parsed(func() (*template.Template, error) {
	return template.New("report").Funcs(template.FuncMap{"parts": nameParts}).Parse(pageSource)
})

// HTML writes the report as one page. It needs no network, no script and no
// other file, so that it can be mailed, attached to a build or kept for years.
// It returns an error only if w does.
func HTML(w io.Writer, r *verdict.Report) error {
	return pageTemplate().Execute(w, newPage(visible.All(r, visible.Page)))
}

// Above these counts of rows part of the page starts folded.
const (
	manyRows  = 12
	manyPlots = 6
)

// A page is a report together with the template's methods.
type page struct {
	*verdict.Report
	comparisons map[pageSpot]*verdict.Comparison
	values      map[pageSpot]*verdict.Value
}

type pageSpot struct{ row, cell, metric int }

func newPage(r *verdict.Report) *page {
	p := &page{r, map[pageSpot]*verdict.Comparison{}, map[pageSpot]*verdict.Value{}}
	for i := range r.Comparisons {
		x := &r.Comparisons[i]
		p.comparisons[pageSpot{x.Row, x.Cell, x.Metric}] = x
	}
	for i := range r.Values {
		v := &r.Values[i]
		p.values[pageSpot{v.Row, v.Cell, v.Metric}] = v
	}
	return p
}

// Style returns the style sheet of all pages.
func (p *page) Style() template.CSS { return template.CSS(pageStyle) }

// Question returns the question that the page answers.
func (p *page) Question() string {
	if len(p.Answers) == 0 {
		return "Nothing was compared"
	}
	return question(p.Report)
}

// Title distinguishes pages in several tabs: by the packages, the revision that the working
// tree is compared with, and the command.
func (p *page) Title() string {
	parts := []string{p.Question()}
	if path := p.commonPackage(); path != "" {
		parts = append(parts, path)
	}
	if len(p.Answers) > 0 {
		if ref := p.Cells[p.Answers[0].Cell].Ref; ref >= 0 && strings.Contains(p.Cells[ref].Name, "base ") {
			parts = append(parts, "against "+p.Cells[ref].Name)
		}
	}
	return strings.Join(append(parts, "lessgc "+strings.Join(p.Command, " ")), " – ")
}

// commonPackage is the path that all packages of the rows begin with.
func (p *page) commonPackage() string {
	var common []string
	for i, row := range p.Rows {
		path := strings.Split(row.Package, "/")
		if i == 0 {
			common = path
		}
		n := 0
		for n < min(len(common), len(path)) && common[n] == path[n] {
			n++
		}
		common = common[:n]
	}
	return strings.Join(common, "/")
}

// Scope describes the measurement in one line, and the machine.
func (p *page) Scope() []string {
	shown := 0
	for _, c := range p.Cells {
		if !c.AA {
			shown++
		}
	}
	scope := []string{plural(len(p.Rows), p.RowNoun()), plural(shown, "variant"), rounds(p.Report)}
	switch {
	case p.Spread():
		scope = append(scope, measuredOn(p.Report))
	case p.Host.CPU != "":
		scope = append(scope, p.Host.CPU)
	}
	if !p.Created.IsZero() {
		scope = append(scope, p.Date())
	}
	return scope
}

// Date returns the time at which the comparison was started.
func (p *page) Date() string { return p.Created.Format("2 January 2006, 15:04 MST") }

// A pageAnswer is an answer with all that is shown beside it.
type pageAnswer struct {
	verdict.Answer
	verdict.Cell
	Against *verdict.Cell // the baseline; nil for none
	Class   string
}

// Differs reports whether the settings differ from the baseline's: with -col they
// often are.
func (a pageAnswer) Differs() bool { return a.Against == nil || a.Against.Settings != a.Settings }

// Verdicts are the answers in the order of the cells.
func (p *page) Verdicts() []pageAnswer {
	var all []pageAnswer
	for _, a := range p.Answers {
		v := pageAnswer{Answer: a, Cell: p.Cells[a.Cell], Class: answerClass(a.Short)}
		if v.Ref >= 0 {
			v.Against = &p.Cells[v.Ref]
		}
		all = append(all, v)
	}
	return all
}

// answerClass is the colour of an answer; a word it does not know has none.
func answerClass(short string) string {
	switch short {
	case "yes", "mostly", "for some":
		return "better"
	case "no", "mostly not", "rather not":
		return "worse"
	}
	return "unclear"
}

// A pageTable compares all cells in one metric.
type pageTable struct {
	verdict.Metric
	Heading  string
	Noun     string // of a row
	Open     bool
	Baseline string // the one baseline of all columns, or ""
	Floor    bool   // there is a column for the A/A noise
	Tall     bool   // it scrolls below its header
	Columns  []pageColumn
	Rows     []pageRow
}

type pageColumn struct{ Name, Against string }

type pageRow struct {
	Name, Package   string
	Mean            bool
	Baseline, Floor string
	Cells           []pageCell
}

// A pageCell is one comparison; without Change there is none.
type pageCell struct {
	Change, Interval, Detail, Title string
	Word                            verdict.Word
	Need                            string
}

// Tables returns the tables of the metrics that are compared. The
// figures of the collector have a table of their own.
func (p *page) Tables() []pageTable {
	var all []pageTable
	for m, metric := range p.Metrics {
		if metric.Show().Collector {
			continue
		}
		first := len(all) == 0
		for _, cells := range compared(p.Report, m) {
			all = append(all, p.table(m, cells, first))
		}
	}
	return all
}

func (p *page) table(m int, cells []int, first bool) pageTable {
	t := pageTable{Metric: p.Metrics[m], Noun: strings.ToUpper(p.RowNoun()[:1]) + p.RowNoun()[1:], Heading: p.heading(m) + against(p.Report, cells), Open: first || p.worse(m, cells), Floor: !p.Metrics[m].Exact, Tall: p.ManyRows()}
	ref, one := commonRef(p.Report, cells)
	if one {
		t.Baseline = p.Cells[ref].Name
	}
	for _, c := range cells {
		column := pageColumn{Name: p.Cells[c].Name}
		if !one {
			column.Against = p.Cells[p.Cells[c].Ref].Name
		}
		t.Columns = append(t.Columns, column)
	}
	for row := range p.Rows {
		if first && p.Cells[cells[0]].Group == "" || p.measured(row, m, cells) {
			t.Rows = append(t.Rows, p.row(row, m, cells, one))
		}
	}
	if slices.ContainsFunc(cells, func(c int) bool { return p.comparisons[pageSpot{verdict.Geomean, c, m}] != nil }) {
		t.Rows = append(t.Rows, p.row(verdict.Geomean, m, cells, one))
	}
	return t
}

// worse reports whether the table has a verdict of worse. Such a table starts open.
func (p *page) worse(m int, cells []int) bool {
	return slices.ContainsFunc(p.Comparisons, func(x verdict.Comparison) bool {
		return x.Metric == m && x.Word == verdict.Worse && slices.Contains(cells, x.Cell)
	})
}

// measured reports whether the row has a value of the metric in one of the cells or
// of their baselines.
func (p *page) measured(row, m int, cells []int) bool {
	for _, c := range cells {
		if p.values[pageSpot{row, c, m}] != nil || p.values[pageSpot{row, p.Cells[c].Ref, m}] != nil {
			return true
		}
	}
	return false
}

func (p *page) row(row, m int, cells []int, oneRef bool) pageRow {
	out := pageRow{Mean: row == verdict.Geomean, Name: "geometric mean"}
	if !out.Mean {
		out.Name, out.Package = p.Rows[row].Name, p.packageOf(row)
	}
	if v := p.values[pageSpot{row, p.Cells[cells[0]].Ref, m}]; v != nil && oneRef {
		out.Baseline = amount(v.Median, p.Metrics[m].Unit)
	}
	if f := p.floor(row, m, cells); f > 0 {
		out.Floor = fmt.Sprintf("±%.1f %%", 100*f)
	}
	for _, c := range cells {
		out.Cells = append(out.Cells, p.cell(p.comparisons[pageSpot{row, c, m}], oneRef))
	}
	return out
}

// packageOf is the row's package if there are several, else "".
func (p *page) packageOf(row int) string {
	if slices.ContainsFunc(p.Rows, func(r verdict.Row) bool { return r.Package != p.Rows[row].Package }) {
		return p.Rows[row].Package
	}
	return ""
}

// floor returns the distance that two copies of the cells' baseline may have, as a ratio
// minus 1, or 0 if that is not known.
func (p *page) floor(row, m int, cells []int) float64 {
	for _, c := range cells {
		if x := p.comparisons[pageSpot{row, c, m}]; x != nil && x.Floor > 0 && !math.IsInf(x.Floor, 0) {
			return x.Floor
		}
	}
	return 0
}

func (p *page) cell(x *verdict.Comparison, oneRef bool) pageCell {
	if x == nil {
		return pageCell{}
	}
	out := pageCell{Change: verdict.Percent(x.Ratio), Word: x.Word, Title: p.small(x)}
	from, to := p.medians(x)
	switch exact := p.Metrics[x.Metric].Exact; {
	case exact && from == to:
		out.Change = "="
	case exact && from == "0":
		out.Change = "0 → " + to // no percentage leads from nothing to something
	case !exact && x.Bounded:
		out.Interval = "[" + verdict.Range(x.Lo, x.Hi) + "]"
	case !exact:
		out.Interval = "no interval"
	}
	if to != "" {
		out.Detail = to
		if !oneRef {
			out.Detail = from + " → " + to
		}
	}
	if n := needs(x); n != "" {
		out.Need = n + " would tell"
	}
	if of := byClass(p.Report, x); of != "" {
		out.Need = of
	}
	return out
}

// medians formats the values that a comparison compares; "" for a mean.
func (p *page) medians(x *verdict.Comparison) (from, to string) {
	unit := p.Metrics[x.Metric].Unit
	if v := p.values[pageSpot{x.Row, x.Ref, x.Metric}]; v != nil {
		from = amount(v.Median, unit)
	}
	if v := p.values[pageSpot{x.Row, x.Cell, x.Metric}]; v != nil {
		to = amount(v.Median, unit)
	}
	return from, to
}

// small is the small print of a comparison.
func (p *page) small(x *verdict.Comparison) string {
	pairs := plural(x.N, "pair")
	if !x.Bounded {
		return pairs
	}
	return fmt.Sprintf("%s, p = %.3g, after Holm's correction %.3g", pairs, x.P, x.Adjusted)
}

// heading is the title of a metric with what it is counted by.
func (p *page) heading(m int) string {
	metric := p.Metrics[m]
	title := metric.Title
	if !metric.Own() {
		title = strings.ToUpper(title[:1]) + title[1:]
	}
	switch {
	case !strings.HasSuffix(metric.Unit, "/op") || metric.Own():
		return title
	case p.Program:
		return title + " per run"
	case p.Load:
		return title + " per request"
	}
	return title + " per operation"
}

// ManyRows reports whether tables scroll below their header, and bars are folded.
func (p *page) ManyRows() bool { return len(p.Rows) > manyRows }

// ManyPlots reports whether each scatter is folded.
func (p *page) ManyPlots() bool { return len(p.Rows) > manyPlots }

// MarginText is the difference that does not matter, as a percentage.
func (p *page) MarginText() string { return fmt.Sprintf("%.3g %%", 100*p.Margin) }

// AlphaText is the level of significance, as a percentage.
func (p *page) AlphaText() string { return fmt.Sprintf("%.3g %%", 100*p.Alpha) }

// Looked reports whether the data were judged before they were complete.
func (p *page) Looked() bool { return p.Alpha > 0 && p.Alpha < 0.05 }

// MemoryText is the size of the host's memory, or "".
func (p *page) MemoryText() string {
	if p.Host.Memory <= 0 {
		return ""
	}
	return amount(float64(p.Host.Memory), "B")
}

// CommandLine returns the command that measures again.
func (p *page) CommandLine() string { return commandLine(p.Command) }

func commandLine(args []string) string {
	words := []string{"lessgc"}
	for _, w := range args {
		words = append(words, shellQuote(w))
	}
	return strings.Join(words, " ")
}
