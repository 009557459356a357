package vet

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"

	"lessgc/vet/arenaappend"
	"lessgc/vet/arenadoublefree"
	"lessgc/vet/arenaescape"
	"lessgc/vet/arenalock"
	"lessgc/vet/arenamissingfree"
	"lessgc/vet/arenashared"
	"lessgc/vet/arenauseafterfree"
	"lessgc/vet/freenotdeferred"
	"lessgc/vet/heappointer"
	"lessgc/vet/internal/rule"
	"lessgc/vet/lessgcdirective"
	"lessgc/vet/lessgcrenamed"
	"lessgc/vet/poolalias"
	"lessgc/vet/pooldoubleput"
	"lessgc/vet/poollocal"
	"lessgc/vet/poolmismatch"
	"lessgc/vet/poolmissingput"
	"lessgc/vet/poolnonpointer"
	"lessgc/vet/poolnoreset"
	"lessgc/vet/poolunbounded"
	"lessgc/vet/pooluseafterput"
	"lessgc/vet/rpcescape"
)

// correctness holds the rules that find mistakes.
var correctness = []*analysis.Analyzer{
	pooluseafterput.Analyzer,
	pooldoubleput.Analyzer,
	poolalias.Analyzer,
	poolmissingput.Analyzer,
	poolmismatch.Analyzer,
	arenauseafterfree.Analyzer,
	arenadoublefree.Analyzer,
	arenaescape.Analyzer,
	arenamissingfree.Analyzer,
	arenashared.Analyzer,
	arenaappend.Analyzer,
	arenalock.Analyzer,
	heappointer.Analyzer,
	rpcescape.Analyzer,
	lessgcrenamed.Analyzer,

	// Left out are: copies of a sync.Pool (go vet's copylocks finds them); items that a goroutine
	// still uses when its parent puts them back, unless the rules about use see both ends (a
	// join may be anywhere); items that live from one method to another (an object's owner
	// decides); pools that are chosen by size; and what goes through an interface, a function
	// value, reflection or unsafe.
}

// advisory holds the advisory rules, off by default: what they find costs memory or time, or is
// safe only if a condition holds that the source does not show.
var advisory = []*analysis.Analyzer{
	poolnonpointer.Analyzer,
	poolnoreset.Analyzer,
	poolunbounded.Analyzer,
	poollocal.Analyzer,
	freenotdeferred.Analyzer,
}

// directives checks the directives for all rules.
var directives = lessgcdirective.New(slices.Concat(correctness, advisory))

// Analyzers returns the rules that find mistakes and the one that checks directives.
// They need no settings.
func Analyzers() []*analysis.Analyzer { return append(slices.Clone(correctness), directives) }

// Advice returns the advisory rules: pools that allocate, retain memory or hand on stale
// data, and arenas that a panic loses. They report nothing unless [Settings] turn them on.
func Advice() []*analysis.Analyzer { return slices.Clone(advisory) }

// Severity returns the severity of a diagnostic's category: "error", "warning" or "note".
func Severity(category string) string { return rule.Severity(category) }

// Settings choose rules. The zero value runs those that find mistakes.
type Settings struct {
	Advice  bool     // run all advisory rules
	Notes   bool     // also report notes: code that is correct, but easy to break
	Enable  []string // advisory rules to run
	Disable []string // rules not to run

	// API describes functions and types that use pools and arenas, in the statements of
	// docs/vetting.md: the text, or @ and the name of a file.
	API string
}

// Apply makes the settings those of the process and returns the rules that are on. It
// fails if a name is not that of a rule. All rules of a process have the same settings;
// call it before any of them runs.
func (s Settings) Apply() ([]*analysis.Analyzer, error) {
	all := append(Analyzers(), advisory...)
	for _, name := range slices.Concat(s.Enable, s.Disable) {
		if !slices.ContainsFunc(all, func(a *analysis.Analyzer) bool { return a.Name == name }) {
			return nil, fmt.Errorf("there is no rule %q", name)
		}
	}
	if err := useAPI(s.API); err != nil {
		return nil, fmt.Errorf("the api: %w", err)
	}
	enabled := slices.Clone(s.Enable)
	rule.Settings.Advice, rule.Settings.Notes = s.Advice, s.Notes
	rule.Settings.Explicit = func(name string) bool { return slices.Contains(enabled, name) }
	return slices.DeleteFunc(all, func(a *analysis.Analyzer) bool { return slices.Contains(s.Disable, a.Name) }), nil
}
