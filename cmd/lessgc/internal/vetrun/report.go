package vetrun

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Format names the JSON form of a report.
const Format = "lessgc-vet/1"

// A Report holds the findings of the rules in some packages.
type Report struct {
	Format   string    `json:"format"`
	Tool     string    `json:"tool"`     // the lessgc that made it
	Packages int       `json:"packages"` // that were looked at
	Findings []Finding `json:"findings"` // sorted by place
	Problems []Problem `json:"problems"` // what was not looked at
	Notes    []string  `json:"notes"`
	Beliefs  []Belief  `json:"-"` // with Options.Debug

	all    []Finding              // with those that were not asked for, but must not come of a fix
	vetted map[string]*vettedFile // by path, if it is to be repaired
	linked map[string]fs.FileInfo // those with several hard links
	unseen map[string]bool        // packages that go vet has not looked at, by name
	others map[string][]string    // their type errors other than findings
}

// A Finding is a rule's report on a place.
type Finding struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"` // error, warning or note
	Category string `json:"category"`
	Message  string `json:"message"`
	URL      string `json:"url,omitempty"`
	Package  string `json:"package"`
	Span
	Related []Related `json:"related,omitempty"`
	Fixes   []Fix     `json:"fixes,omitempty"`
}

// A Belief holds what the rules' analysis believes of a function.
type Belief struct {
	Function string // as (*Encoder).Close; without its package
	Package  string
	What     string   // summary or state
	Lines    []string // of state: of one origin
	Span
}

// Names reports whether name is that of the function: Close, Encoder.Close or (*Encoder).Close.
func (b *Belief) Names(name string) bool {
	plain := strings.NewReplacer("(", "", ")", "", "*", "")
	full := plain.Replace(b.Function)
	name = plain.Replace(name)
	return full == name || strings.HasSuffix(full, "."+name) || b.Package+"."+full == name
}

// A Span is a piece of a file: lines and columns count from 1, columns in bytes.
type Span struct {
	File      string `json:"file"` // from the current folder, with slashes; absolute outside of it
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
}

// Related is another place that belongs to a finding.
type Related struct {
	Span
	Message string `json:"message"`
}

// A Fix repairs what was found: all of its edits, or none.
type Fix struct {
	Message string `json:"message"`
	Edits   []Edit `json:"edits"`
}

// An Edit replaces the bytes from Start to End of a file.
type Edit struct {
	File  string `json:"file"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	New   string `json:"new"`
}

// A Problem is a package that was not looked at.
type Problem struct {
	Package string `json:"package"`
	Message string `json:"message"` // goes on after the package: does not compile: ...
}

func (p Problem) String() string { return strings.TrimSpace(p.Package + " " + p.Message) }

// Serious reports whether there are errors or warnings.
func (r *Report) Serious() bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Severity != "note" })
}

func plural(n int, what string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// sort orders the findings, and drops those that were found twice: in a package, and in
// the same package with its tests.
func (r *Report) sort() {
	r.Findings, r.all = sorted(r.Findings), sorted(r.all)
	slices.SortFunc(r.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Message, b.Message))
	})
	r.Problems = slices.Compact(r.Problems)
	slices.SortStableFunc(r.Beliefs, func(a, b Belief) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), -cmp.Compare(a.What, b.What))
	})
	r.Beliefs = slices.CompactFunc(r.Beliefs, func(a, b Belief) bool { // of a package and of its test variant
		return a.Span == b.Span && a.What == b.What && slices.Equal(a.Lines, b.Lines)
	})
}

func sorted(all []Finding) []Finding {
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Message, b.Message))
	})
	return slices.CompactFunc(all, func(a, b Finding) bool {
		return a.Span == b.Span && a.Rule == b.Rule && a.Message == b.Message
	})
}
