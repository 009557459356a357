package poolnoreset

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/pooluse"
	"lessgc/vet/internal/ssautil"
)

// store looks at an assignment to a field. One that neither surely leaves data for the next
// user nor is made only if there is nothing yet counts as a reset.
func (s *summary) store(fn *ssa.Function, f *field, st *ssa.Store) {
	v := s.uses.Source(st.Val)
	switch {
	case s.adds(f.path, v, map[ssa.Value]bool{}):
		if s.sized(f.path, st.Block()) {
			f.reset = true // it makes room
		} else if s.input(v) {
			s.wrote(f, st)
		}
	case s.filled(f.path, st):
	case emptying(st.Val) && s.atGet(st):
	case s.sets(fn, st, v):
		if s.setsBack(fn, v) || s.sized(f.path, st.Block()) {
			f.reset = true
		} else {
			s.wrote(f, st)
		}
	case s.option(fn, f.path, v):
		if s.setsBack(fn, v) {
			f.reset = true
		}
		f.options = append(f.options, st)
	case s.keeps(fn, f.path, st, v):
		f.plain = append(f.plain, st)
	case s.branched(st, f.path):
		f.plain, f.branched = append(f.plain, st), true
	default:
		f.reset = true
	}
}

// adds reports whether v is what the field holds with something added to it, on all paths. Sums do not
// count: they are statistics, or positions that others are relative to.
func (s *summary) adds(path string, v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Phi:
		for _, e := range v.Edges {
			if !s.holds(path, e) && !s.adds(path, e, seen) {
				return false
			}
		}
		return true
	case *ssa.BinOp:
		return (v.Op == token.ADD && ssautil.IsString(v.Type()) || v.Op == token.OR) && (s.holds(path, v.X) || s.holds(path, v.Y))
	case *ssa.Call:
		if !strings.HasPrefix(strings.ToLower(ssautil.CalleeName(&v.Call)), "append") {
			return false
		}
		for _, a := range ssautil.Arguments(&v.Call) {
			if types.Identical(a.Type(), v.Type()) {
				return s.holds(path, a) || s.adds(path, s.uses.Source(a), seen)
			}
		}
	}
	return false
}

// holds reports whether v is loaded from the field.
func (s *summary) holds(path string, v ssa.Value) bool {
	from := ssautil.LoadedFrom(s.uses.Source(v))
	return from != nil && s.path(from) == path
}

// input reports whether what v adds is more than room for elements.
func (s *summary) input(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	if !ok || !ssautil.IsAppend(call) || len(call.Call.Args) < 2 {
		return true
	}
	switch list := call.Call.Args[1].(type) {
	case *ssa.Const, *ssa.MakeSlice:
		return false
	case *ssa.Slice:
		a, ok := list.X.(*ssa.Alloc)
		if !ok {
			return true
		}
		for at := range ssautil.Uses[*ssa.IndexAddr](a) {
			for st := range ssautil.StoresTo(at) {
				if c, ok := st.Val.(*ssa.Const); !ok || !zero(c) {
					return true
				}
			}
		}
		return false
	}
	return true
}

