package flow

import (
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/buildssa"
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/directive"
	"lessgc/vet/internal/rule"
)

// Settings are the same for all packages of a process.
var Settings struct {
	Table Table // what users say of functions, besides the presets
}

// A Result is what was found in a package.
type Result struct {
	Events []*Event
}

// Analyzer follows the values of a package. It reports nothing.
var Analyzer = &analysis.Analyzer{
	Name:       "lessgcflow",
	Doc:        "follow pooled values, arenas and their memory",
	Requires:   []*analysis.Analyzer{buildssa.Analyzer, directive.Analyzer},
	FactTypes:  []analysis.Fact{new(record)},
	ResultType: reflect.TypeFor[*Result](),
	Run: func(pass *analysis.Pass) (result any, err error) {
		result = new(Result)
		defer rule.Recover(pass, &err)
		return analyze(pass)
	},
}

// An analyzer is at work on one package.
type analyzer struct {
	pass     *analysis.Pass
	pkg      *ssa.Package
	tabled   map[*types.Func]*Summary // what the tables say, once they were asked; nil for nothing
	funcs    map[*ssa.Function]*function
	order    []*function
	sums     map[*ssa.Function]*Summary
	says     map[*types.Func][]directive.Func
	policies map[types.Object]Kind
	packages map[*types.Package]summaries // of other packages, once they were asked; nil if nobody looked at them
	rpc      rpc
	events   []*Event
	reported map[where]bool
}

func analyze(pass *analysis.Pass) (*Result, error) {
	built := pass.ResultOf[buildssa.Analyzer].(*buildssa.SSA)
	a := &analyzer{pass: pass, pkg: built.Pkg, tabled: map[*types.Func]*Summary{}, funcs: map[*ssa.Function]*function{}, sums: map[*ssa.Function]*Summary{},
		says: map[*types.Func][]directive.Func{}, policies: map[types.Object]Kind{}, packages: map[*types.Package]summaries{}, reported: map[where]bool{}}
	for decl, list := range pass.ResultOf[directive.Analyzer].(*directive.Directives).Funcs {
		if f, ok := pass.TypesInfo.Defs[decl.Name].(*types.Func); ok {
			a.says[f] = list
		}
	}
	fns := built.SrcFuncs
	// Function literals of package-level variables hang off the package's initializer.
	if init := built.Pkg.Func("init"); init != nil {
		fns = append(fns[:len(fns):len(fns)], literals(init)...)
	}
	a.findPolicies()
	a.findRPC()
	seen := map[*ssa.Function]bool{}
	for _, f := range fns {
		a.visit(f, seen)
	}
	a.summarize()
	for _, f := range a.order {
		a.judge(f)
	}
	return &Result{a.events}, a.export()
}

func literals(f *ssa.Function) []*ssa.Function {
	var all []*ssa.Function
	for _, anon := range f.AnonFuncs {
		all = append(append(all, anon), literals(anon)...)
	}
	return all
}

// visit puts f into the order, after the functions of the package that it calls.
func (a *analyzer) visit(f *ssa.Function, seen map[*ssa.Function]bool) {
	if seen[f] {
		return
	}
	seen[f] = true
	for _, anon := range f.AnonFuncs {
		a.visit(anon, seen)
	}
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			c, ok := i.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if fn := a.source(c.Common().StaticCallee()); fn != nil && fn.Pkg == a.pkg {
				a.visit(fn, seen)
			}
		}
	}
	if len(f.Blocks) > 0 {
		x := &function{Function: f, a: a}
		a.funcs[f] = x
		a.order = append(a.order, x)
	}
}

// source is the function that was written: not an instance, nor a wrapper.
func (a *analyzer) source(fn *ssa.Function) *ssa.Function {
	if fn == nil {
		return nil
	}
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	if obj, ok := fn.Object().(*types.Func); ok && obj.Pkg() == a.pass.Pkg {
		if f := a.pkg.Prog.FuncValue(obj.Origin()); f != nil {
			return f
		}
	}
	return fn
}

// summary is what is known of a function, or nil.
func (a *analyzer) summary(fn *ssa.Function, obj *types.Func) *Summary {
	if obj != nil {
		if s := a.entry(obj); s != nil {
			return s
		}
	}
	if obj == nil || obj.Pkg() == a.pass.Pkg {
		fn = a.source(fn)
		if s := a.sums[fn]; s != nil {
			return s
		}
		if fn.Pkg == a.pkg && len(fn.Blocks) > 0 {
			return new(Summary) // recursive: it is looked at again
		}
		return nil
	}
	return a.imported(obj)
}

// entry is what the tables say of a function, or nil.
func (a *analyzer) entry(f *types.Func) *Summary {
	s, ok := a.tabled[f]
	if !ok {
		full := name(f)
		if s = Settings.Table[full]; s == nil {
			s = known()[full]
		}
		if s == nil && f.Pkg() != nil && f.Pkg().Path() == "sync/atomic" {
			s = new(Summary) // some have no body
		}
		a.tabled[f] = s
	}
	return s
}

// summarize finds the summaries of all functions, callees first; once more for those that
// call each other in a circle.
func (a *analyzer) summarize() {
	for round := range 3 {
		changed := false
		for _, f := range a.order {
			s := a.summaryOf(f)
			if !reflect.DeepEqual(s, a.sums[f.Function]) {
				changed = changed || round > 0 || a.sums[f.Function] != nil || a.recursive(f)
				a.sums[f.Function] = s
			}
		}
		if !changed {
			return
		}
	}
}

// recursive says whether f calls a function that stands after it in the order, or itself.
func (a *analyzer) recursive(f *function) bool {
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			c, ok := i.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if fn := a.source(c.Common().StaticCallee()); fn != nil && fn.Pkg == a.pkg && a.sums[fn] == nil && len(fn.Blocks) > 0 {
				return true
			}
		}
	}
	return false
}
