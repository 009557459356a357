package arenaappend

import (
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/rule"
	"lessgc/vet/internal/ssautil"
)

// A slot is a slice field of a struct that a function makes in an arena.
type slot struct {
	made  *ssa.Call
	field *types.Var
}

// checkFields looks at the appends of a function to fields of structs that it makes in an arena, which
// have no capacity yet, and of the functions that it calls with them. Each field is reported once.
func (lib *library) checkFields(pass *rule.Pass, fn *ssa.Function, appends map[*ssa.Call]bool) {
	reported := map[slot]bool{}
	for _, b := range fn.DomPreorder() {
		for _, i := range b.Instrs {
			call, ok := i.(*ssa.Call)
			if !ok {
				continue
			}
			for _, a := range lib.appendsTo(call) {
				if a.made == nil || reported[a.slot] || appends[a.at] || lib.given(a.slot, call) {
					continue
				}
				reported[a.slot], appends[a.at] = true, true
				pass.Report(rule.Finding{
					Pos:      a.at.Pos(),
					Category: rule.Leak,
					Message:  "append puts " + a.field.Name() + " on the heap, because the field of a struct that an arena makes has no capacity yet: the collector gets the work that the arena was to save",
					Related:  []analysis.RelatedInformation{rule.Related(a.made.Pos(), "the struct is made here")},
				})
			}
		}
	}
}

// object returns the call that makes the struct v, or the one with the field at v, in an arena, or nil.
func (lib *library) object(v ssa.Value) *ssa.Call {
	v = ssautil.Root(v)
	if cell := cellOf(v); cell != nil {
		v = soleContent(cell)
	}
	call, ok := v.(*ssa.Call)
	if !ok || !lib.makesZero(call, maxDepth) {
		return nil
	}
	return call
}

// maxDepth limits the calls through which a struct is made, or a field is assigned to.
const maxDepth = 3

// makesZero reports whether a call returns a new, zeroed struct of an arena.
func (lib *library) makesZero(call *ssa.Call, depth int) bool {
	f, object := call.Call.StaticCallee(), ssautil.Callee(&call.Call)
	if f == nil || object == nil || depth == 0 || len(call.Call.Args) == 0 || isNil(call.Call.Args[0]) {
		return false
	}
	if known := catalog.Func(object); known.Flows && known.Slice == nil && !known.Appends {
		return len(call.Call.Args) == 1 && generic(f) && isStruct(call.Type())
	}
	f = ssautil.Generic(f)
	if f.Blocks == nil || f.Signature.Results().Len() != 1 {
		return false
	}
	any := false
	for r := range ssautil.Returns(f) {
		made, ok := r.Results[0].(*ssa.Call)
		if !ok || !lib.makesZero(made, depth-1) || ssautil.IsSlice(made.Type()) || len(*made.Referrers()) > 1+debugRefs(made) {
			return false
		}
		any = true
	}
	return any
}

// debugRefs counts the uses of v that do nothing.
func debugRefs(v ssa.Value) (n int) {
	for range ssautil.Uses[*ssa.DebugRef](v) {
		n++
	}
	return n
}

// generic reports whether f is an instance of a function or a method with type parameters, as those are
// that make a value of any type.
func generic(f *ssa.Function) bool { return len(f.TypeArgs()) == 1 || f.TypeParams().Len() == 1 }

func isStruct(t types.Type) bool {
	if !ssautil.IsPointer(t) {
		return false
	}
	_, ok := ssautil.Deref(t).Underlying().(*types.Struct)
	return ok
}

// given reports whether the field may have got a slice with capacity before an append: by an
// assignment of anything but what is appended to it, or by a call.
func (lib *library) given(s slot, call *ssa.Call) bool {
	at := executed(call, s.made.Parent())
	return at == nil || lib.givenAs(s.made, s, at)
}

