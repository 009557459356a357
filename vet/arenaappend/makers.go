package arenaappend

import (
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/buildssa"
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/rule"
	"lessgc/vet/internal/ssautil"
)

// A maker is a function that makes a slice in an arena. Its arguments are counted from the
// receiver.
type maker struct {
	len, cap int // which arguments: -1 if there is none
}

// full is the maker of slices whose capacity is their length.
var full = maker{-1, -1}

// A wrapper is a function that returns the result of a maker. It is a fact of the package.
type wrapper struct{ Len, Cap int }

// AFact makes wrapper a fact.
func (*wrapper) AFact() {}

// A library knows the makers of a package and of those that it imports.
type library struct {
	pass     *analysis.Pass
	funcs    []*ssa.Function
	wrappers map[*ssa.Function]*maker // of the package; nil for what is none
}

// wrappers finds functions that return what makers do. It reports nothing.
var wrappers = &analysis.Analyzer{
	Name:       "arenaappendmakers",
	Doc:        "find functions that make slices in arenas",
	Requires:   []*analysis.Analyzer{buildssa.Analyzer},
	ResultType: reflect.TypeFor[*library](),
	FactTypes:  []analysis.Fact{new(wrapper)},
	Run: func(pass *analysis.Pass) (result any, err error) {
		result = (*library)(nil) // if it panics, or there are no arenas
		defer rule.Recover(pass, &err)
		if !catalog.Imports(pass.Pkg, func(f *catalog.Function) bool { return f.Slice != nil }, nil) && len(pass.AllObjectFacts()) == 0 {
			return result, nil
		}
		in := pass.ResultOf[buildssa.Analyzer].(*buildssa.SSA)
		lib := &library{pass: pass, funcs: ssautil.Functions(in), wrappers: map[*ssa.Function]*maker{}}
		for _, fn := range in.SrcFuncs {
			object, ok := fn.Object().(*types.Func)
			if m := lib.wraps(fn); ok && m != nil && object.Exported() {
				pass.ExportObjectFact(object, &wrapper{m.len, m.cap})
			}
		}
		return lib, nil
	},
}

// made is the maker that a value comes from.
func (lib *library) made(v ssa.Value) (*ssa.Call, maker, bool) {
	call, ok := v.(*ssa.Call)
	if !ok || len(call.Call.Args) == 0 || isNil(call.Call.Args[0]) {
		return nil, maker{}, false // a nil arena is the heap
	}
	f, object := call.Call.StaticCallee(), ssautil.Callee(&call.Call)
	if f == nil || object == nil {
		return nil, maker{}, false
	}
	if s := catalog.Func(object).Slice; s != nil {
		return call, maker{s.Len, s.Cap}, true
	}
	f = ssautil.Generic(f)
	if f.Blocks != nil {
		if m := lib.wraps(f); m != nil {
			return call, *m, true
		}
		return nil, maker{}, false
	}
	var w wrapper
	if !lib.pass.ImportObjectFact(object, &w) {
		return nil, maker{}, false
	}
	return call, maker{w.Len, w.Cap}, true
}

// wraps returns the maker that a function of the package wraps, nil if none. The heap is another
// way to get a slice, for a nil arena.
func (lib *library) wraps(fn *ssa.Function) *maker {
	if m, ok := lib.wrappers[fn]; ok {
		return m
	}
	lib.wrappers[fn] = nil
	if r := fn.Signature.Results(); r.Len() != 1 || len(fn.Params) == 0 {
		return nil
	}
	var found *maker
	for r := range ssautil.Returns(fn) {
		if _, heap := r.Results[0].(*ssa.MakeSlice); heap || isNil(r.Results[0]) {
			continue
		}
		m := lib.passes(fn, r.Results[0])
		if m == nil || found != nil && *found != *m {
			return nil
		}
		found = m
	}
	lib.wrappers[fn] = found
	return found
}

// passes is the maker that v comes from, with the parameters of fn that are passed to it.
func (lib *library) passes(fn *ssa.Function, v ssa.Value) *maker {
	call, m, ok := lib.made(v)
	if !ok || m == full {
		return nil
	}
	w := maker{-1, slices.IndexFunc(fn.Params, func(p *ssa.Parameter) bool { return p == call.Call.Args[m.cap] })}
	if w.cap < 1 {
		return nil
	}
	if m.len < 0 {
		return &w
	}
	n := call.Call.Args[m.len]
	if c, ok := n.(*ssa.Const); ok && c.Int64() == 0 {
		return &w
	}
	w.len = slices.IndexFunc(fn.Params, func(p *ssa.Parameter) bool { return p == n })
	if w.len < 1 {
		return nil
	}
	return &w
}

// isNil reports whether an arena is the constant nil, perhaps as an interface.
func isNil(v ssa.Value) bool {
	if i, ok := v.(*ssa.MakeInterface); ok {
		v = i.X
	}
	return ssautil.IsNil(v)
}
