package poolnoreset

import (
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/pooluse"
	"lessgc/vet/internal/ssautil"
)

// A function that gets a value may set a field in one branch only:
//
//	e := entries.Get().(*entry)
//	if p.ref {
//		e.uid = p.uid
//	} else {
//		e.posting = p
//	}
//	total += e.size() // looks at e.posting
//
// If the branch depends on an argument of the function, the next user may take the other one. That alone proves
// nothing, since what is read may depend on the same condition: so such a field is stale only if a read is always
// executed.

// branched reports whether st sets a field of a value that its function has got, and whether it is executed depends on
// arguments of the function and on nothing in the value.
func (s *summary) branched(st *ssa.Store, path string) bool {
	op := s.owner(st.Addr)
	if op == nil || isZero(st.Val) || s.reachable(path) {
		return false
	}
	found := false
	for b := st.Block(); b != op.Call.Block(); {
		if b = b.Idom(); b == nil {
			return false
		}
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		a := asking{s.uses, op, map[ssa.Value]bool{}, false}
		if !a.known(branch.Cond) || !a.argument {
			return false
		}
		found = true
	}
	return found
}

// owner returns the Get in the same function that gave the value that address is a field of, or the address of; nil
// if there is none.
func (s *summary) owner(address ssa.Value) *pooluse.Op {
	v := address
	for {
		fa, ok := v.(*ssa.FieldAddr)
		if !ok {
			break
		}
		v = s.uses.Source(fa.X)
	}
	op := s.uses.Origin(v)
	if op == nil || op.Verb != pooluse.Get || op.Fn != address.Parent() || op.Call.Block() == nil {
		return nil
	}
	return op
}

// asking looks at what a condition is computed from.
type asking struct {
	uses     *pooluse.Uses
	got      *pooluse.Op
	seen     map[ssa.Value]bool
	argument bool // an argument, but for the receiver
}

// known reports whether v is computed from nothing that is in the value of the Get.
func (a *asking) known(v ssa.Value) bool {
	v = a.uses.Source(v)
	if a.seen[v] {
		return true
	}
	a.seen[v] = true
	switch v := v.(type) {
	case *ssa.Const, *ssa.Global, *ssa.Function, *ssa.Builtin:
		return true
	case *ssa.Parameter:
		a.argument = a.argument || v.Parent().Signature.Recv() == nil || v != v.Parent().Params[0]
		return true
	case *ssa.Alloc, *ssa.FreeVar, *ssa.MakeClosure:
		return false
	case ssa.Instruction:
		if v == ssa.Instruction(a.got.Call) {
			return false
		}
		for _, o := range v.Operands(nil) {
			if *o != nil && !a.known(*o) {
				return false
			}
		}
		return true
	}
	return false
}

// atGet reports whether st empties a value, or a field of it, directly after its Get, in a function that does not put
// it: this says nothing about values that others get.
func (s *summary) atGet(st *ssa.Store) bool {
	op := s.owner(st.Addr)
	if op == nil || op.Call.Block() != st.Block() {
		return false
	}
	for _, verb := range s.verbs(op.Fn) {
		if verb != pooluse.Get {
			return false
		}
	}
	between := false
	for _, i := range st.Block().Instrs {
		switch {
		case i == ssa.Instruction(op.Call):
			between = true
		case i == ssa.Instruction(st):
			return between
		case between && s.usesItem(i, op):
			return false
		}
	}
	return false
}

// usesItem reports whether i calls something with the value of a Get, or sets a field of it to more than nothing.
func (s *summary) usesItem(i ssa.Instruction, op *pooluse.Op) bool {
	switch i := i.(type) {
	case *ssa.Store:
		return s.owner(i.Addr) == op && !emptying(i.Val) || s.uses.Origin(i.Val) == op
	case ssa.CallInstruction:
		for _, a := range i.Common().Args {
			if s.uses.Origin(a) == op {
				return true
			}
			if fa, ok := a.(*ssa.FieldAddr); ok && s.owner(fa) == op {
				return true
			}
		}
	}
	return false
}

// emptying reports whether v is the zero value, or x[:0].
func emptying(v ssa.Value) bool {
	x, ok := v.(*ssa.Slice)
	return ok && empties(x) || isZero(v)
}

// asked reports whether a load of the field at path is only made to see whether there is anything, and what is there
// is used if there is:
//
//	if e.posting != nil {
//		n += len(e.posting.value)
//	}
func (s *summary) asked(load *ssa.UnOp, path string) bool {
	for c := range ssautil.Uses[*ssa.BinOp](load) {
		for branch := range ssautil.Uses[*ssa.If](c) {
			if s.usedBehind(branch.Block(), path) {
				return true
			}
		}
	}
	return false
}

// usedBehind reports whether a branch of b surely leads to a load of the field at path.
func (s *summary) usedBehind(b *ssa.BasicBlock, path string) bool {
	for _, succ := range b.Succs {
		if len(succ.Preds) != 1 {
			continue
		}
		for _, i := range succ.Instrs {
			if l, ok := i.(*ssa.UnOp); ok && s.holds(path, l) {
				return true
			}
		}
	}
	return false
}

// leftToCallers returns the outcome of a Get whose function returns the value to other packages. They may read
// any field; one that is set in a branch is only read for sure if readers ask whether it is set.
func (f *field) leftToCallers() outcome {
	if f.branched && !f.tested {
		return overwritten
	}
	return reads
}
