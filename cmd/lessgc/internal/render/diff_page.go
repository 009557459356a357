package render

import (
	_ "embed"
	"html/template"
	"io"

	"lessgc/cmd/lessgc/internal/diff"
	"lessgc/cmd/lessgc/internal/flame"
	"lessgc/cmd/lessgc/internal/visible"
)

//go:embed diff.html.tmpl
var diffPageSource string

var diffPageTemplate = parsed(func() (*template.Template, error) {
	return template.Must(template.New("diff").Funcs(template.FuncMap{
		"per": per, "quantity": quantity, "signed": signed, "interval": interval, "savings": savings, "measured": measuredSavings, "scope": scoreScope, "location": appliedLocation, "changeOf": changeOf, "scoreClass": scoreClass, "class": changeClass,
	}).Parse(diffPageSource)).Parse(flameSource)
})

// DiffHTML writes the changes as one page that needs no network and no other file.
// command is the arguments that led to it. An error is that of w.
func DiffHTML(w io.Writer, r *diff.Report, graphs []*flame.Graph, command []string) error {
	return diffPageTemplate().Execute(w, &diffPage{visible.All(r, visible.Page), graphs, newFlamePart(graphs), visible.All(command, visible.Page)})
}

type diffPage struct {
	*diff.Report
	Graphs  []*flame.Graph
	Flames  flamePart
	command []string
}

// Style returns the style sheet of all pages, and that of the graphs.
func (p *diffPage) Style() template.CSS {
	return template.CSS(pageStyle + advicePageStyle + flameStyle)
}

// Policy returns the content security policy: it allows what the page holds, and nothing else.
func (p *diffPage) Policy() string {
	return "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src " + policy(flameScript)
}

// CommandLine returns the command that makes the page again.
func (p *diffPage) CommandLine() string { return commandLine(p.command) }

// manyFunctions limits the functions of each kind that the page shows.
const manyFunctions = 20

// A diffTable is one kind of profile.
type diffTable struct {
	*diff.Part
	ID, Title string
	First     []diff.Function
}

// Changes are the total and its parts.
func (t diffTable) Changes() []diff.Change {
	return append([]diff.Change{t.Total}, t.Classes...)
}

// Tables returns the tables of the profiles that both sides have.
func (p *diffPage) Tables() []diffTable {
	var all []diffTable
	for _, t := range []diffTable{{Part: p.CPU, ID: "cpu", Title: "CPU time"}, {Part: p.Bytes, ID: "memory", Title: "Memory"}} {
		if t.Part != nil {
			t.First = t.Functions[:min(manyFunctions, len(t.Functions))]
			all = append(all, t)
		}
	}
	return all
}

// changeClass is the colour of a change that sampling alone does not explain: less is
// better.
func changeClass(c diff.Change) string {
	switch {
	case !c.Clear():
		return ""
	case c.Hi < 1:
		return "better"
	}
	return "worse"
}

// scoreClass is the colour of how a prediction did.
func scoreClass(s *diff.Score) string {
	switch s.Word {
	case diff.Inside:
		return "better"
	case diff.Outside:
		return "worse"
	}
	return ""
}
