// Package sarif writes the findings of package vetrun in the Static Analysis Results
// Interchange Format, version 2.1.0, which code hosts and editors read.
package sarif

import (
	"bytes"
	"encoding/json"
	"go/doc/comment"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/tools/go/analysis"

	"lessgc/cmd/lessgc/internal/input"
	"lessgc/cmd/lessgc/internal/version"
	"lessgc/cmd/lessgc/internal/vetrun"
	"lessgc/cmd/lessgc/internal/visible"
)

// base names the root folder in addresses.
const base = "%SRCROOT%"

type log struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    []run  `json:"runs"`
}

type run struct {
	Tool        tool                `json:"tool"`
	Invocations []invocation        `json:"invocations"`
	Bases       map[string]artifact `json:"originalUriBaseIds"`
	ColumnKind  string              `json:"columnKind"`
	Results     []result            `json:"results"`
}

type tool struct {
	Driver driver `json:"driver"`
}

type driver struct {
	Name    string       `json:"name"`
	Version string       `json:"version,omitempty"`
	URL     string       `json:"informationUri"`
	Rules   []descriptor `json:"rules"`
}

type descriptor struct {
	ID            string         `json:"id"`
	Short         message        `json:"shortDescription"`
	Help          message        `json:"help"`
	URL           string         `json:"helpUri"`
	Configuration *configuration `json:"defaultConfiguration,omitempty"`
}

type configuration struct {
	Enabled bool `json:"enabled"`
}

type message struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type invocation struct {
	Successful    bool           `json:"executionSuccessful"`
	Notifications []notification `json:"toolExecutionNotifications,omitempty"`
}

type notification struct {
	Level   string  `json:"level"`
	Message message `json:"message"`
}

type result struct {
	RuleID     string            `json:"ruleId"`
	RuleIndex  int               `json:"ruleIndex"`
	Level      string            `json:"level"`
	Message    message           `json:"message"`
	Locations  []location        `json:"locations"`
	Related    []location        `json:"relatedLocations,omitempty"`
	Fixes      []fix             `json:"fixes,omitempty"`
	Properties map[string]string `json:"properties"`
}

type location struct {
	ID       int      `json:"id,omitempty"`
	Physical physical `json:"physicalLocation"`
	Message  *message `json:"message,omitempty"`
}

type physical struct {
	Artifact artifact `json:"artifactLocation"`
	Region   *region  `json:"region,omitempty"`
}

type artifact struct {
	URI  string `json:"uri"`
	Base string `json:"uriBaseId,omitempty"`
}

type region struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
	EndLine     int `json:"endLine,omitempty"`
	EndColumn   int `json:"endColumn,omitempty"`
}

type fix struct {
	Description message  `json:"description"`
	Changes     []change `json:"artifactChanges"`
}

type change struct {
	Artifact     artifact      `json:"artifactLocation"`
	Replacements []replacement `json:"replacements"`
}

type replacement struct {
	Deleted  region   `json:"deletedRegion"`
	Inserted *content `json:"insertedContent,omitempty"`
}

type content struct {
	Text string `json:"text"`
}

// Write writes a report. The names of files below the folder root are written from there;
// code hosts want the root of the repository. The files are read, for SARIF counts columns
// in characters; columns of those that sources do not open are in bytes.
func Write(w io.Writer, r *vetrun.Report, root string, sources *input.Sources) error {
	p := &writer{root: root, sources: sources, files: map[string][]byte{}}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	err := enc.Encode(log{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0",
		Runs:    []run{p.run(r)},
	})
	if err != nil {
		return err
	}
	_, err = w.Write(visible.JSON(b.Bytes()))
	return err
}

// said is text from outside, for people: code hosts show it verbatim.
func said(text string) message { return message{Text: visible.All(text, visible.Page)} }

