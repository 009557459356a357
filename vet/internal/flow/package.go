package flow

import (
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/buildssa"
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/directive"
	"lessgc/vet/internal/rule"
	"lessgc/vet/internal/ssautil"
)

// Analyzer follows the values of a package. It reports nothing.
var Analyzer = &analysis.Analyzer{
	Name:       "lessgcflow",
	Doc:        "follow pooled values, arenas and their memory",
	Requires:   []*analysis.Analyzer{buildssa.Analyzer, directive.Analyzer},
	FactTypes:  []analysis.Fact{new(packageFact)},
	ResultType: reflect.TypeFor[*Package](),
	Run: func(pass *analysis.Pass) (result any, err error) {
		result = new(Package)
		defer rule.Recover(pass, &err)
		return analyze(pass)
	},
}

// A Package holds what is known about the functions of a package. The zero value knows
// nothing.
type Package struct {
	Pass         *analysis.Pass
	ssaPkg       *ssa.Package
	tabled       map[*types.Func]*Summary // from the catalog, once it was asked; nil if it has none
	Funcs        map[*ssa.Function]*Function
	Order        []*Function
	summaries    map[*ssa.Function]*Summary
	says         map[*types.Func][]directive.Func
	policies     map[types.Object]catalog.Kind
	packages     map[*types.Package]summaries // of other packages, once they were asked; nil if they were not analyzed
	arenas       bool                         // it imports lessgc/arena
	funcVars     map[*ssa.Global][]*ssa.Function
	inFields     map[*types.Var]*fieldFuncs
	noEscape     map[*types.Func]bool            // functions without a body that keep no pointer
	parts        map[*types.Var]bool             // fields whose values are released somewhere
	growing      map[*types.Var]bool             // fields to which is only appended, once one was asked for
	freeLists    map[types.Object]bool           // channels that values are given back to
	kinds        map[*types.Var]catalog.Kind     // of the arenas in parts that only the package assigns to
	owned        map[*types.Var]bool             // fields that always point to buffers of their own, once one was asked for
	movedBack    map[*types.Var]bool             // fields that may lead to what they have led to before, once one was asked for
	cleared      map[*types.Var]bool             // fields that are set to nil, once one was asked for
	givenBack    map[*types.Func]bool            // functions whose results are released by a caller, once one was asked for
	replaced     map[*types.Var]bool             // fields that hold slices of others, once one was asked for
	flags        map[*types.Var]flag             // what is stored in boolean fields, once one was asked for
	implementing map[*types.Named][]types.Type   // of interfaces that were asked for
	opened       map[types.Type]bool             // interfaces that may have types of other packages
	reset        map[*types.Var]bool             // fields that are set in structs that were made before, once one was asked for
	queued       queues                          // channels whose receivers have to release what they receive
	functionUses map[*ssa.Function]*functionUses // once one was asked for
	invokedNames map[string]bool                 // names of methods that are called by interfaces, found with functionUses
	lists        bool                            // elements of lists in fields are released somewhere
	rpc          rpc
}

func analyze(pass *analysis.Pass) (*Package, error) {
	built := pass.ResultOf[buildssa.Analyzer].(*buildssa.SSA)
	a := &Package{Pass: pass, ssaPkg: built.Pkg, tabled: map[*types.Func]*Summary{}, Funcs: map[*ssa.Function]*Function{}, summaries: map[*ssa.Function]*Summary{},
		says: map[*types.Func][]directive.Func{}, policies: map[types.Object]catalog.Kind{}, packages: map[*types.Package]summaries{}}
	for decl, list := range pass.ResultOf[directive.Analyzer].(*directive.Directives).Funcs {
		if f, ok := pass.TypesInfo.Defs[decl.Name].(*types.Func); ok {
			a.says[f] = list
		}
	}
	a.arenas = a.imports("lessgc/arena")
	a.findPolicies()
	a.findRPC()
	seen := map[*ssa.Function]bool{}
	functions := ssautil.Functions(built)
	a.findFuncVars(functions)
	a.findFieldFuncs(functions)
	a.findOpened(functions)
	a.findNoEscape()
	for _, f := range functions {
		if f != built.Pkg.Func("init") {
			a.visit(f, seen)
		}
	}
	a.findFreeLists()
	a.summarize()
	a.findParts()
	a.findQueues()
	return a, a.export()
}