// givenAs reports whether a use of the struct as v may give the field a slice with capacity before at.
func (lib *library) givenAs(v ssa.Value, s slot, at ssa.Instruction) bool {
	for r := range ssautil.Uses[ssa.Instruction](v) {
		if !between(s.made, r, at) {
			continue
		}
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.UnOp, *ssa.Return, *ssa.BinOp:
		case *ssa.FieldAddr:
			if lib.assigns(r, s, at) {
				return true
			}
		case ssa.CallInstruction:
			if lib.callAssigns(r, v, s.field, maxDepth) {
				return true
			}
		case *ssa.Store:
			if r.Val != v || r.Addr == v || soleContent(variable(r.Addr)) != s.made || lib.givenIn(r.Addr, s, at) {
				return true
			}
		default:
			return true // all of it, or others may have it
		}
	}
	return false
}

// assigns reports whether an address in the struct is used, before the append, to give the field
// something else than what is appended to it.
func (lib *library) assigns(fa *ssa.FieldAddr, s slot, at ssa.Instruction) bool {
	for r := range ssautil.Uses[ssa.Instruction](fa) {
		if at != nil && !between(s.made, r, at) {
			continue
		}
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.FieldAddr:
			if lib.assigns(r, s, at) {
				return true
			}
		case *ssa.Store:
			if r.Addr != fa || covers(fa, s.field) && !remains(r.Val, fa) && !lib.isEmpty(r.Val) {
				return true
			}
		default:
			if covers(fa, s.field) {
				return true
			}
		}
	}
	return false
}

// covers reports whether fa is the address of the field, or of a struct that may have it.
func covers(fa *ssa.FieldAddr, field *types.Var) bool {
	f := ssautil.Field(fa)
	if f == field {
		return true
	}
	_, ok := f.Type().Underlying().(*types.Struct)
	return ok
}

// remains reports whether v is what the field at fa has, or part of it, perhaps with more appended.
func remains(v ssa.Value, fa *ssa.FieldAddr) bool {
	switch v := v.(type) {
	case *ssa.Slice:
		return v.Max == nil && remains(v.X, fa)
	case *ssa.Call:
		return isAppend(v) && remains(v.Call.Args[0], fa)
	}
	from := ssautil.LoadedFrom(v)
	return from != nil && sameSlice(from, fa)
}

// callAssigns reports whether a call that gets the struct may assign to the field.
func (lib *library) callAssigns(call ssa.CallInstruction, root ssa.Value, field *types.Var, depth int) bool {
	c := call.Common()
	f := c.StaticCallee()
	if f == nil || depth == 0 {
		return true
	}
	f = ssautil.Generic(f)
	if f.Blocks == nil || len(f.Params) != len(c.Args) {
		return true
	}
	for i, a := range c.Args {
		if a == root && lib.usesAssign(f.Params[i], field, depth-1) {
			return true
		}
	}
	return false
}

// usesAssign reports whether any use of a pointer to the struct may assign to the field.
func (lib *library) usesAssign(v ssa.Value, field *types.Var, depth int) bool {
	for r := range ssautil.Uses[ssa.Instruction](v) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.UnOp, *ssa.BinOp:
		case *ssa.FieldAddr:
			if lib.assigns(r, slot{nil, field}, nil) {
				return true
			}
		case ssa.CallInstruction:
			if lib.callAssigns(r, v, field, depth) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// between reports whether i can be executed before at, and after the struct was made for it: in a loop
// each iteration makes its own.
func between(made *ssa.Call, i, at ssa.Instruction) bool {
	if i.Block() == at.Block() && i != at && ssautil.Before(i, at) {
		return i.Block() != made.Block() || ssautil.Before(made, i)
	}
	seen := map[*ssa.BasicBlock]bool{made.Block(): true}
	work := []*ssa.BasicBlock{i.Block()}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, next := range b.Succs {
			if next == at.Block() && next != made.Block() {
				return true
			}
			if !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		}
	}
	return false
}
