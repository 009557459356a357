package arenashared

import (
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/buildssa"
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/rule"
	"lessgc/vet/internal/ssautil"
)

// A world holds what is known about a package.
type world struct {
	finder
	pass      *analysis.Pass
	funcs     []*ssa.Function
	summaries map[*ssa.Function]*summary
}

// An allocation records which parameters of a function are arenas that it, or a goroutine
// that it starts, allocates from without a lock. It is a fact of the package; parameters
// are bits, the receiver counts.
type allocation struct{ Uses, Starts uint64 }

// AFact makes allocation a fact.
func (*allocation) AFact() {}

// summaries finds out what functions do with arenas. It reports nothing.
var summaries = &analysis.Analyzer{
	Name:       "arenasharedsummaries",
	Doc:        "find functions that allocate from arenas",
	Requires:   []*analysis.Analyzer{buildssa.Analyzer},
	ResultType: reflect.TypeFor[*world](),
	FactTypes:  []analysis.Fact{new(allocation)},
	Run: func(pass *analysis.Pass) (result any, err error) {
		result = (*world)(nil) // if it panics, or there are no arenas
		defer rule.Recover(pass, &err)
		if !catalog.Imports(pass.Pkg, nil, func(t *catalog.Type) bool { return t.Confined }) && len(pass.AllObjectFacts()) == 0 {
			return result, nil
		}
		w := &world{pass: pass, summaries: map[*ssa.Function]*summary{}}
		w.finder = finder{fields: map[*types.Var]string{}, stores: map[string][]ssa.Value{}, vars: map[*ssa.Global][]ssa.Value{}, open: map[*ssa.Alloc]int{}}
		in := pass.ResultOf[buildssa.Analyzer].(*buildssa.SSA)
		w.funcs = ssautil.Functions(in)
		for _, fn := range w.funcs {
			w.collect(fn)
		}
		for _, fn := range in.SrcFuncs {
			w.export(fn)
		}
		return w, nil
	},
}

// collect notes what is stored in fields and variables of the package.
func (w *world) collect(fn *ssa.Function) {
	for s := range ssautil.InstructionsOf[*ssa.Store](fn) {
		switch addr := s.Addr.(type) {
		case *ssa.FieldAddr:
			k := w.key(addr.X, addr.Field)
			w.stores[k] = append(w.stores[k], s.Val)
		case *ssa.Global:
			w.vars[addr] = append(w.vars[addr], s.Val)
		}
	}
}

// export hands on what a function does with arenas that other packages pass to it.
func (w *world) export(fn *ssa.Function) {
	object, ok := fn.Object().(*types.Func)
	if !ok || !object.Exported() || fn.Parent() != nil {
		return
	}
	s := w.summarize(fn)
	f := &allocation{bits(fn, s.uses), bits(fn, s.starts)}
	if f.Uses|f.Starts != 0 {
		w.pass.ExportObjectFact(object, f)
	}
}

// bits are the parameters of fn that are used.
func bits(fn *ssa.Function, uses []use) (set uint64) {
	for _, u := range uses {
		for i, p := range fn.Params {
			if u.path == (path{root: p}) && i < 64 {
				set |= 1 << i
			}
		}
	}
	return set
}

// elsewhere are the arenas that a function of another package uses, and those that
// goroutines use which it starts.
func (w *world) elsewhere(call ssa.CallInstruction) (uses, starts []use) {
	object := ssautil.Callee(call.Common())
	var f allocation
	if object == nil || call.Common().IsInvoke() || !w.pass.ImportObjectFact(object, &f) {
		return nil, nil
	}
	for i, v := range call.Common().Args {
		u := use{path: w.path(v), typ: v.Type(), at: call.Pos()}
		if is, _ := isArena(v.Type()); !is || u.path.root == nil {
			continue
		}
		if f.Uses&(1<<i) != 0 {
			uses = append(uses, u)
		}
		if f.Starts&(1<<i) != 0 {
			starts = append(starts, u)
		}
	}
	return uses, starts
}
