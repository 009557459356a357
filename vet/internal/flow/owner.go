package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// Owners are the structs that have parts. All values and variables that are the same owner have the same
// part, and a release through one is a release for all:
//
//   - an owner that is passed by its value, as to methods whose receiver is no pointer, is followed through
//     the local variables that hold copies of it;
//   - a pointer to an owner is followed through variables that closures have captured, if these hold
//     nothing else; what a closure does with the part counts where it is called, or deferred.
//
// An example of each, and one that is not followed:
//
//	func (f frame) free() { frameDatas.Put(f.data) } // f is a copy, in a local variable
//
//	f := newFrame()
//	defer func() { f.free() }() // counts where it is deferred
//	f.free()                    // f.data is put back twice
//
//	register(func() { f.free() }) // runs at any time: nothing is known of f then

// An ownerUse is a use of an owner, of a copy, or of a variable that a closure has captured.
type ownerUse struct {
	instr    ssa.Instruction
	value    ssa.Value // the owner as the instruction has it
	within   string    // the way from the owner to a struct that is a field of it, with a dot at its end
	captured bool      // the instruction calls a closure that has captured the variable value
}

// part returns the name of a part within the struct that is used, empty if it is not one there.
func (u ownerUse) part(name string) string {
	rest, _ := strings.CutPrefix(name, u.within)
	if rest == name && u.within != "" {
		return ""
	}
	return rest
}

// operands returns the parameters of f and the variables that it has captured, in the order of a
// summary.
func (f *Function) operands() []ssa.Value {
	var all []ssa.Value
	for _, p := range f.Params {
		all = append(all, p)
	}
	for _, v := range f.FreeVars {
		all = append(all, v)
	}
	return all
}

// owns reports whether v may be an owner: a pointer, a struct, or a captured variable with one of these.
func owns(v ssa.Value) bool {
	t := v.Type()
	if _, variable := v.(*ssa.FreeVar); variable {
		t = ssautil.Deref(t)
	}
	if ssautil.IsPointer(t) {
		return true
	}
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// ownerOf returns the owner that v is, or has in it if v is a variable: what the variable was given, or
// the variable itself if its fields were. It is v where there is no such variable.
func ownerOf(v ssa.Value) ssa.Value {
	for range 4 {
		cell, ok := v.(*ssa.Alloc)
		if load, is := v.(*ssa.UnOp); is && load.Op == token.MUL && owns(load) {
			cell, ok = load.X.(*ssa.Alloc)
		}
		if !ok {
			return v
		}
		whole := onlyStore(cell)
		if whole == nil {
			return cell
		}
		v = whole.Val
	}
	return v
}

// onlyStore returns the store to a variable, if there is one only, and no closure sets the variable.
//
// A variable with two stores holds different owners at different times, and a closure may store at
// any call.
func onlyStore(cell *ssa.Alloc) *ssa.Store {
	var only *ssa.Store
	for s := range ssautil.StoresTo(cell) {
		if only != nil {
			return nil
		}
		only = s
	}
	for m := range ssautil.Uses[*ssa.MakeClosure](cell) {
		if writesTo(m, cell) {
			return nil
		}
	}
	return only
}

// An ownerValue is a value that is an owner, or a variable that holds one.
type ownerValue struct {
	value  ssa.Value
	within string // as in an ownerUse
}

// ownerUses returns the uses of an owner, of its copies, of the structs that are fields of it, and of the
// variables that hold it for closures; not ok if a variable holds different owners, or a closure may run
// at any time.
//
// It ends because each value and variable is looked at once, and fields are followed two structs
// deep.
func (f *Function) ownerUses(base ssa.Value) (all []ownerUse, ok bool) {
	seen := map[ssa.Value]bool{base: true}
	work := []ownerValue{{base, ""}}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		for i := range ssautil.Uses[ssa.Instruction](at.value) {
			if m, closure := i.(*ssa.MakeClosure); closure {
				calls, ok := capturingCalls(m, at)
				if !ok {
					return nil, false
				}
				all = append(all, calls...)
				continue
			}
			next := at.next(i)
			s, store := i.(*ssa.Store)
			switch {
			case store && s.Addr == at.value && seen[s.Val]: // the copy that led here
			case next.value == nil && holdsPointer(at.value) && !isDebug(i):
				// The address of a variable with a pointer goes somewhere else than to a load, a
				// store or a closure.
				return nil, false // others may set the variable
			case next.value == nil:
				all = append(all, ownerUse{instr: i, value: at.value, within: at.within})
			case !seen[next.value]:
				seen[next.value] = true
				if cell, ok := next.value.(*ssa.Alloc); ok && onlyStore(cell) == nil {
					return nil, false
				}
				work = append(work, next)
			}
		}
	}
	return all, true
}

// next returns the place that an instruction makes of another: a variable that the owner is copied to, a
// value that is loaded from one, a struct that is a field. Its value is nil if it does something else.
func (at ownerValue) next(i ssa.Instruction) ownerValue {
	deep := strings.Count(at.within, ".") >= 2
	switch i := i.(type) {
	case *ssa.FieldAddr:
		if isStruct(i) && !deep {
			return ownerValue{i, at.within + FieldName(i) + "."}
		}
	case *ssa.Field:
		if owns(i) && !ssautil.IsPointer(i.Type()) && !deep {
			return ownerValue{i, at.within + ssautil.FieldOf(i.X.Type(), i.Field).Name() + "."}
		}
	case *ssa.Store:
		if cell, ok := i.Addr.(*ssa.Alloc); ok && i.Val == at.value {
			return ownerValue{cell, at.within}
		}
	case *ssa.UnOp:
		switch at.value.(type) {
		case *ssa.Alloc, *ssa.FreeVar, *ssa.FieldAddr:
			if i.Op == token.MUL {
				return ownerValue{i, at.within}
			}
		}
	}
	return ownerValue{}
}

