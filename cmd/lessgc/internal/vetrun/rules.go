package vetrun

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"lessgc/vet"
)

// Rules returns all rules, the advisory ones last.
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

// Advises reports whether a rule is advisory: off by default.
func Advises(name string) bool {
	return slices.ContainsFunc(vet.Advice(), func(a *analysis.Analyzer) bool { return a.Name == name })
}

// Title is the first sentence of a rule's description, without the name.
func Title(a *analysis.Analyzer) string {
	first, _, _ := strings.Cut(a.Doc, "\n\n")
	return strings.TrimSuffix(oneLine(strings.TrimPrefix(first, a.Name)), ".")
}
