package render

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"lessgc/cmd/lessgc/internal/advice"
	"lessgc/cmd/lessgc/internal/ceiling"
	"lessgc/cmd/lessgc/internal/flame"
	"lessgc/cmd/lessgc/internal/visible"
)

var (
	//go:embed advice.html.tmpl
	advicePageSource string
	//go:embed advice_page.css
	advicePageStyle string
	//go:embed advice_page.js
	advicePageScript string
)

var advicePageTemplate = parsed(func() (*template.Template, error) {
	return template.Must(template.New("advice").Funcs(template.FuncMap{
		"code": func(line string) string { return visible.Lines(line[:min(len(line), visible.Page)]) }, "amount": amount, "share": share,
		"span": func(r advice.Range) string { return fmt.Sprintf("%.1f to %.1f\u00a0%%", 100*r.Lo, 100*r.Hi) },
		"saves": func(r advice.Range) string {
			if !r.Sure() {
				return unsure(r)
			}
			return "saves " + strings.ReplaceAll(gainText(r), " %", "\u00a0%")
		},
		"perOp": perOp, "settingAt": settingAt, "savedAt": savedAt, "memoryAt": memoryAt,
		"size": func(n int64) string {
			if n < 0 {
				return "–"
			}
			return amount(float64(n), "B")
		},
		"count":   count,
		"percent": func(share float64) string { return fmt.Sprintf("%.1f\u00a0%%", 100*share) },
		"decimal": func(share float64) string { return fmt.Sprintf("%.1f", 100*share) },
		"whole":   func(share float64) string { return fmt.Sprintf("%.0f\u00a0%%", 100*share) },
	}).Parse(advicePageSource)).Parse(flameSource)
})

// An AdvicePage holds the contents of a report's page besides the report.
type AdvicePage struct {
	Title   string   // what was profiled
	Command []string // the arguments that led to it
	Graphs  []*flame.Graph
	Source  func(file string, line int) []advice.SourceLine // the lines around one; nil for none
}

// AdviceHTML writes a report as one page that needs no network and no other file. Its
// scripts are in it, and named by their hashes in its policy. An error is that of w.
func AdviceHTML(w io.Writer, r *advice.Report, p AdvicePage) error {
	p.Title, p.Command = visible.All(p.Title, visible.Page), visible.All(p.Command, visible.Page)
	return advicePageTemplate().Execute(w, newAdvicePage(visible.All(r, visible.Page), p))
}

// manySites limits the lines that the page shows: those beyond cost too little to look
// at, and the JSON form has them.
const manySites = 100

// An advicePage is a report together with the template's methods.
type advicePage struct {
	*advice.Report
	AdvicePage
	Flames flamePart
	Lines  []pageSite
}

func newAdvicePage(r *advice.Report, p AdvicePage) *advicePage {
	out := &advicePage{Report: r, AdvicePage: p, Flames: newFlamePart(p.Graphs)}
	if r.Sites != nil {
		for i, s := range r.Sites.Sites[:min(manySites, len(r.Sites.Sites))] {
			out.Lines = append(out.Lines, out.line(i, s))
		}
	}
	return out
}

// Style returns the style sheet of all pages, with the additions of this one.
func (p *advicePage) Style() template.CSS {
	return template.CSS(pageStyle + advicePageStyle)
}

// Script filters the lines of code.
func (p *advicePage) Script() template.JS { return template.JS(advicePageScript) }

// Policy returns the content security policy: it allows what the page holds, and nothing else.
func (p *advicePage) Policy() string {
	return "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src " + policy(advicePageScript) + " " + policy(flameScript)
}

// CommandLine returns the command that makes the page again.
func (p *advicePage) CommandLine() string { return commandLine(p.Command) }

// Ranked reports whether lines are ranked by cost, rather than by bytes.
func (p *advicePage) Ranked() bool { return p.Costs != nil && p.Costs.Enough }

// A ceilingBar is the CPU time by classes, 1000 units wide.
type ceilingBar struct {
	Name, Total string
	Parts       []ceilingPart
}

type ceilingPart struct {
	Title, Class string
	X, Width     px
}

// Bars returns the bar of the profile, and that of the published example.
func (p *advicePage) Bars() []ceilingBar {
	example := []advice.Class{{Name: ceiling.Alloc.String(), Share: ceiling.Share{Share: 0.14}}, {Name: ceiling.Mark.String(), Share: ceiling.Share{Share: 0.05}}}
	return []ceilingBar{
		newCeilingBar("This program", fmt.Sprintf("%.1f %%", 100*p.Costs.Bill.Share), p.Costs.Classes),
		newCeilingBar("The published example", "14 % + 5 % = 19 %", example),
	}
}

func newCeilingBar(name, total string, classes []advice.Class) ceilingBar {
	b := ceilingBar{Name: name, Total: total}
	x := px(0)
	for _, c := range classes {
		width := px(1000 * c.Share.Share)
		b.Parts = append(b.Parts, ceilingPart{fmt.Sprintf("%s, %.1f %%", c.Name, 100*c.Share.Share), classOf(c.Name).color, x, width})
		x += width
	}
	return b
}

// A costClass holds the colour and the description of a class of CPU time.
type costClass struct{ color, what string }