// capturingCalls returns the calls of a closure that has captured the variable at a place; not ok if the
// closure goes elsewhere, or sets the variable.
//
// Only calls by its own value are, deferred and started ones included: then it runs at these
// instructions and at no other time.
func capturingCalls(m *ssa.MakeClosure, at ownerValue) (all []ownerUse, ok bool) {
	for i := range ssautil.Uses[ssa.Instruction](m) {
		if isDebug(i) {
			continue
		}
		c, call := i.(ssa.CallInstruction)
		if !call || c.Common().Value != m || slices.Contains(c.Common().Args, ssa.Value(m)) {
			return nil, false
		}
		all = append(all, ownerUse{instr: c, value: at.value, within: at.within, captured: true})
	}
	return all, !writesTo(m, at.value)
}

// holdsPointer reports whether v is a local or captured variable with a pointer.
func holdsPointer(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
		return ssautil.IsPointer(ssautil.Deref(v.Type()))
	}
	return false
}

func isDebug(i ssa.Instruction) bool {
	_, ok := i.(*ssa.DebugRef)
	return ok
}

// isStruct reports whether fa is the address of a struct.
func isStruct(fa *ssa.FieldAddr) bool {
	_, ok := ssautil.Deref(fa.Type()).Underlying().(*types.Struct)
	return ok
}

// isNilAt reports whether a block is executed only if what derives from the origin is nil: what a function
// returns there, in place of memory of an arena, is the heap's.
//
// A block with one predecessor that the test leads to, and that dominates b, is on all paths to b.
// An example, in which the result is memory of the arena whenever there is one:
//
//	func alloc(a *arena.Arena, n int) []byte {
//		if a == nil {
//			return make([]byte, n)
//		}
//		return arena.MakeSlice[byte](a, n, n)
//	}
func (d *Aliases) isNilAt(b *ssa.BasicBlock) bool {
	for _, n := range d.Nodes.List {
		if n.Mark&MarkSame == 0 {
			continue
		}
		for c := range ssautil.Uses[*ssa.BinOp](n.Value) {
			if c.Op != token.EQL && c.Op != token.NEQ || !IsNil(c.X) && !IsNil(c.Y) {
				continue
			}
			for branch := range ssautil.Uses[*ssa.If](c) {
				succ := branch.Block().Succs[0]
				if c.Op == token.NEQ {
					succ = branch.Block().Succs[1]
				}
				if len(succ.Preds) == 1 && succ.Dominates(b) {
					return true
				}
			}
		}
	}
	return false
}

// partKinds finds out which kind of arenas fields hold that only this package assigns to: that of all
// that is assigned.
//
// A field that others can set, or that gets an arena from elsewhere, counts as one of safe arenas,
// of which least is said.
func (a *Package) partKinds() {
	a.kinds = map[*types.Var]catalog.Kind{}
	for _, f := range a.Order {
		for s := range ssautil.InstructionsOf[*ssa.Store](f.Function) {
			fa, ok := s.Addr.(*ssa.FieldAddr)
			if !ok || IsNil(s.Val) {
				continue
			}
			x := ssautil.Field(fa)
			if x == nil || !a.parts[x.Origin()] || x.Pkg() != a.Pass.Pkg {
				continue
			}
			k := catalog.Safe
			for _, o := range f.acquiredOrigins {
				if o.Tracked.Root == s.Val {
					k = o.Kind
				}
			}
			if n := ssautil.Named(fa.X.Type()); n == nil || n.Obj().Exported() && x.Exported() {
				k = catalog.Safe // others may assign to it
			}
			if old, ok := a.kinds[x.Origin()]; ok {
				k = min(k, old)
			}
			a.kinds[x.Origin()] = k
		}
	}
}

// fieldAt returns the field of a struct, or of what a pointer points to, that dots lead to; nil if there
// is none.
func fieldAt(t types.Type, path string) *types.Var {
	first, rest, more := strings.Cut(path, ".")
	s, ok := ssautil.Deref(t).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for x := range s.Fields() {
		if x.Name() == first {
			if more {
				return fieldAt(x.Type(), rest)
			}
			return x
		}
	}
	return nil
}

// InOwner reports whether an address leads through a local variable that holds the root, an owner that is
// passed by its value: its other fields may point into its arena, and what is stored there ends with it.
func (d *Aliases) InOwner(addr ssa.Value) bool {
	if ssautil.IsPointer(d.Root.Type()) {
		return false
	}
	for range 4 {
		switch x := ssautil.Root(addr).(type) {
		case *ssa.Alloc:
			whole := onlyStore(x)
			return whole != nil && ownerOf(whole.Val) == d.Root
		case *ssa.UnOp:
			if ownerOf(x) == d.Root {
				return true
			}
			addr = x.X
		case *ssa.Field:
			addr = x.X
		default:
			return x == d.Root
		}
	}
	return false
}
