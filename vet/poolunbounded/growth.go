package poolunbounded

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/pooluse"
	"lessgc/vet/internal/ssautil"
)

// maxDepth limits the calls through which growth is looked for.
const maxDepth = 3

// A growth finds out whether a slice has grown with the input.
type growth struct {
	uses *pooluse.Uses
	view *pooluse.View
	seen map[ssa.Value]bool
}

// grew reports whether v comes from something that adds input to a slice.
func (l *looker) grew(v ssa.Value) bool {
	return (&growth{uses: l.uses, view: l.view, seen: map[ssa.Value]bool{}}).of(v, maxDepth)
}

// of reports whether v comes from something that adds input to a slice.
func (g *growth) of(v ssa.Value, depth int) bool {
	v = g.uses.Source(v)
	if g.seen[v] {
		return false
	}
	g.seen[v] = true
	switch v := v.(type) {
	case *ssa.Phi:
		for _, e := range v.Edges {
			if g.of(e, depth) {
				return true
			}
		}
	case *ssa.Slice:
		return g.of(v.X, depth)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			for _, s := range g.uses.Stored(v.X) {
				if g.of(s, depth) {
					return true
				}
			}
		}
	case *ssa.MakeSlice:
		return input(v.Cap) // which the length is never more than
	case *ssa.Extract:
		return g.of(v.Tuple, depth)
	case *ssa.Call:
		return g.call(v, depth)
	}
	return false
}

func (g *growth) call(v *ssa.Call, depth int) bool {
	args := v.Call.Args
	if b, ok := v.Call.Value.(*ssa.Builtin); ok {
		return b.Name() == "append" && (ssautil.Reaches(v.Block(), v.Block()) || unknownLength(args[1]) || g.of(args[0], depth))
	}
	if fn := v.Call.StaticCallee(); fn != nil && fn.Name() == "Bytes" && len(args) == 1 && isBuffer(args[0].Type()) {
		return g.goesOn(g.uses.Source(args[0])) && g.written(g.uses.Source(args[0]))
	}
	slice := -1 // the argument that may be returned
	for i, a := range args {
		if _, ok := a.Type().Underlying().(*types.Slice); ok && returns(v.Call.Signature(), a.Type()) {
			slice = i
			break
		}
	}
	if slice < 0 {
		return false
	}
	callee, _ := g.uses.Callee(v.Common())
	switch {
	case callee == nil:
		return true
	case callee.Blocks != nil && depth > 0:
		return g.body(callee, depth-1) || g.of(args[slice], depth)
	case bounded(callee):
		return ssautil.Reaches(v.Block(), v.Block()) || g.of(args[slice], depth)
	}
	return true
}

// goesOn reports whether a buffer writes on in memory that a value of the pool has, or a function was given.
func (g *growth) goesOn(buffer ssa.Value) bool {
	made, ok := buffer.(*ssa.Call)
	if !ok {
		return false
	}
	args := ssautil.Arguments(&made.Call)
	for i, p := range catalog.Callee(&made.Call).Params {
		if !p.Hold {
			continue
		}
		memory := g.uses.Source(ssautil.Root(args[i]))
		if _, given := memory.(*ssa.Parameter); given || g.view.Part(memory) {
			return true
		}
	}
	return false
}

// written reports whether input is written to a buffer.
func (g *growth) written(buffer ssa.Value) bool {
	for _, i := range g.uses.Referrers(buffer) {
		if call, ok := i.(ssa.CallInstruction); ok {
			c := call.Common()
			if fn := c.StaticCallee(); fn != nil && len(c.Args) > 0 && g.uses.Source(c.Args[0]) == buffer && writes(call, fn.Name(), c.Args[1:]) {
				return true
			}
			continue
		}
		m, ok := i.(*ssa.MakeInterface)
		if !ok || !hasWrite(m.Type()) {
			continue
		}
		for call := range ssautil.Uses[ssa.CallInstruction](m) {
			if fn := ssautil.Callee(call.Common()); !prints(call, call.Common().Args, fn) {
				return true
			}
		}
	}
	return false
}

// hasWrite reports whether an interface has a method Write.
func hasWrite(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for method := range i.Methods() {
		if method.Name() == "Write" {
			return true
		}
	}
	return false
}

// body reports whether fn returns a slice that has grown in it.
func (g *growth) body(fn *ssa.Function, depth int) bool {
	for r := range ssautil.Returns(fn) {
		if len(r.Results) > 0 && g.of(r.Results[0], depth) {
			return true
		}
	}
	return false
}

// returns reports whether the first result of a function is a t.
func returns(s *types.Signature, t types.Type) bool {
	return s.Results().Len() > 0 && types.Identical(s.Results().At(0).Type(), t)
}

// bounded reports whether fn appends a few bytes at most.
func bounded(fn *ssa.Function) bool {
	f, _ := fn.Object().(*types.Func)
	return catalog.Says(f, func(f *catalog.Function) bool { return f.Few })
}

// unknownLength reports whether v, which is appended as a whole, is a slice or string of
// which nobody knows the length: neither a constant nor an array, nor made for this, as
// room for a header is.
func unknownLength(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const, *ssa.MakeSlice:
		return false
	case *ssa.Slice:
		p, ok := v.X.Type().Underlying().(*types.Pointer)
		if !ok {
			return true
		}
		_, array := p.Elem().Underlying().(*types.Array)
		return !array
	case *ssa.Convert:
		return unknownLength(v.X)
	}
	return true
}

// input reports whether v is a size that is not in the source, nor in a variable of a package.
func input(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return false
	case *ssa.Convert:
		return input(v.X)
	case *ssa.UnOp:
		_, setting := ssautil.Root(v.X).(*ssa.Global)
		return !setting
	}
	return true
}

// writes reports whether a method of a buffer adds input to it.
func writes(call ssa.CallInstruction, method string, args []ssa.Value) bool {
	switch method {
	case "ReadFrom":
		return true
	case "Write", "WriteString":
		return ssautil.Reaches(call.Block(), call.Block()) || unknownLength(args[0])
	case "WriteByte", "WriteRune":
		return ssautil.Reaches(call.Block(), call.Block())
	case "Grow":
		return input(args[0])
	}
	return false
}

// prints reports whether fn is one that prints, and is given nothing but numbers here.
func prints(call ssa.CallInstruction, args []ssa.Value, fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "fmt" || ssautil.Reaches(call.Block(), call.Block()) {
		return false
	}
	switch list := args[len(args)-1].(type) {
	case *ssa.Const:
		return true
	case *ssa.Slice:
		a, ok := list.X.(*ssa.Alloc)
		if !ok {
			return false
		}
		for at := range ssautil.Uses[*ssa.IndexAddr](a) {
			for s := range ssautil.Uses[*ssa.Store](at) {
				if !short(s.Val) {
					return false
				}
			}
		}
		return true
	}
	return false
}

// short reports whether v is printed in a few bytes.
func short(v ssa.Value) bool {
	m, ok := v.(*ssa.MakeInterface)
	if !ok {
		return false
	}
	if _, constant := m.X.(*ssa.Const); constant {
		return true
	}
	b, ok := m.X.Type().Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsNumeric|types.IsBoolean) != 0
}
