package lever

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
)

var buildOnce = &Lever{
	Name:  "build-once",
	Title: "make the function once, and not in each operation",
	Looks: "a function literal that its function returns, made again in each operation of a benchmark: a chain of handlers, a comparison, a generated function.",
	Wrong: "when what it captures differs from operation to operation.",
	Before: `func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := apply(s.handler, s.middleware...) // a function for each of them
	h(w, r)
}`,
	After: `func (s *Server) Use(m Middleware) {
	s.middleware = append(s.middleware, m)
	s.chain = apply(s.handler, s.middleware...)
}`,
	Model: "The objects of what it captures go whole, and what they refer to.",
	Risk:  Concurrency,
	Asks:  "Does it capture the same in each operation?",
	Saves: Saves{Alloc: Range{0.8, 1}, Collect: Range{0.8, 1}},
	find:  findBuildOnce,
}

func findBuildOnce(p *Line) (f Finding) {
	if p.each() < 0.9 || len(p.site.Leaves) == 0 {
		return f
	}
	for _, in := range p.allocators() {
		made, ok := in.(*ssa.MakeClosure)
		if !ok || !isReturned(made) || made.Parent().Signature.Results().Len() != 1 || isIterator(made.Fn.Type()) {
			continue
		}
		f.Share = p.direct()
		f.Evidence = []Evidence{p.at(made.Fn.Pos(), fmt.Sprintf("a function that captures %d variables is made %s times in each operation, %.0f bytes each", len(made.Bindings), few(p.each()), p.objectSize()))}
		if caller := p.site.Leaves[0].Caller(); caller != (prof.Frame{}) {
			f.Evidence = append(f.Evidence, Evidence{"here it is asked for", caller.File, caller.Line})
		}
		return f
	}
	return p.asksForFunction()
}

// asksForFunction is about a call, by a function value or a method of an interface, that makes a function.
func (p *Line) asksForFunction() (f Finding) {
	for _, call := range p.callsOnLine() {
		_, function := call.Type().Underlying().(*types.Signature)
		if call.Common().StaticCallee() == nil && function && !isIterator(call.Type()) {
			f.Share = 1 - p.direct()
			f.Evidence = []Evidence{p.at(call.Pos(), fmt.Sprintf("functions are made here, %s objects in each operation", few(p.each())))}
			return f
		}
	}
	return f
}

// isIterator reports whether a function is one for range.
func isIterator(t types.Type) bool {
	sig, ok := t.Underlying().(*types.Signature)
	if !ok || sig.Params().Len() != 1 || sig.Results().Len() != 0 {
		return false
	}
	yield, ok := sig.Params().At(0).Type().Underlying().(*types.Signature)
	return ok && yield.Results().Len() == 1 && types.Identical(yield.Results().At(0).Type(), types.Typ[types.Bool])
}

// isReturned reports whether a value is returned as it is, or as another type.
func isReturned(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Return:
			return true
		case *ssa.ChangeType:
			if isReturned(r) {
				return true
			}
		}
	}
	return false
}
