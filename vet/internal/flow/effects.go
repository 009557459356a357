package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// What does each instruction do to an origin? Effects are what states.go and the events look at;
// they are the only place where an instruction gets a meaning for the life of a value.
//
//	buf.WriteString(s)   // use
//	s.body = buf.Bytes() // keep, with s as the place; and hand over
//	other(buf)           // use and hand over, if nothing is known of other
//	go write(buf)        // spawn
//	defer pool.Put(buf)  // defer release
//	n := len(data)       // none: it has nothing to do with buf
//
// It takes the aliases and the summaries of callees. Whoever may release the origin gets it handed
// over, and from there on its loss is nobody's mistake: that errs towards silence. An effect is
// sure only if the value derives on all paths.

// An EffectKind says what an instruction does to an origin.
type EffectKind uint8

const (
	EffectUse        EffectKind = iota // reads or writes its memory
	EffectRelease                      // releases it
	EffectMayRelease                   // may release it
	EffectReleaseIf                    // releases it or not, as a value tells
	EffectHandOver                     // others may release it from now on
	EffectHandOverIf                   // others may or not, as a value tells
	EffectKeep                         // stores a value that shares its memory where it outlives the function
	EffectSpawn                        // a goroutine has it from now on
	EffectDefer                        // a release will happen when the function ends
	EffectMayDefer
	EffectReset      // ends what was allocated from it
	EffectDeferReset // does so when the function ends
	EffectGoRelease  // starts a goroutine that releases it
	EffectTakeBack   // it has no other owner any more
)

// An Effect is one thing that an instruction does to an origin.
type Effect struct {
	Kind   EffectKind
	Sure   bool // the value derives on all paths
	Value  ssa.Value
	Mark   Mark
	Pos    token.Pos
	What   string // for messages: "stored in s.body"
	To     ssa.Value
	ByCall bool      // of keep: it is kept by a call that is known to
	Left   bool      // of spawn: the call has begun the goroutine, and may return before its end
	Once   bool      // of a release: it happens only the first time
	After  bool      // of a use: the call has released the origin before
	More   bool      // of a release: it releases the struct too that holds the origin
	At     token.Pos // of keep: where the callee stores it, if that is known
	By     ssa.Instruction
	Cond   ssa.Value // of a release, or of what hands over: tells whether it has happened,
	Told   *Told     // in this way
	Names  []string  // of a release that a callee leaves out by their state: see Param
}

// Effects holds the effects of each instruction, in the order in which they happen.
type Effects map[ssa.Instruction][]Effect

// effects finds what instructions do to the aliases.
func (d *Aliases) effects() Effects {
	all := Effects{}
	for _, n := range d.Nodes.List {
		if n.Mark == 0 {
			continue
		}
		renewed := d.earlier(n.Value)
		for r := range ssautil.Uses[ssa.Instruction](n.Value) {
			if renewed == nil || !ssautil.Before(renewed, r) {
				d.effectsOf(all, n.Value, n.Mark, !n.Weak, r)
			}
		}
	}
	d.cellEffects(all)
	d.addTakenBack(all)
	all.usesFirst()
	return all
}

// earlier returns where the origin is acquired anew after v, a phi perhaps as another type, got its
// value: from then on v has the one of the iteration before, of whose fate the states say nothing. It
// is nil for all other values.
//
// An example:
//
//	for range n {
//		old := buf                       // a phi: what the iteration before has got
//		buf = pool.Get().(*bytes.Buffer)
//		buf.Write(old.Bytes())           // no use of the new buffer
//	}
//
// A use of the phi that the acquisition dominates would be taken for one of the new buffer. The
// origin of a stream's messages stands for all iterations, and needs no such limit.
func (d *Aliases) earlier(v ssa.Value) ssa.Instruction {
	start, ok := d.Root.(ssa.Instruction)
	if !ok || v == d.Root || d.repeated {
		return nil
	}
	p, ok := ssautil.Root(v).(*ssa.Phi)
	if !ok || p == d.Root || !ssautil.Before(p, start) {
		return nil
	}
	for _, v := range d.included {
		if i, ok := v.(ssa.Instruction); ok && ssautil.Before(i, p) {
			return nil // it lives since then
		}
	}
	return start
}

// add adds an effect unless there is one like it: a value that is passed twice is released once.
//
// Two values that derive and have the same effect are one effect, with the value that was found
// first.
func (all Effects) add(i ssa.Instruction, a Effect) {
	if a.Pos == token.NoPos {
		a.Pos = PosOf(i)
	}
	for _, b := range all[i] {
		if b.Kind == a.Kind && b.Sure == a.Sure && b.To == a.To && b.After == a.After {
			return
		}
	}
	all[i] = append(all[i], a)
}

