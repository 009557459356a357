package poolnoreset

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/pooluse"
	"lessgc/vet/internal/ssautil"
)

// An effect holds what an instruction does with a buffer.
type effect uint8

const (
	filled  effect = 1 << iota // it leaves data there
	shown                      // it reads all that is there
	emptied                    // or may be
	drained                    // by reading all, which an error may have kept from happening
	putBack
	handedOn // it is returned
	lent     // it is assigned to a field, through which others use it
)

// paths judges the values of a pool of buffers function by function: it follows those that a function gets
// and sees all uses of.
type paths struct {
	looker *looker
	uses   *pooluse.Uses
	of     map[*pooluse.Op]map[ssa.Instruction]effect // nil if a use is not understood
	dirty  bool                                       // a function puts a value that it has written

	op      *pooluse.Op // that is followed
	callers map[*ssa.Function][]*ssa.Function
}

// follow looks at all functions that get a value. It returns nil if the values are no buffers.
func follow(l *looker, uses *pooluse.Uses) *paths {
	if !ssautil.IsPointer(l.view.Item) || !isBuffer(l.view.Elem) || len(l.pool.Reset) > 0 {
		return nil
	}
	p := &paths{looker: l, uses: uses, of: map[*pooluse.Op]map[ssa.Instruction]effect{}}
	for _, op := range l.pool.Ops {
		if op.Verb != pooluse.Get || op.Item == nil {
			continue
		}
		p.op = op
		p.of[op] = p.usesOf(op.Item, maxCalls)
		settle(p.of[op])
		p.dirty = p.dirty || p.putsDirty(op)
	}
	return p
}

// stale reports whether the function of a Get surely reads data of the last user on some path: some
// function puts a value that it has written, and this one reads it before anything empties it.
func (p *paths) stale(op *pooluse.Op) bool {
	return p != nil && p.dirty && p.given(op) && p.of[op] != nil &&
		p.reaches(op, op.Call, func(u effect) bool { return u&shown != 0 })
}

// idle reports whether a function does nothing with a value but to put it.
func (p *paths) idle(op *pooluse.Op) bool {
	if p == nil || p.of[op] == nil {
		return false
	}
	for _, u := range p.of[op] {
		if u&^putBack != 0 {
			return false
		}
	}
	return true
}

// given reports whether a value comes out of op as the pool gave it: no function on the way does anything with it
// but to return it.
func (p *paths) given(op *pooluse.Op) bool {
	for op.Via != nil {
		if op = op.By; op == nil || p.of[op] == nil {
			return false
		}
		for _, u := range p.of[op] {
			if u&^handedOn != 0 {
				return false
			}
		}
	}
	return true
}

// putsDirty reports whether the function of a Get writes to the value and then puts it, and nothing
// empties it on the way. One that drains a value does so on all paths but those of errors.
func (p *paths) putsDirty(op *pooluse.Op) bool {
	for _, u := range p.of[op] {
		if u&drained != 0 {
			return false
		}
	}
	for i, u := range p.of[op] {
		if u&(filled|emptied) == filled && (u&putBack != 0 || p.reaches(op, i, func(u effect) bool { return u&(putBack|emptied) == putBack })) {
			return true
		}
	}
	return false
}

// reaches reports whether a path leads from an instruction to one with a use that is looked for, or to the
// end of the function if it is deferred; and nothing before empties the value or puts it.
func (p *paths) reaches(op *pooluse.Op, start ssa.Instruction, wanted func(effect) bool) bool {
	uses := p.of[op]
	seen := map[*ssa.BasicBlock]bool{}
	found := false
	var visit func(b *ssa.BasicBlock, from int)
	visit = func(b *ssa.BasicBlock, from int) {
		for _, i := range b.Instrs[from:] {
			u := uses[i]
			_, deferred := i.(*ssa.Defer)
			_, end := i.(*ssa.Return)
			switch {
			case end && p.deferred(op, i, wanted), !deferred && wanted(u):
				found = true
				return
			case i == ssa.Instruction(op.Call), !deferred && u&(emptied|putBack) != 0:
				return
			}
		}
		for _, s := range b.Succs {
			if !seen[s] && !found {
				seen[s] = true
				visit(s, 0)
			}
		}
	}
	b := start.Block()
	for at, i := range b.Instrs {
		if i == start {
			visit(b, at+1)
			break
		}
	}
	return found
}

// deferred reports whether a deferred use that is looked for happens at a return.
func (p *paths) deferred(op *pooluse.Op, end ssa.Instruction, wanted func(effect) bool) bool {
	for i, u := range p.of[op] {
		if d, ok := i.(*ssa.Defer); ok && wanted(u) && ssautil.Before(d, end) {
			return true
		}
	}
	return false
}

// maxCalls limits how deep a value is followed into functions.
const maxCalls = 3

// usesOf returns what is done with a buffer under all of its names, or nil if it gets to where it
// cannot be followed.
func (p *paths) usesOf(v ssa.Value, depth int) map[ssa.Instruction]effect {
	all := map[ssa.Instruction]effect{}
	if !p.collect(v, depth, all) {
		return nil
	}
	return all
}