// visit puts f into the order, after the functions of the package that it calls.
//
// Depth first, so callees come first but in a recursion, where one of them has to be looked at
// without the summary of another.
func (a *Package) visit(f *ssa.Function, seen map[*ssa.Function]bool) {
	if seen[f] {
		return
	}
	seen[f] = true
	for _, anon := range f.AnonFuncs {
		a.visit(anon, seen)
	}
	x := &Function{Function: f, Package: a}
	uses := func(fn *ssa.Function) {
		if fn = a.Source(fn); fn != nil && fn.Pkg == a.ssaPkg && !slices.Contains(x.callees, fn) {
			x.callees = append(x.callees, fn)
			a.visit(fn, seen)
		}
	}
	x.callees = slices.Clone(f.AnonFuncs)
	for i := range ssautil.Instructions(f) {
		switch i := i.(type) {
		case ssa.CallInstruction:
			x.Calls = append(x.Calls, i)
			uses(i.Common().StaticCallee())
			for _, fn := range a.candidates(i.Common().Value) {
				uses(fn)
			}
			if i.Common().IsInvoke() {
				for _, fn := range x.targets(i.Common()) {
					uses(fn)
				}
				continue
			}
			for _, fn := range a.inField(i.Common().Value).functions() {
				uses(fn)
			}
			for _, arg := range i.Common().Args {
				if fn, ok := arg.(*ssa.Function); ok {
					uses(fn)
				}
			}
		case *ssa.MakeClosure:
			uses(i.Fn.(*ssa.Function))
		case *ssa.Store:
			if fn, ok := i.Val.(*ssa.Function); ok {
				uses(fn)
			}
		}
	}
	if len(f.Blocks) > 0 {
		a.Funcs[f] = x
		a.Order = append(a.Order, x)
	}
}

// Source is the function that was written: not an instance, nor a wrapper.
func (a *Package) Source(fn *ssa.Function) *ssa.Function {
	if fn == nil {
		return nil
	}
	fn = ssautil.Generic(fn)
	if obj, ok := fn.Object().(*types.Func); ok && obj.Pkg() == a.Pass.Pkg {
		if f := a.ssaPkg.Prog.FuncValue(obj.Origin()); f != nil {
			return f
		}
	}
	return fn
}

// summary returns the summary of a function, or nil if nothing is known about it.
func (a *Package) summary(fn *ssa.Function, obj *types.Func) *Summary {
	if obj != nil {
		if s := a.Known(obj); s != nil {
			return s
		}
	}
	if obj == nil || obj.Pkg() == a.Pass.Pkg {
		fn = a.Source(fn)
		if s := a.summaries[fn]; s != nil {
			return s
		}
		if fn.Pkg == a.ssaPkg && len(fn.Blocks) > 0 {
			return new(Summary) // recursive: it is looked at again
		}
		if obj != nil && a.noEscape[obj] {
			return borrowing(obj.Signature())
		}
		return nil
	}
	return a.imported(obj)
}

// Known returns the summary of a function in the catalog, or nil.
func (a *Package) Known(f *types.Func) *Summary {
	s, ok := a.tabled[f]
	if !ok {
		s = fromCatalog(catalog.Func(f))
		if s == nil && f.Pkg() != nil && f.Pkg().Path() == "sync/atomic" {
			s = new(Summary) // some have no body
		}
		a.tabled[f] = s
	}
	return s
}

// rounds bounds how often functions are looked at that call each other in a circle.
const rounds = 3

// summarize finds the summaries of all functions, callees first; once more of those that
// use a function whose summary has changed since.
//
// The first round begins with summaries that say nothing, which is right for all but recursive
// functions. These are looked at again when a callee has changed, or they themselves have. Three
// rounds bound that: a summary need not grow from one round to the next, so nothing else guarantees
// an end. What more rounds would find is missed.
func (a *Package) summarize() {
	changed := map[*ssa.Function]int{} // when
	now := 0
	for round := range rounds {
		again := false
		for _, f := range a.Order {
			if round > 0 && !slices.ContainsFunc(f.callees, func(fn *ssa.Function) bool { return changed[fn] >= f.summarizedAt }) { // it may be f itself
				continue
			}
			now++
			f.summarizedAt = now
			if s := a.summaryOf(f); !reflect.DeepEqual(s, a.summaries[f.Function]) {
				if a.summaries[f.Function] != nil || !s.zero() {
					changed[f.Function] = now
					again = true
				}
				a.summaries[f.Function] = s
			}
		}
		if !again {
			return
		}
	}
}