// effectsOf adds what instr does to v, one of its operands. One flat switch over the instructions.
func (d *Aliases) effectsOf(all Effects, v ssa.Value, m Mark, sure bool, instr ssa.Instruction) {
	inside := m&(MarkSame|MarkAlias|MarkContent) != 0
	shared := m&MarkMemory != 0 && !IsCopy(v)
	uses := func() { all.add(instr, Effect{Kind: EffectUse, Sure: sure && shared, Value: v, Mark: m}) }
	keeps := func(what string, to ssa.Value) {
		if shared && !d.Inside(to) {
			all.add(instr, Effect{Kind: EffectKeep, Sure: sure, Value: v, Mark: m, What: what, To: to})
		}
		all.add(instr, Effect{Kind: EffectHandOver, Value: v, Mark: m})
	}
	switch i := instr.(type) {
	case *ssa.UnOp:
		// The load of a slice from a variable reads its header, and no memory of the origin.
		if i.Op == token.MUL && inside && !isHeader(i) {
			uses()
			d.fieldCallEffects(all, i, v, m)
			if m&MarkSame != 0 && copied(i) || m&MarkAlias != 0 && givenAway(i) {
				all.add(i, Effect{Kind: EffectHandOver, Value: v, Mark: m}) // another has all that is in it, or what releases it
			}
		}
	case *ssa.Store:
		if i.Addr == v && inside {
			uses()
		}
		if i.Val == v {
			d.storeEffects(i, keeps)
			if m&(MarkSame|MarkHold) != 0 && owned(i.Addr) || d.setsReleaser(i, v) {
				all.add(i, Effect{Kind: EffectHandOver, Value: v, Mark: m})
			}
		}
	case *ssa.MapUpdate:
		// A map that was made here, and holds the origin since, may be released with what is in it.
		switch {
		case i.Map == v:
			uses()
		case d.Mark(ssautil.Root(i.Map))&MarkHold == 0:
			keeps("stored in a map", i.Map)
		default:
			all.add(i, Effect{Kind: EffectHandOver, Value: v, Mark: m})
		}
	case *ssa.Send:
		// Free lists take the place of pools: freelist.go.
		if i.X == v && sure && m&(MarkSame|MarkAlias) != 0 && d.releasable(v, m, false) && d.Func.Package.isFreeList(i.Chan) {
			all.add(i, Effect{Kind: EffectRelease, Sure: true, Value: v, Mark: m})
		} else if i.X == v {
			keeps("sent to a channel", i.Chan)
		}
	case *ssa.Select:
		for n, s := range i.States {
			if s.Send == v {
				if a, ok := d.sentTo(i, n); ok && sure && d.releasable(v, m, false) {
					a.Sure, a.Value, a.Mark = sure, v, m
					all.add(i, a)
					continue
				}
				if shared {
					all.add(i, Effect{Kind: EffectKeep, Sure: sure, Value: v, Mark: m, What: "sent to a channel", To: s.Chan, Pos: s.Pos})
				}
				// It is handed over in one of the branches that follow.
			}
		}
	case *ssa.Panic:
		// Whoever recovers has it.
		all.add(instr, Effect{Kind: EffectHandOver, Value: v, Mark: m})
	case *ssa.Convert:
		// A conversion that copies reads all bytes.
		if m&(MarkSame|MarkAlias|MarkContent|MarkText) != 0 && (ssautil.IsString(i.Type()) && ssautil.IsSlice(i.X.Type()) || ssautil.IsSlice(i.Type()) && ssautil.IsString(i.X.Type())) {
			uses()
		}
	case *ssa.BinOp:
		// A comparison reads a string, and not what pointers lead to.
		if m&MarkText != 0 {
			uses()
		}
	case *ssa.Range, *ssa.Index:
		if m&MarkMemory != 0 {
			uses()
		}
	case *ssa.Lookup:
		if i.X == v || m&MarkText != 0 {
			uses()
		}
	case *ssa.MakeClosure: // a method value
		for _, c := range callsOf(i) {
			d.passedEffects(all, c, v, m, sure)
		}
	case ssa.CallInstruction:
		d.callEffects(all, i, v, m, sure)
	}
}

// copied reports whether a struct with pointers that is loaded is stored somewhere else than in
// a variable.
//
// An example, after which w has the buffer, and puts it back when it is closed:
//
//	w2 := windows.Get().(*window)
//	*w = *w2
func copied(load *ssa.UnOp) bool {
	if _, ok := load.Type().Underlying().(*types.Struct); !ok || !pointers(load.Type()) {
		return false
	}
	for s := range ssautil.StoresOf(load) {
		if _, variable := s.Addr.(*ssa.Alloc); !variable {
			return true
		}
	}
	return false
}

