package poolnoreset

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/pooluse"
	"lessgc/vet/internal/ssautil"
)

// stale returns the fields in which the next user finds the data of the last one, in the order of
// their names: they are written, nothing resets them, and after a Get they are read before they are
// overwritten.
func (s *summary) stale() []*field {
	if s == nil || s.passed {
		return nil
	}
	var all []*field
	for path, f := range s.fields {
		f.settle()
		never := func(i ssa.Instruction) bool { return !s.happens(i.Parent()) }
		f.writes, f.plain = slices.DeleteFunc(f.writes, never), slices.DeleteFunc(f.plain, never)
		f.must = len(f.writes) == 0
		if f.must {
			f.writes = f.plain
		}
		if len(f.writes) == 0 || f.reset || !f.read || s.whole && !s.kept[path] || s.partly(path) {
			continue
		}
		if _, m := f.writes[0].(*ssa.MapUpdate); m && !f.listed {
			continue // it is only looked up, as a cache is
		}
		for _, op := range s.looker.pool.Ops {
			if op.Via == nil && s.after(op, path, rounds) == reads {
				f.stale = append(f.stale, op)
			}
		}
		if len(f.stale) > 0 {
			all = append(all, f)
		}
	}
	slices.SortFunc(all, func(f, g *field) int { return strings.Compare(f.path, g.path) })
	return all
}

// happens reports whether fn is called for values of the pool, as far as is known: by other packages,
// or here.
func (s *summary) happens(fn *ssa.Function) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	obj, ok := fn.Object().(*types.Func)
	return s.calls[fn] || ok && obj.Exported() && s.public || slices.ContainsFunc(s.looker.pool.Ops, func(op *pooluse.Op) bool { return op.Fn == fn })
}

// partly reports whether a struct around the field at path is reset as a whole.
func (s *summary) partly(path string) bool {
	for i := range path {
		if f := s.fields[path[:i]]; path[i] == '.' && f != nil && f.reset {
			return true
		}
	}
	return false
}

// An outcome is the fate of a field from some point on.
type outcome uint8

const (
	overwritten outcome = iota + 1 // or nothing more happens to it
	returned                       // the function returns without either
	reads                          // on some path it is read before it is overwritten
)

// rounds limits how deeply a Get may be wrapped in functions.
const rounds = 4

// A step is a question about a function that has a value.
type step struct {
	fn   *ssa.Function
	path string
}

// after returns what becomes of a field after a Get.
func (s *summary) after(op *pooluse.Op, path string, depth int) outcome {
	if op.Verb != pooluse.Get || depth == 0 {
		return overwritten
	}
	o := s.from(op.Fn, op.Call, path)
	if o != returned || !s.gives(op.Fn) {
		return o
	}
	if obj, ok := op.Fn.Object().(*types.Func); ok && obj.Exported() && s.public {
		return s.fields[path].leftToCallers()
	}
	for _, via := range s.looker.pool.Ops {
		if via.By == op && s.after(via, path, depth-1) == reads {
			return reads
		}
	}
	return overwritten
}

// gives reports whether fn returns a value of the pool.
func (s *summary) gives(fn *ssa.Function) bool {
	for r := range ssautil.Returns(fn) {
		if slices.ContainsFunc(r.Results, func(v ssa.Value) bool {
			if m, ok := v.(*ssa.MakeInterface); ok {
				v = m.X
			}
			return types.Identical(v.Type(), s.looker.view.Item)
		}) {
			return true
		}
	}
	return false
}

// from returns what becomes of a field after an instruction of fn, or from its beginning on.
func (s *summary) from(fn *ssa.Function, start ssa.Instruction, path string) outcome {
	worst := overwritten
	seen := map[*ssa.BasicBlock]bool{}
	var visit func(list []ssa.Instruction)
	visit = func(list []ssa.Instruction) {
		for _, i := range list {
			switch o := s.step(i, path); {
			case o == overwritten:
				return
			case o == reads && (!s.fields[path].must || always(i)):
				worst = reads
				return
			}
			if _, ok := i.(*ssa.Return); ok {
				worst = max(worst, returned)
			}
		}
		for _, b := range list[len(list)-1].Block().Succs {
			if !seen[b] && worst != reads {
				seen[b] = true
				visit(b.Instrs)
			}
		}
	}
	first := fn.Blocks[0].Instrs
	if start != nil {
		first = start.Block().Instrs
		first = first[slices.Index(first, start)+1:]
	}
	visit(first)
	return worst
}

// always reports whether i is executed whenever its function returns.
func always(i ssa.Instruction) bool {
	for r := range ssautil.Returns(i.Parent()) {
		if r.Block() != r.Parent().Recover && !i.Block().Dominates(r.Block()) {
			return false
		}
	}
	return true
}

// step returns what an instruction does with a field; returned, if nothing.
func (s *summary) step(i ssa.Instruction, path string) outcome {
	switch i := i.(type) {
	case *ssa.Store:
		if s.path(i.Addr) == path || s.is(i.Addr) {
			return overwritten
		}
	case *ssa.UnOp:
		if i.Op != token.MUL {
			return returned
		}
		if fa, ok := i.X.(*ssa.FieldAddr); ok && s.path(fa) == path && (content(i) || s.fields[path].must && s.asked(i, path)) {
			return reads
		}
	case *ssa.Defer:
		return returned
	case ssa.CallInstruction:
		return s.call(i, path)
	}
	return returned
}

// content reports whether a load is more than a test whether there is anything, or the beginning of
// an overwriting, x[:0].
func content(load *ssa.UnOp) bool {
	for r := range ssautil.Uses[ssa.Instruction](load) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Slice:
			if !empties(r) {
				return true
			}
		case *ssa.BinOp:
			if !ssautil.IsNil(r.X) && !ssautil.IsNil(r.Y) || isError(load.Type()) {
				return true
			}
		case ssa.CallInstruction:
			if ssautil.CalleeName(r.Common()) != "cap" {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// call returns what a call does with a field of a value that it gets.
func (s *summary) call(call ssa.CallInstruction, path string) outcome {
	c := call.Common()
	for _, a := range ssautil.Arguments(c) {
		if fa, ok := a.(*ssa.FieldAddr); ok && s.path(fa) == path {
			return reads // a method of a buffer; none of them resets it
		}
	}
	if slices.ContainsFunc(s.looker.pool.Ops, func(op *pooluse.Op) bool { return op.Call == call && op.Verb == pooluse.Put && op.Via == nil }) {
		return overwritten // nobody has it any more
	}
	callee, args := s.uses.Callee(c)
	passed := slices.ContainsFunc(args, s.is)
	switch {
	case callee == nil || callee.Blocks == nil:
		if c.IsInvoke() && types.Identical(c.Value.Type(), s.looker.view.Item) || slices.ContainsFunc(c.Args, s.is) {
			return reads
		}
		return returned
	case !passed && callee.Parent() == nil:
		return returned
	}
	q := step{callee, path}
	if o, ok := s.first[q]; ok {
		return o
	}
	s.first[q] = returned // while it is being found out, for recursion
	o := s.from(callee, nil, path)
	s.first[q] = o
	return o
}