// sized reports whether b is executed if the length or the capacity of the field is small, as where
// room is made for elements that are used by their index.
func (s *summary) sized(path string, b *ssa.BasicBlock) bool {
	for _, p := range append([]*ssa.BasicBlock{b.Idom()}, b.Preds...) {
		if p == nil {
			continue
		}
		branch, ok := p.Instrs[len(p.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		cond, ok := branch.Cond.(*ssa.BinOp)
		if ok && (s.measures(path, cond.X) || s.measures(path, cond.Y)) {
			return true
		}
	}
	return false
}

// measures reports whether v is computed from the length or the capacity of the field.
func (s *summary) measures(path string, v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.BinOp:
		return s.measures(path, v.X) || s.measures(path, v.Y)
	case *ssa.Call:
		return ssautil.IsBuiltin(v, "len", "cap") && s.holds(path, v.Call.Args[0])
	}
	return false
}

// filled reports whether st gives the field a value because it is nil.
func (s *summary) filled(path string, st *ssa.Store) bool {
	c := ssautil.EqualAt(st.Block())
	return c != nil && (ssautil.IsNil(c.X) && s.holds(path, c.Y) || ssautil.IsNil(c.Y) && s.holds(path, c.X))
}

// sets reports whether fn is called to give a field the value v, which the next user did not ask
// for: an option, or an error.
func (s *summary) sets(fn *ssa.Function, st *ssa.Store, v ssa.Value) bool {
	if isError(v.Type()) {
		return notNil(v, st.Block())
	}
	if s.owner(st.Addr) != nil { // not a method that sets an option, but a user
		return false
	}
	if !begins(fn.Name(), "set", "with", "enable", "disable", "use", "add", "put", "append", "write", "on") {
		return false
	}
	for {
		switch x := v.(type) {
		case *ssa.Const:
			return x.Value != nil && x.Value.Kind() == constant.Bool && constant.BoolVal(x.Value)
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.Convert:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.Parameter:
			return x != fn.Params[0] || fn.Signature.Recv() == nil
		default:
			return false
		}
	}
}

// setsBack reports whether fn, which sets a field to its parameter v, is also called to reset it: with the
// zero value, or with any constant by a function that puts the value and has not got it.
func (s *summary) setsBack(fn *ssa.Function, v ssa.Value) bool {
	n := slices.IndexFunc(fn.Params, func(p *ssa.Parameter) bool { return ssa.Value(p) == v })
	if n < 0 {
		return false
	}
	for _, by := range s.uses.Funcs {
		verbs := s.verbs(by)
		puts := slices.Contains(verbs, pooluse.Put) && !slices.Contains(verbs, pooluse.Get)
		for i := range ssautil.Instructions(by) {
			call, ok := i.(ssa.CallInstruction)
			if !ok {
				continue
			}
			callee, args := s.uses.Callee(call.Common())
			if callee != fn || len(args) <= n || !slices.ContainsFunc(args, s.is) {
				continue
			}
			if c, ok := args[n].(*ssa.Const); ok && (puts || zero(c)) {
				return true
			}
		}
	}
	return false
}

// verbs returns what fn does with the pool.
func (s *summary) verbs(fn *ssa.Function) []pooluse.Verb {
	var all []pooluse.Verb
	for _, op := range s.looker.pool.Ops {
		if op.Fn == fn {
			all = append(all, op.Verb)
		}
	}
	return all
}

// notNil reports whether an error is surely one in b: new, or a variable of a package, or tested.
func notNil(v ssa.Value, b *ssa.BasicBlock) bool {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return true
	case *ssa.UnOp:
		if _, global := v.X.(*ssa.Global); global {
			return true
		}
	case *ssa.Call:
		if catalog.Callee(&v.Call).NonNil {
			return true
		}
	}
	for c := range ssautil.Uses[*ssa.BinOp](v) {
		for branch := range ssautil.Uses[*ssa.If](c) {
			succs := branch.Block().Succs
			if c.Op == token.NEQ && ssautil.IsNil(c.Y) && len(succs[0].Preds) == 1 && succs[0].Dominates(b) {
				return true
			}
			if c.Op == token.EQL && ssautil.IsNil(c.Y) && len(succs[1].Preds) == 1 && succs[1].Dominates(b) {
				return true
			}
		}
	}
	return false
}

// zero reports whether c is the zero value of its type.
func zero(c *ssa.Const) bool {
	if c.Value == nil {
		return true
	}
	switch c.Value.Kind() {
	case constant.Bool:
		return !constant.BoolVal(c.Value)
	case constant.String:
		return constant.StringVal(c.Value) == ""
	case constant.Int, constant.Float:
		return constant.Sign(c.Value) == 0
	}
	return false
}

// keeps reports whether fn always gives a field data of a use: a text, a time, or a flag that it does
// not look at before.
func (s *summary) keeps(fn *ssa.Function, path string, st *ssa.Store, v ssa.Value) bool {
	if !always(st) {
		return false
	}
	if slices.ContainsFunc(s.looker.pool.Ops, func(op *pooluse.Op) bool { return op.Fn == fn }) {
		return false
	}
	for load := range ssautil.InstructionsOf[*ssa.UnOp](fn) {
		if s.holds(path, load) {
			return false
		}
	}
	if c, ok := v.(*ssa.Const); ok {
		return c.Value != nil && c.Value.Kind() == constant.Bool && constant.BoolVal(c.Value)
	}
	n := ssautil.TypeName(v.Type())
	return ssautil.IsString(v.Type()) || !ssautil.IsPointer(v.Type()) && (n == "time.Time" || n == "time.Duration")
}