var costClasses = map[ceiling.Class]costClass{
	ceiling.Alloc:      {"s1", "finding memory for objects, and zeroing it"},
	ceiling.Assist:     {"s5", "goroutines mark, because they allocate faster than the workers mark"},
	ceiling.Dedicated:  {"s2", "workers mark on processors of their own"},
	ceiling.Fractional: {"s3", "workers mark for part of the time"},
	ceiling.Idle:       {"aa", "workers mark on processors that had nothing to do: the program would be no faster without"},
	ceiling.Mark:       {"s2", "workers mark, the profile does not tell of which kind"},
	ceiling.Sweep:      {"s4", "finding what was not marked"},
	ceiling.Scavenge:   {"s0", "giving memory back to the system"},
	ceiling.Stop:       {"s6", "stopping and starting the world"},
	ceiling.Barrier:    {"s7", "telling the collector of pointers that are written while it marks"},
	ceiling.Copy:       {"copy", "moving the elements of slices that have no room"},
}

// classOf returns the look of the class with a name; one it does not know has no colour.
func classOf(name string) costClass {
	i := slices.IndexFunc(ceiling.Costs(), func(c ceiling.Class) bool { return c.String() == name })
	if i < 0 {
		return costClass{}
	}
	return costClasses[ceiling.Costs()[i]]
}

// A pageClass is a row of the table of classes.
type pageClass struct{ Name, Color, What, Share string }

// Classes are the rows of the table.
func (p *advicePage) Classes() []pageClass {
	var all []pageClass
	for _, c := range p.Costs.Classes {
		shown := classOf(c.Name)
		all = append(all, pageClass{c.Name, shown.color, shown.what, share(c.Share)})
	}
	return all
}

// A pageSite is a line of code together with the template's methods.
type pageSite struct {
	advice.Site
	Page     *advicePage
	Rank     int
	Open     bool
	Function string // without the folders of its package
	Location string
	Code     []pageLine
}

type pageLine struct {
	advice.SourceLine
	Here bool
}

// line is the site of a rank, from 0.
func (p *advicePage) line(i int, s advice.Site) pageSite {
	x := pageSite{Site: s, Page: p, Rank: i + 1, Open: i == 0, Function: shortFunc(s.Func), Location: location(s)}
	if p.Source != nil {
		for _, l := range p.Source(s.File, s.Line) {
			x.Code = append(x.Code, pageLine{l, l.Line == s.Line})
		}
	}
	return x
}

// count is a number of objects, in few digits.
func count(n int64) string {
	if n < 10_000 {
		return grouped(float64(n))
	}
	return amount(float64(n), "objects")
}

// shortFunc is a function without the folders of its package. Those of type parameters
// stay.
func shortFunc(name string) string {
	head := name
	if i := strings.IndexAny(name, "[("); i >= 0 {
		head = name[:i]
	}
	return name[strings.LastIndexByte(head, '/')+1:]
}

// firstSites is the number of lines that are shown before the others, which are folded.
const firstSites = 20

// First returns the lines at the top.
func (p *advicePage) First() []pageSite {
	return p.Lines[:min(firstSites, len(p.Lines))]
}

// Rest returns the lines that are folded.
func (p *advicePage) Rest() []pageSite { return p.Lines[len(p.First()):] }

// More formats the share of the sites that are not shown, or "".
func (p *advicePage) More() string {
	if len(p.Sites.Sites) <= manySites {
		return ""
	}
	rest := 0.0
	for _, s := range p.Sites.Sites[manySites:] {
		rest += s.Share
	}
	return fmt.Sprintf("%d more lines have %.1f %% of the bytes; lessgc advise -json has all of them.", len(p.Sites.Sites)-manySites, 100*rest)
}

// A pageLever is a change that pays for some of the sites, or for the whole program.
type pageLever struct {
	advice.Lever
	Sites []leverSite
}

// A leverSite is a site with the lever's gain there.
type leverSite struct {
	pageSite
	Gain *advice.Range
}

// ToTry are the levers of the whole program, and those that come first for the sites that
// are shown, with the sites.
func (p *advicePage) ToTry() []pageLever {
	var all []pageLever
	for _, l := range p.Levers {
		all = append(all, pageLever{Lever: l})
	}
	return append(all, p.grouped(func(g leverGroup) bool { return g.Asks == "" })...)
}

// Candidates returns those that come first at the sites shown, with the sites.
func (p *advicePage) Candidates() []pageLever {
	return p.grouped(func(g leverGroup) bool { return g.Asks != "" })
}

func (p *advicePage) grouped(of func(leverGroup) bool) (all []pageLever) {
	for _, g := range groupLevers(p.Report, len(p.Lines)) {
		if !of(g) {
			continue
		}
		l := pageLever{Lever: g.Lever}
		for _, i := range g.Sites {
			l.Sites = append(l.Sites, leverSite{p.Lines[i], p.Lines[i].Levers[0].Gain})
		}
		all = append(all, l)
	}
	return all
}

// Way is a way from a site to what allocates, in short.
func (pageSite) Way(l advice.Leaf) string { return path(l.Calls) }

// Where returns the line on which a reason's memory is allocated.
func (pageSite) Where(r advice.Reason) string { return shortPlace(r.File, r.Line) }

// Beside returns the line of evidence, as seen from its site.
func (s pageSite) Beside(e advice.Evidence) string {
	switch {
	case e.Line == 0:
		return ""
	case e.File == s.File || e.File == "":
		return fmt.Sprintf("line %d", e.Line)
	}
	return fmt.Sprintf("%s:%d", filepath.Base(e.File), e.Line)
}

// Editor is a link that opens the line in Visual Studio Code; "" if its file is not here.
func (s pageSite) Editor() template.URL {
	if len(s.Code) == 0 || !filepath.IsAbs(s.File) {
		return ""
	}
	u := url.URL{Scheme: "vscode", Host: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(s.File), "/") + ":" + strconv.Itoa(s.Line)}
	return template.URL(u.String())
}