// collect adds the uses of v to all, and reports whether all of them are understood.
func (p *paths) collect(v ssa.Value, depth int, all map[ssa.Instruction]effect) bool {
	for r := range ssautil.Uses[ssa.Instruction](v) {
		ok := true
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.TypeAssert:
			ok = types.Identical(r.AssertedType, p.looker.view.Item) && p.collect(r, depth, all)
		case *ssa.Extract:
			ok = r.Index > 0 || p.collect(r, depth, all)
		case *ssa.BinOp:
			ok = ssautil.IsNil(r.X) || ssautil.IsNil(r.Y)
		case *ssa.Return:
			all[r] |= handedOn
		case *ssa.Store:
			ok = r.Val == v && p.held(r, depth, all)
		case *ssa.MakeInterface:
			ok = p.boxed(r, all)
		case ssa.CallInstruction:
			ok = p.call(r, v, depth, all)
		default:
			ok = false
		}
		if !ok {
			return false
		}
	}
	return true
}

// boxed looks at a buffer that has become an interface: it is put, written to, or returned.
func (p *paths) boxed(m *ssa.MakeInterface, all map[ssa.Instruction]effect) bool {
	for r := range ssautil.Uses[ssa.Instruction](m) {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Return:
			all[r] |= handedOn
		case ssa.CallInstruction:
			switch _, plain := r.(*ssa.Call); {
			case p.put(r) != nil:
				if p.put(r).Via != nil {
					return false
				}
				all[r] |= putBack
			case plain && onlyWrites(m.Type()):
				all[r] |= filled
			case plain && readsAll(r, m):
				all[r] |= shown | emptied | drained
			default:
				return false
			}
		default:
			return false
		}
	}
	return true
}

// readsAll reports whether call copies all that is in the reader r.
func readsAll(call ssa.CallInstruction, r ssa.Value) bool {
	args := call.Common().Args
	m := ssautil.Callee(call.Common())
	return m != nil && (m.FullName() == "io.Copy" && args[1] == r && args[0] != r || m.FullName() == "io.ReadAll" && args[0] == r)
}

// onlyWrites reports whether all methods of an interface, of which there are some, add to a buffer.
func onlyWrites(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	if !ok || i.NumMethods() == 0 {
		return false
	}
	for m := range i.Methods() {
		if m.Name() != "Write" && m.Name() != "WriteString" && m.Name() != "WriteByte" {
			return false
		}
	}
	return true
}

// call looks at a call that gets a buffer.
func (p *paths) call(call ssa.CallInstruction, v ssa.Value, depth int, all map[ssa.Instruction]effect) bool {
	c := call.Common()
	_, plain := call.(*ssa.Call)
	_, deferred := call.(*ssa.Defer)
	if m := ssautil.Callee(c); m != nil && m.Signature().Recv() != nil && len(c.Args) > 0 && c.Args[0] == v && isBuffer(v.Type()) {
		u, ok := method(call, m.Name())
		all[call] |= u
		return ok && plain
	}
	if op := p.put(call); op != nil && op.Via == nil {
		all[call] |= putBack
		return plain || deferred
	}
	callee, args := p.uses.Callee(c)
	if callee == nil || callee.Pkg != p.uses.SSA.Pkg || callee.Blocks == nil || len(args) != len(callee.Params) || depth == 0 {
		return false
	}
	for i, a := range args {
		if a != v {
			continue
		}
		inside := p.usesOf(callee.Params[i], depth-1)
		if inside == nil {
			return false
		}
		for _, u := range inside {
			all[call] |= u
		}
	}
	u := all[call]
	if u&emptied != 0 {
		all[call] = u &^ shown // which comes first is not known
	}
	return u&handedOn == 0 && (plain || deferred && u == putBack)
}

// put returns the operation of the pool that a call is, if it is a Put.
func (p *paths) put(call ssa.CallInstruction) *pooluse.Op {
	for _, op := range p.looker.pool.Ops {
		if op.Call == call && op.Verb == pooluse.Put {
			return op
		}
	}
	return nil
}

// method returns what a method of a buffer does, and reports whether that is known.
func method(call ssa.CallInstruction, name string) (effect, bool) {
	switch name {
	case "Write", "WriteString", "WriteByte", "WriteRune", "ReadFrom":
		return filled, true
	case "String", "Bytes":
		return shown, true
	case "WriteTo":
		return shown | emptied | drained, true
	case "Len":
		return 0, onlyCompared(call.Value())
	case "Cap", "Available", "Grow":
		return 0, true
	}
	if drains(name) {
		return emptied | drained, true
	}
	return emptied, true
}

// onlyCompared reports whether a length is not used as the place where new data begins.
func onlyCompared(v *ssa.Call) bool {
	if v == nil {
		return false
	}
	for r := range ssautil.Uses[ssa.Instruction](v) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.Return:
		case *ssa.BinOp:
			if !ssautil.IsComparison(r.Op) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
