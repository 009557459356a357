package render

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"strconv"

	"lessgc/cmd/lessgc/internal/flame"
	"lessgc/cmd/lessgc/internal/visible"
)

var (
	//go:embed flame.html.tmpl
	flameSource string
	//go:embed flame.css
	flameStyle string
	//go:embed flame.js
	flameScript string
)

// A flamePart is flame graphs as part of a page, by the template "flames". The page has
// one such part, its style holds Style, and its policy allows Script.
type flamePart struct{ Graphs []*flame.Graph }

// newFlamePart is part of graphs with titles that are fit to be shown. Data takes care
// of the names.
func newFlamePart(graphs []*flame.Graph) flamePart {
	var p flamePart
	for _, g := range graphs {
		shown := *g
		shown.Title = visible.Short(g.Title, visible.Page)
		p.Graphs = append(p.Graphs, &shown)
	}
	return p
}

// Style is for the page's style element.
func (flamePart) Style() template.CSS { return template.CSS(flameStyle) }

// Script draws the data.
func (flamePart) Script() template.JS { return template.JS(flameScript) }

// Diff reports whether there are graphs of differences.
func (f flamePart) Diff() bool { return len(f.Graphs) > 0 && f.Graphs[0].Diff }

// policy names a script in a content security policy: a browser runs nothing else.
func policy(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// flameData is the input of the script.
type flameData struct {
	Names  []flameName  `json:"names"`
	Graphs []flameGraph `json:"graphs"`
}

type flameName struct {
	Name string     `json:"name"`
	Kind flame.Kind `json:"kind"`
}

// A flameGraph has its nodes one after the other, each before its children: the index of
// its name, the count of its children, its value, and in a Diff that of before.
type flameGraph struct {
	Title string     `json:"title"`
	Unit  flame.Unit `json:"unit"`
	Diff  bool       `json:"diff"`
	Nodes []figure   `json:"nodes"`
}

// A figure is written with six digits: thousands of them make most of the page.
type figure float64

func (f figure) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(f), 'g', 6, 64), nil
}

// Data returns the input of the script.
func (f flamePart) Data() flameData {
	var out flameData
	index := map[flameName]int{}
	for _, g := range f.Graphs {
		drawn := flameGraph{Title: g.Title, Unit: g.Unit, Diff: g.Diff}
		var add func(n *flame.Node)
		add = func(n *flame.Node) {
			name := flameName{visible.Short(n.Name, visible.Page), n.Kind}
			i, ok := index[name]
			if !ok {
				i = len(out.Names)
				index[name] = i
				out.Names = append(out.Names, name)
			}
			drawn.Nodes = append(drawn.Nodes, figure(i), figure(len(n.Children)), figure(n.Value))
			if g.Diff {
				drawn.Nodes = append(drawn.Nodes, figure(n.Before))
			}
			for _, c := range n.Children {
				add(c)
			}
		}
		add(g.Root)
		out.Graphs = append(out.Graphs, drawn)
	}
	return out
}
