package misuse

import (
	"go/doc/comment"
	"io"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"lessgc/vet"
)

// Rules are all rules, those that advise last.
func Rules() []*analysis.Analyzer { return append(vet.Analyzers(), vet.Advice()...) }

// ByName returns a rule, or nil.
func ByName(name string) *analysis.Analyzer {
	all := Rules()
	if i := slices.IndexFunc(all, func(a *analysis.Analyzer) bool { return a.Name == name }); i >= 0 {
		return all[i]
	}
	return nil
}

func url(name string) string {
	if a := ByName(name); a != nil {
		return a.URL
	}
	return ""
}

// Advises says whether a rule has to be asked for.
func Advises(name string) bool {
	return slices.ContainsFunc(vet.Advice(), func(a *analysis.Analyzer) bool { return a.Name == name })
}

// Title is the first sentence of a rule's description, without the name.
func Title(a *analysis.Analyzer) string {
	first, _, _ := strings.Cut(a.Doc, "\n\n")
	return strings.TrimSuffix(oneLine(strings.TrimPrefix(first, a.Name)), ".")
}

// Explain writes the description of a rule for a terminal.
func Explain(w io.Writer, a *analysis.Analyzer, width int) error {
	_, err := w.Write((&comment.Printer{TextWidth: min(width, 100)}).Text(page(a)))
	return err
}

// Markdown is the description of a rule.
func Markdown(a *analysis.Analyzer) string {
	return string((&comment.Printer{HeadingLevel: 2}).Markdown(page(a)))
}

func page(a *analysis.Analyzer) *comment.Doc { return new(comment.Parser).Parse(a.Doc) }
