package heappointer

import (
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/buildssa"
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/rule"
	"lessgc/vet/internal/ssautil"
)

// summaries finds out which functions of a package return memory that the collector does
// not scan, or store in it. It reports nothing.
var summaries = &analysis.Analyzer{
	Name:       "heappointersummaries",
	Doc:        "find functions that return memory that the collector does not scan",
	Requires:   []*analysis.Analyzer{buildssa.Analyzer},
	ResultType: reflect.TypeFor[*world](),
	FactTypes:  []analysis.Fact{new(summary)},
	Run: func(pass *analysis.Pass) (result any, err error) {
		result = (*world)(nil) // if it panics
		defer rule.Recover(pass, &err)
		if collector(pass.Pkg.Path()) || !regional(pass) {
			return result, nil
		}
		w := look(pass)
		for _, fn := range w.funcs {
			w.generic(fn)
		}
		w.export()
		return w, nil
	},
}

// collector reports whether a package is the collector itself, or what is below it.
func collector(path string) bool {
	return path == "runtime" || strings.HasPrefix(path, "internal/runtime/")
}

// A summary describes what a function does, for its callers. It is a fact of the package.
type summary struct {
	Results []resultFact
	Stored  []stored

	making bool
}

// AFact makes summary a fact.
func (*summary) AFact() {}

// A result of a function is memory that the collector does not scan.
type resultFact struct {
	Region, Fresh, Alloc bool
	What                 string
}

// Stored records that the value of a parameter, whose type is a type parameter, is stored in
// such memory.
type stored struct {
	Param    int
	Variadic bool // its elements
	What     string
}

// summaryOf returns the summary of a called function, or nil if nothing is known about it.
func (w *world) summaryOf(c *ssa.CallCommon) *summary {
	f := c.StaticCallee()
	if f == nil {
		return nil
	}
	if o := ssautil.Generic(f); o.Blocks != nil {
		return w.summarize(o)
	}
	object, ok := f.Object().(*types.Func)
	if !ok {
		return nil
	}
	s := new(summary)
	if !w.pass.ImportObjectFact(object.Origin(), s) {
		return nil
	}
	return s
}

// summarize is the summary of a function of the package.
func (w *world) summarize(fn *ssa.Function) *summary {
	if s := w.results[fn]; s != nil {
		return s
	}
	s := &summary{making: true}
	w.results[fn] = s
	n := fn.Signature.Results().Len()
	found := make([]resultFact, n)
	for i := range n {
		if !points(fn.Signature.Results().At(i).Type()) {
			continue
		}
		m := w.trace().any(returned(fn, i))
		found[i] = resultFact{Region: m.kind == region, Fresh: m.fresh, Alloc: m.alloc, What: m.what}
	}
	s.Results, s.making = found, false
	return s
}

// export hands on what other packages can call.
func (w *world) export() {
	for _, fn := range w.funcs {
		object, ok := fn.Object().(*types.Func)
		if !ok || !object.Exported() || fn.Parent() != nil {
			continue
		}
		if s := w.summarize(fn); w.useful(s, fn) {
			w.pass.ExportObjectFact(object, s)
		}
	}
}

// useful reports whether a summary tells callers anything. Byte slices that a function has
// made for its caller do not.
func (w *world) useful(s *summary, fn *ssa.Function) bool {
	for i, r := range s.Results {
		if e := ssautil.Elem(fn.Signature.Results().At(i).Type()); r.Region && (r.Alloc || e != nil && !noPointers(e)) {
			return true
		}
	}
	return len(s.Stored) > 0
}

// generic adds to the summary of a function which parameters it stores, if their types
// are type parameters.
func (w *world) generic(fn *ssa.Function) {
	if fn.TypeParams().Len() == 0 {
		return
	}
	s := w.summarize(fn)
	for instr := range ssautil.Instructions(fn) {
		switch instr := instr.(type) {
		case *ssa.Store:
			w.notes(s, fn, instr.Addr, instr.Val, instr.Block())
		case *ssa.Call:
			if inner := w.summaryOf(instr.Common()); inner != nil {
				w.passedOn(s, fn, instr, inner)
			}
		}
	}
}

// notes adds that fn stores v, if that is a parameter.
func (w *world) notes(s *summary, fn *ssa.Function, addr, v ssa.Value, b *ssa.BasicBlock) {
	yes, depends := pointers(v.Type())
	if yes || !depends {
		return
	}
	i := index(fn, v)
	if i < 0 {
		return
	}
	if m := w.memory(addr); m.hidden(b) && !m.fresh {
		s.Stored = append(s.Stored, stored{Param: i, What: m.what})
	}
}

// passedOn notes that fn passes its parameters to a function that stores them.
func (w *world) passedOn(s *summary, fn *ssa.Function, call *ssa.Call, inner *summary) {
	if inner == s {
		return
	}
	for _, p := range inner.Stored {
		if p.Param >= len(call.Call.Args) {
			continue
		}
		if i := index(fn, call.Call.Args[p.Param]); i >= 0 {
			s.Stored = append(s.Stored, stored{Param: i, Variadic: p.Variadic, What: p.What})
		}
	}
}

// index is the number of the parameter of fn that v is, or -1.
func index(fn *ssa.Function, v ssa.Value) int {
	if u, ok := v.(*ssa.UnOp); ok && u.Op == token.MUL {
		if cell, ok := u.X.(*ssa.Alloc); ok {
			if values := storesTo(cell); len(values) == 1 {
				v = values[0]
			}
		}
	}
	for i, p := range fn.Params {
		if p == v {
			return i
		}
	}
	return -1
}