// givenAway reports whether a function that is loaded from a field is handed out: it may
// be the one that puts the value back.
//
// An example, in which the caller gets what puts c back:
//
//	return c.inner, c.redeemer
func givenAway(load *ssa.UnOp) bool {
	if _, ok := load.Type().Underlying().(*types.Signature); !ok {
		return false
	}
	return slices.ContainsFunc(*load.Referrers(), func(i ssa.Instruction) bool {
		switch i := i.(type) {
		case *ssa.DebugRef, *ssa.BinOp:
			return false
		case ssa.CallInstruction:
			return i.Common().Value != ssa.Value(load)
		}
		return true
	})
}

// isHeader reports whether a load only reads the header of a slice that a variable has.
func isHeader(i *ssa.UnOp) bool {
	_, ok := i.X.(*ssa.Alloc)
	return ok
}

// owned reports whether an address is part of an object that came from a call, of a list, or of one of several
// objects that a pointer was chosen for: whoever releases that may release what is stored there.
//
// An example with a phi, where d has the table, whichever field was chosen:
//
//	one := &d.a
//	if i%2 > 0 {
//		one = &d.b
//	}
//	one.table = t // others may release it with d
func owned(addr ssa.Value) bool {
	switch addr := addr.(type) {
	case *ssa.FieldAddr:
		root := ssautil.Root(addr)
		_, chosen := root.(*ssa.Phi)
		return chosen || fromOthers(root, 0)
	case *ssa.IndexAddr:
		a, ok := ssautil.Root(addr).(*ssa.Alloc)
		return !ok || a.Comment != "varargs"
	}
	return false
}

// fromOthers reports whether v, or what it can be, came from others.
//
// The depth bounds phis that are operands of each other. What is deeper counts as made here.
func fromOthers(v ssa.Value, depth int) bool {
	switch v := v.(type) {
	case *ssa.Call, *ssa.Extract, *ssa.UnOp:
		return true
	case *ssa.Phi:
		return depth < 4 && slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return fromOthers(e, depth+1) })
	}
	return false
}

// storeEffects adds what storing a derived value does.
func (d *Aliases) storeEffects(s *ssa.Store, keeps func(string, ssa.Value)) {
	if _, ok := s.Addr.(*ssa.Alloc); ok {
		return
	}
	if v, ok := s.Addr.(*ssa.FreeVar); ok {
		keeps("stored in a variable of the enclosing function", v)
		return
	}
	base := d.Func.Resolve(ssautil.Root(s.Addr))
	if d.Inside(base) || isLocal(base) {
		return
	}
	what := "stored where it outlives this function"
	switch base := base.(type) {
	case *ssa.Global:
		what = "stored in the global variable " + base.Name()
	case *ssa.Parameter:
		what = "stored in " + base.Name()
		if fa, ok := s.Addr.(*ssa.FieldAddr); ok {
			what += "." + FieldName(fa)
		}
	}
	keeps(what, s.Addr)
}

// callEffects adds what passing a derived value to a call does.
func (d *Aliases) callEffects(all Effects, instr ssa.CallInstruction, v ssa.Value, m Mark, sure bool) {
	common := instr.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append":
			if isVarargs(v) && m&(MarkSame|MarkAlias|MarkContent) == 0 { // a list of values has it now
				all.add(instr, Effect{Kind: EffectHandOver, Value: v, Mark: m})
				return
			}
			all.add(instr, Effect{Kind: EffectUse, Sure: sure && m&MarkMemory != 0, Value: v, Mark: m})
		case "copy", "clear", "delete", "print", "println":
			all.add(instr, Effect{Kind: EffectUse, Sure: sure && m&MarkMemory != 0, Value: v, Mark: m})
		}
		return
	}
	if common.Value == v && !common.IsInvoke() {
		return // a closure that has it: see the cells
	}
	d.passedEffects(all, instr, v, m, sure)
}

// passedEffects adds what a callee does with v, for each argument that it is.
func (d *Aliases) passedEffects(all Effects, instr ssa.CallInstruction, v ssa.Value, m Mark, sure bool) {
	k := d.Func.Callee(instr.Common())
	for i, arg := range k.Args[:k.Captured] {
		if arg == v {
			d.argumentEffects(&argument{effects: all, call: instr, callee: k, index: i, value: v, mark: m, sure: sure})
		}
	}
}
