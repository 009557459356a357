package vet

import (
	"encoding/json"
	"flag"
	"go/types"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/flow/debug"
	"lessgc/vet/internal/rule"
)

// Dump is the name under which go vet -json has the output of -dump. Each diagnostic has the category
// summary or state, and a message of several lines: the name of the function, then the facts about it.
const Dump = debug.Name

// Main is the main function of a tool for go vet: it runs all rules over the package that
// go vet describes to it, and does not return. Besides the flags that every such tool has
// there are -advice, -notes, -api and -dump.
func Main() {
	setStartingHeap(startingHeap)
	flag.BoolVar(&rule.Settings.Advice, "advice", false, "also run advisory rules")
	flag.BoolVar(&rule.Settings.Notes, "notes", false, "also report notes: code that is correct, but easy to break")
	flag.BoolVar(&debug.On, "dump", false, "also print what the analysis infers about each function")
	flag.Func("api", "what functions do with pools and arenas: `LINES`, or statements with semicolons between; @ and a name is a file", useAPI)
	rule.Settings.Explicit = explicit
	rule.Settings.FactsOnly = factsOnly(os.Args[len(os.Args)-1])
	unitchecker.Main(slices.Concat(Analyzers(), Advice(), []*analysis.Analyzer{debug.Analyzer})...)
}

// useAPI makes what users say of functions and types part of what all rules know.
func useAPI(text string) error {
	if name, ok := strings.CutPrefix(text, "@"); ok {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		text = string(data)
	}
	if !strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, ";", "\n")
	}
	c, err := catalog.Parse(text)
	if err != nil {
		return err
	}
	catalog.Use(c)
	return nil
}

// CheckAPI returns an error if lines are not statements about functions and types.
func CheckAPI(text string) error {
	_, err := catalog.Parse(text)
	return err
}

// MisfitAPI returns a line for each statement of an API that does not fit the package that it is about:
// there is no such function or type, or it has fewer parameters or results. The rules ignore such
// statements. Load returns the types of packages by their paths; those that it cannot load are left
// out. The API is one that CheckAPI finds right.
func MisfitAPI(text string, load func(paths []string) ([]*types.Package, error)) ([]string, error) {
	c, err := catalog.Parse(text)
	if err != nil {
		return nil, err
	}
	pkgs, err := load(c.Packages())
	var lines []string
	for _, pkg := range pkgs {
		lines = append(lines, c.Misfits(pkg)...)
	}
	return lines, err
}

// explicit reports whether a rule was named on the command line: -poolnoreset.
func explicit(name string) bool {
	on := false
	flag.Visit(func(f *flag.Flag) {
		on = on || f.Name == name && f.Value.String() == "true"
	})
	return on
}

// factsOnly reports whether a package is looked at only because others import it. The
// go command then drops what is found.
func factsOnly(config string) bool {
	data, err := os.ReadFile(config)
	if err != nil {
		return false // it is some other argument
	}
	var unit struct{ VetxOnly bool }
	return json.Unmarshal(data, &unit) == nil && unit.VetxOnly
}