// Root is the folder of the repository that holds dir, or dir if there is none.
func Root(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

// A writer knows the files that a report is about.
type writer struct {
	root    string
	sources *input.Sources
	files   map[string][]byte // by name; nil for those that cannot be read
}

func (p *writer) run(r *vetrun.Report) run {
	rules := vetrun.Rules()
	out := run{
		Tool:       tool{driver{"lessgc vet", version.Tool(), "https://pkg.go.dev/lessgc/vet", descriptors(rules)}},
		Bases:      map[string]artifact{base: {URI: fileURL(p.root) + "/"}},
		ColumnKind: "unicodeCodePoints",
		Results:    []result{},
	}
	done := invocation{Successful: len(r.Problems) == 0}
	for _, problem := range r.Problems {
		done.Notifications = append(done.Notifications, notification{"error", said(problem.String())})
	}
	for _, note := range r.Notes {
		done.Notifications = append(done.Notifications, notification{"note", said(note)})
	}
	out.Invocations = []invocation{done}
	for _, f := range r.Findings {
		i := slices.IndexFunc(rules, func(a *analysis.Analyzer) bool { return a.Name == f.Rule })
		out.Results = append(out.Results, p.result(f, i))
	}
	return out
}

func descriptors(rules []*analysis.Analyzer) []descriptor {
	all := []descriptor{}
	for _, a := range rules {
		d := descriptor{ID: a.Name, Short: message{Text: capital(vetrun.Title(a)) + "."}, Help: message{a.Doc, markdown(a)}, URL: a.URL}
		if vetrun.Advises(a.Name) {
			d.Configuration = &configuration{Enabled: false}
		}
		all = append(all, d)
	}
	return all
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// markdown is the description of a rule.
func markdown(a *analysis.Analyzer) string {
	return string((&comment.Printer{HeadingLevel: 2}).Markdown(new(comment.Parser).Parse(a.Doc)))
}

func (p *writer) result(f vetrun.Finding, rule int) result {
	out := result{RuleID: f.Rule, RuleIndex: rule, Level: f.Severity, Message: said(f.Message),
		Locations: []location{{Physical: p.physical(f.Span)}}, Properties: map[string]string{"category": f.Category, "package": visible.Short(f.Package, visible.Page)}}
	for i, r := range f.Related {
		out.Related = append(out.Related, location{i + 1, p.physical(r.Span), new(said(r.Message))})
	}
	for _, x := range f.Fixes {
		if fix, ok := p.fix(x); ok {
			out.Fixes = append(out.Fixes, fix)
		}
	}
	return out
}

func (p *writer) physical(s vetrun.Span) physical {
	out := physical{Artifact: p.artifact(s.File)}
	if s.Line == 0 {
		return out
	}
	out.Region = &region{StartLine: s.Line, StartColumn: p.column(s.File, s.Line, s.Column)}
	if s.EndLine != s.Line || s.EndColumn != s.Column {
		out.Region.EndLine, out.Region.EndColumn = s.EndLine, p.column(s.File, s.EndLine, s.EndColumn)
	}
	return out
}

// fix is left out if a file is not there to count its lines.
func (p *writer) fix(x vetrun.Fix) (fix, bool) {
	out := fix{Description: said(x.Message)}
	for _, e := range x.Edits {
		data := p.read(e.File)
		if e.Start < 0 || e.End < e.Start || e.End > len(data) {
			return out, false
		}
		rep := replacement{Deleted: span(data, e.Start, e.End)}
		if e.New != "" {
			rep.Inserted = &content{e.New}
		}
		i := slices.IndexFunc(out.Changes, func(c change) bool { return c.Artifact == p.artifact(e.File) })
		if i < 0 {
			i = len(out.Changes)
			out.Changes = append(out.Changes, change{Artifact: p.artifact(e.File)})
		}
		out.Changes[i].Replacements = append(out.Changes[i].Replacements, rep)
	}
	return out, len(out.Changes) > 0
}

// span is a piece of a file by lines and characters.
func span(data []byte, start, end int) region {
	place := func(offset int) (line, column int) {
		before := string(data[:offset])
		return 1 + strings.Count(before, "\n"), 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	}
	var r region
	r.StartLine, r.StartColumn = place(start)
	r.EndLine, r.EndColumn = place(end)
	return r
}

// column counts the characters up to a column that is counted in bytes.
func (p *writer) column(file string, line, column int) int {
	text := string(p.read(file))
	for ; line > 1; line-- {
		_, after, ok := strings.Cut(text, "\n")
		if !ok {
			return column
		}
		text = after
	}
	if column < 1 || column-1 > len(text) {
		return column
	}
	return 1 + utf8.RuneCountInString(text[:column-1])
}

func (p *writer) read(file string) []byte {
	data, ok := p.files[file]
	if !ok {
		if abs, err := filepath.Abs(file); err == nil {
			data, _ = p.sources.ReadFile(abs)
		}
		p.files[file] = data
	}
	return data
}

// artifact is the address of a file: from the root if it is below that.
func (p *writer) artifact(file string) artifact {
	abs, err := filepath.Abs(file)
	if err != nil {
		return artifact{URI: (&url.URL{Path: filepath.ToSlash(file)}).String()}
	}
	if rel, err := filepath.Rel(p.root, abs); err == nil && filepath.IsLocal(rel) {
		return artifact{URI: (&url.URL{Path: filepath.ToSlash(rel)}).String(), Base: base}
	}
	return artifact{URI: fileURL(abs)}
}

func fileURL(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") { // a volume
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
