package events

import (
	"go/token"
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/flow"
	"lessgc/vet/internal/rule"
)

// A Result holds the events of a package, in the order of its functions.
type Result struct{ Events []*Event }

// Analyzer finds the events of a package. It reports nothing.
var Analyzer = &analysis.Analyzer{
	Name:       "lessgcevents",
	Doc:        "find what cannot be right in the life of pooled values and arenas",
	Requires:   []*analysis.Analyzer{flow.Analyzer},
	FactTypes:  []analysis.Fact{new(keptRequests)},
	ResultType: reflect.TypeFor[*Result](),
	Run: func(pass *analysis.Pass) (result any, err error) {
		result = new(Result)
		defer rule.Recover(pass, &err)
		s := &search{pass: pass, pkg: pass.ResultOf[flow.Analyzer].(*flow.Package), reported: map[position]*flow.Origin{}}
		return s.run(), nil
	},
}

// Of returns the events of the package.
func Of(pass *analysis.Pass) []*Event { return pass.ResultOf[Analyzer].(*Result).Events }

// An event is one way in which the life of an origin goes wrong. Its hooks may be nil.
type event struct {
	effect    func(*finder, ssa.Instruction, flow.Effect, flow.State) // of an instruction, on the origin's surely derived value
	runDefers func(*finder, *ssa.RunDefers)                           // where deferred calls run
	exit      func(*finder, *ssa.Return)
	origin    func(*finder) // once, after all others
}

// allEvents are the events. Of each kind only the first of an origin is reported: the others follow from it.
// Double releases on different paths are reported each.
var allEvents = []event{useAfterRelease, doubleRelease, outlives, goroutine, missing, stale}

// A search is for the events of a package.
type search struct {
	pass     *analysis.Pass
	pkg      *flow.Package
	events   []*Event
	reported map[position]*flow.Origin // the first one of which an event was reported there
}

// A position identifies an event of a kind: an arena and memory in it are one report.
type position struct {
	kind Kind
	pos  token.Pos
}

// With FactsOnly only interceptors are looked at, as what they keep is the only fact that events
// make.
func (s *search) run() *Result {
	for _, fn := range s.pkg.Order {
		if rule.Settings.FactsOnly && !fn.Intercepts() {
			continue // its events are dropped
		}
		s.pkg.Origins(fn, func(o *flow.Origin) {
			fd := &finder{search: s, fn: fn, origin: o, states: o.States, seen: map[Kind]bool{}}
			fd.run()
		})
	}
	s.findKeepers()
	return &Result{s.events}
}
