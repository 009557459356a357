package poolnoreset

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// A method that returns its receiver gives it an option, which not all users give:
//
//	func (q *Query) Bind(f func()) *Query {
//		q.binding = f
//		return q
//	}
//
// It leaves that for the next user if those who read it ask whether there is any, as they need not where all
// users give it:
//
//	if q.binding != nil {
//		q.binding()
//	}

// option reports whether fn gives an option: it sets a field to a parameter, whatever there is, and returns its
// receiver.
func (s *summary) option(fn *ssa.Function, path string, v ssa.Value) bool {
	p, ok := v.(*ssa.Parameter)
	if !ok || fn.Signature.Recv() == nil || p == fn.Params[0] || s.reachable(path) {
		return false
	}
	for load := range ssautil.InstructionsOf[*ssa.UnOp](fn) {
		if s.holds(path, load) {
			return false
		}
	}
	chained := false
	for r := range ssautil.Returns(fn) {
		if len(r.Results) != 1 || r.Results[0] != ssa.Value(fn.Params[0]) {
			return false
		}
		chained = true
	}
	return chained
}

// reachable reports whether other packages can assign to the field at a path.
func (s *summary) reachable(path string) bool {
	n := ssautil.Named(s.looker.view.Elem)
	return n == nil || n.Obj().Exported() && token.IsExported(path)
}

// tests reports whether what is loaded is compared with the zero value of its type, or its length with 0.
func tests(load ssa.Value) bool {
	if b, ok := load.Type().Underlying().(*types.Basic); ok && b.Kind() == types.Bool {
		for range ssautil.Uses[*ssa.If](load) {
			return true
		}
	}
	for c := range ssautil.Uses[*ssa.BinOp](load) {
		if ssautil.IsComparison(c.Op) && (isZero(c.X) || isZero(c.Y)) {
			return true
		}
	}
	for call := range ssautil.Uses[*ssa.Call](load) {
		if ssautil.IsBuiltin(call, "len") && tests(call) {
			return true
		}
	}
	return false
}

func isZero(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && zero(c)
}

// settle takes the options of a field for data that stays, if somebody asks whether there are any, and for
// resets otherwise.
func (f *field) settle() {
	if len(f.options) == 0 {
		return
	}
	if !f.tested {
		f.reset = true
		return
	}
	f.writes = append(f.writes, f.options...)
}
