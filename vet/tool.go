package vet

import (
	"encoding/json"
	"flag"
	"os"

	"golang.org/x/tools/go/analysis/unitchecker"

	"lessgc/vet/internal/rule"
)

// Main is the main function of a tool for go vet: it runs all rules over the package that
// go vet describes to it, and does not return. Besides the flags that every such tool has
// there are -advice and -notes.
func Main() {
	flag.BoolVar(&rule.Settings.Advice, "advice", false, "run the rules that advise, too")
	flag.BoolVar(&rule.Settings.Notes, "notes", false, "report also what is correct, and worth knowing")
	rule.Settings.Explicit = explicit
	rule.Settings.FactsOnly = factsOnly(os.Args[len(os.Args)-1])
	unitchecker.Main(append(Analyzers(), Advice()...)...)
}

// explicit says whether a rule was named on the command line: -poolnoreset.
func explicit(name string) bool {
	on := false
	flag.Visit(func(f *flag.Flag) {
		on = on || f.Name == name && f.Value.String() == "true"
	})
	return on
}

// factsOnly says whether a package is looked at only because others import it. The
// go command then drops what is found.
func factsOnly(config string) bool {
	data, err := os.ReadFile(config)
	if err != nil {
		return false // it is some other argument
	}
	var unit struct{ VetxOnly bool }
	return json.Unmarshal(data, &unit) == nil && unit.VetxOnly
}
