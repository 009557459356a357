package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// An act is what an instruction does to an origin.
type act uint8

const (
	use      act = iota // reads or writes its memory
	release             // releases it
	perhaps             // may release it
	handOver            // somebody else may release it from now on
	keep                // stores a value that shares its memory where it outlives the function
	spawn               // a goroutine has it from now on
	deferred            // a release will happen when the function ends
	maybeDeferred
	reset      // ends what was allocated from it
	resetLater // does so when the function ends
	goRelease  // starts a goroutine that releases it
)

// An action is one act of one instruction.
type action struct {
	act   act
	sure  bool // the value derives on all paths
	value ssa.Value
	mark  mark
	pos   token.Pos
	what  string // for messages: "stored in s.body"
	to    ssa.Value
	whole bool // of keep: it is kept by a call that is known to
	once  bool // of a release: it happens only the first time
	by    ssa.Instruction
}

// actions are those of every instruction.
type actions map[ssa.Instruction][]action

// actions finds what happens to a derivation.
func (d *derivation) actions() actions {
	all := actions{}
	for _, n := range d.nodes.list {
		refs := n.value.Referrers()
		if refs == nil || n.mark == 0 {
			continue
		}
		renewed := d.earlier(n.value)
		for _, r := range *refs {
			if renewed == nil || !ssautil.Before(renewed, r) {
				d.act(all, n.value, n.mark, !n.weak, r)
			}
		}
	}
	d.cellActions(all)
	return all
}

// earlier is where the origin is acquired anew after v, a phi perhaps as another type, got its
// value: from then on v has the one of the round before. It is nil for all other values.
func (d *derivation) earlier(v ssa.Value) ssa.Instruction {
	start, ok := d.root.(ssa.Instruction)
	if !ok || v == d.root || d.repeated {
		return nil
	}
	p, ok := ssautil.Root(v).(*ssa.Phi)
	if !ok || p == d.root || !ssautil.Before(p, start) {
		return nil
	}
	return start
}

func (all actions) add(i ssa.Instruction, a action) {
	if a.pos == token.NoPos {
		a.pos = place(i)
	}
	for _, b := range all[i] {
		if b.act == a.act && b.sure == a.sure && b.to == a.to {
			return
		}
	}
	all[i] = append(all[i], a)
}

// place is where an instruction is in the source, or what it works on.
func place(i ssa.Instruction) token.Pos {
	if p := i.Pos(); p.IsValid() {
		return p
	}
	var operands [8]*ssa.Value
	for _, o := range i.Operands(operands[:0]) {
		if *o != nil && (*o).Pos().IsValid() {
			if _, ok := (*o).(*ssa.Alloc); !ok {
				return (*o).Pos()
			}
		}
	}
	return i.Pos()
}

func (d *derivation) act(all actions, v ssa.Value, m mark, sure bool, instr ssa.Instruction) {
	inside := m&(same|alias|content) != 0
	uses := func() { all.add(instr, action{act: use, sure: sure && m&memory != 0, value: v, mark: m}) }
	keeps := func(what string, to ssa.Value) {
		if m&memory != 0 && !d.inside(to) {
			all.add(instr, action{act: keep, sure: sure, value: v, mark: m, what: what, to: to})
		}
		all.add(instr, action{act: handOver, value: v, mark: m})
	}
	switch i := instr.(type) {
	case *ssa.UnOp:
		if i.Op == token.MUL && inside && !isHeader(i) {
			uses()
			if m&same != 0 && copied(i) || m&alias != 0 && givenAway(i) {
				all.add(i, action{act: handOver, value: v, mark: m}) // another has all that is in it, or what releases it
			}
		}
	case *ssa.Store:
		if i.Addr == v && inside {
			uses()
		}
		if i.Val == v {
			d.storeAction(i, keeps)
			if m&(same|hold) != 0 && owned(i.Addr) {
				all.add(i, action{act: handOver, value: v, mark: m})
			}
		}
	case *ssa.MapUpdate:
		switch {
		case i.Map == v:
			uses()
		case d.mark(ssautil.Root(i.Map))&hold == 0:
			keeps("stored in a map", i.Map)
		default:
			all.add(i, action{act: handOver, value: v, mark: m})
		}
	case *ssa.Send:
		if i.X == v {
			keeps("sent to a channel", i.Chan)
		}
	case *ssa.Select:
		for _, s := range i.States {
			if s.Send == v {
				if m&memory != 0 {
					all.add(i, action{act: keep, sure: sure, value: v, mark: m, what: "sent to a channel", to: s.Chan, pos: s.Pos})
				}
				// It is handed over in one of the branches that follow.
			}
		}
	case *ssa.Panic:
		all.add(instr, action{act: handOver, value: v, mark: m})
	case *ssa.Convert:
		if m&(same|alias|content|text) != 0 && (ssautil.IsString(i.Type()) && ssautil.IsSlice(i.X.Type()) || ssautil.IsSlice(i.Type()) && ssautil.IsString(i.X.Type())) {
			uses()
		}
	case *ssa.BinOp:
		if m&text != 0 {
			uses()
		}
	case *ssa.Range, *ssa.Index:
		if m&memory != 0 {
			uses()
		}
	case *ssa.Lookup:
		if i.X == v || m&text != 0 {
			uses()
		}
	case *ssa.MakeClosure: // a method value
		for _, c := range callsOf(i) {
			k := d.f.callee(c.Common())
			for n, arg := range k.args {
				if arg == v && n < k.free {
					d.argument(all, c, k, n, v, m, sure, false)
				}
			}
		}
	case ssa.CallInstruction:
		d.callAction(all, i, v, m, sure)
	}
}

// copied says whether a struct with pointers that is loaded is stored somewhere else than in
// a variable.
func copied(load *ssa.UnOp) bool {
	if _, ok := load.Type().Underlying().(*types.Struct); !ok || !pointers(load.Type()) {
		return false
	}
	return slices.ContainsFunc(*load.Referrers(), func(i ssa.Instruction) bool {
		s, ok := i.(*ssa.Store)
		if !ok || s.Val != ssa.Value(load) {
			return false
		}
		_, variable := s.Addr.(*ssa.Alloc)
		return !variable
	})
}

// givenAway says whether a function that is loaded from a field goes to somebody else: it may
// be the one that puts the value back.
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

// isHeader says whether a load only reads the header of a slice that a variable has.
func isHeader(i *ssa.UnOp) bool {
	_, ok := i.X.(*ssa.Alloc)
	return ok
}

// owned says whether an address is part of an object that came from a call, or of a list:
// whoever releases that may release what is stored there.
func owned(addr ssa.Value) bool {
	switch addr := addr.(type) {
	case *ssa.FieldAddr:
		return fromOthers(ssautil.Root(addr), 0)
	case *ssa.IndexAddr:
		a, ok := ssautil.Root(addr).(*ssa.Alloc)
		return !ok || a.Comment != "varargs"
	}
	return false
}

// fromOthers says whether v, or what it can be, came from others.
func fromOthers(v ssa.Value, depth int) bool {
	switch v := v.(type) {
	case *ssa.Call, *ssa.Extract, *ssa.UnOp:
		return true
	case *ssa.Phi:
		return depth < 4 && slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return fromOthers(e, depth+1) })
	}
	return false
}

// storeAction is what storing a derived value does.
func (d *derivation) storeAction(s *ssa.Store, keeps func(string, ssa.Value)) {
	if _, ok := s.Addr.(*ssa.Alloc); ok {
		return
	}
	if v, ok := s.Addr.(*ssa.FreeVar); ok {
		keeps("stored in a variable of the enclosing function", v)
		return
	}
	base := d.f.resolve(ssautil.Root(s.Addr))
	if d.inside(base) || local(base) {
		return
	}
	what := "stored where it outlives this function"
	switch base := base.(type) {
	case *ssa.Global:
		what = "stored in the global variable " + base.Name()
	case *ssa.Parameter:
		what = "stored in " + base.Name()
		if fa, ok := s.Addr.(*ssa.FieldAddr); ok {
			what += "." + fieldName(fa)
		}
	}
	keeps(what, s.Addr)
}

func fieldName(fa *ssa.FieldAddr) string {
	if f := ssautil.Field(fa); f != nil {
		return f.Name()
	}
	return "a field"
}

// callAction is what passing a derived value to a call does.
func (d *derivation) callAction(all actions, instr ssa.CallInstruction, v ssa.Value, m mark, sure bool) {
	common := instr.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append":
			if isVarargs(v) && m&(same|alias|content) == 0 { // a list of values has it now
				all.add(instr, action{act: handOver, value: v, mark: m})
				return
			}
			all.add(instr, action{act: use, sure: sure && m&memory != 0, value: v, mark: m})
		case "copy", "clear", "delete", "print", "println":
			all.add(instr, action{act: use, sure: sure && m&memory != 0, value: v, mark: m})
		}
		return
	}
	if common.Value == v && !common.IsInvoke() {
		return // a closure that has it: see the cells
	}
	k := d.f.callee(common)
	for i, arg := range k.args {
		if arg == v && i < k.free {
			d.argument(all, instr, k, i, v, m, sure, false)
		}
	}
}

// argument is what a callee does with argument i.
func (d *derivation) argument(all actions, instr ssa.CallInstruction, k callee, i int, v ssa.Value, m mark, sure, cell bool) {
	_, isDefer := instr.(*ssa.Defer)
	_, isGo := instr.(*ssa.Go)
	add := func(a act, sure bool, what string, to ssa.Value) {
		if a == handOver && m&(same|alias|hold) == 0 {
			return // nobody can release it by a slice of its contents
		}
		all.add(instr, action{act: a, sure: sure, value: v, mark: m, what: what, to: to, whole: true, once: k.once})
	}
	if c, ok := v.(*ssa.MakeClosure); ok && isYield(c) {
		// The body of a loop over a function: it runs here and now.
		if d.releasedBy(c) {
			add(handOver, sure, "", nil)
		}
		return
	}
	var p *Param
	if k.sum != nil {
		p = k.sum.param(i)
	}
	if isGo {
		if p != nil && p.Release == Always && sure && d.releasable(v, m, cell) {
			add(goRelease, true, "", nil) // it is the goroutine's from now on
			add(handOver, sure, "", nil)
			return
		}
		if p == nil || p.Release != Never {
			add(handOver, sure, "", nil)
			return
		}
		add(spawn, sure && m&memory != 0, "", nil)
		if p.Keep || p.Unknown || p.KeptIn != 0 {
			add(handOver, sure, "", nil)
		}
		return
	}
	if p == nil {
		add(use, sure && m&memory != 0, "", nil)
		add(handOver, sure, "", nil)
		return
	}
	if p.Release != Never && d.releasable(v, m, cell) {
		switch {
		case p.Release == Always && sure && isDefer:
			add(deferred, true, "", nil)
		case isDefer:
			add(maybeDeferred, sure, "", nil)
		case p.Release == Always && sure:
			add(release, true, "", nil)
		default:
			add(perhaps, sure, "", nil)
		}
		return
	}
	if p.Release != Never {
		add(handOver, sure, "", nil)
	}
	if p.Reset && m&same != 0 {
		later, now := maybeDeferred, perhaps
		if !letsGo(instr, k) {
			later, now = resetLater, reset
		}
		if isDefer {
			add(later, sure, "", nil)
		} else {
			add(now, sure, "", nil)
		}
	}
	if c, ok := ssautil.Root(v).(*ssa.MakeClosure); ok && d.releasedBy(c) && onceFunc(instr.Value()) == nil {
		add(handOver, sure, "", nil) // whoever gets it may call it
	}
	if p.Spawn {
		add(spawn, sure && m&memory != 0, "", nil)
		add(handOver, sure, "", nil)
		return
	}
	if m&hold != 0 && m&(same|alias|content) == 0 && (k.fn == nil || d.f.a.entry(k.fn) == nil) && (!isVarargs(v) || !types.IsInterface(elem(v.Type()))) {
		add(handOver, sure, "", nil) // it may release what it holds
	}
	if isDefer {
		if p.Keep || p.Unknown {
			add(handOver, sure, "", nil)
		}
		return
	}
	if (!cell || p.Use) && (m&(same|alias|content|text) != 0 || isVarargs(v)) {
		add(use, sure && m&memory != 0, "", nil)
	}
	if p.Keep {
		if i > 0 || m&same == 0 || k.fn == nil || k.fn.Signature().Recv() == nil { // what its own methods do stays within
			add(keep, sure && m&memory != 0, "kept by "+calleeName(k), nil)
		}
		add(handOver, sure, "", nil)
	}
	for j, to := range k.args {
		if p.KeptIn&(1<<j) == 0 || j == i {
			continue
		}
		base := d.f.resolve(ssautil.Root(to))
		if !local(base) && !d.inside(base) {
			add(keep, sure && m&memory != 0, "kept by "+calleeName(k), to)
			add(handOver, sure, "", nil)
		}
	}
	if p.Unknown {
		add(handOver, sure, "", nil)
	}
}

// releasedBy says whether a closure may release, or keep, the origin that it has captured.
func (d *derivation) releasedBy(c *ssa.MakeClosure) bool {
	fn, ok := c.Fn.(*ssa.Function)
	if !ok || fn.Synthetic != "" && !isYield(c) {
		return true
	}
	s := d.f.a.sums[fn]
	if s == nil {
		return true
	}
	for i, b := range c.Bindings {
		p := s.param(len(fn.Params) + i)
		if (p.Release != Never || p.Unknown || p.Keep) && d.inCell(b) {
			return true
		}
	}
	return false
}

// inCell says whether a variable may hold the origin.
func (d *derivation) inCell(cell ssa.Value) bool {
	if d.nodes.find(cell) != nil {
		return true
	}
	for _, r := range *cell.Referrers() {
		if s, ok := r.(*ssa.Store); ok && s.Addr == cell && d.mark(s.Val) != 0 {
			return true
		}
	}
	return false
}

// isYield says whether a closure is the body of a loop over a function.
func isYield(c *ssa.MakeClosure) bool {
	fn, ok := c.Fn.(*ssa.Function)
	return ok && strings.HasPrefix(fn.Synthetic, "range-over-func yield")
}

// letsGo says whether a reset leaves the memory to the collector, as nuke's Reset(true) does.
func letsGo(instr ssa.CallInstruction, k callee) bool {
	if k.fn == nil || k.fn.FullName() != "(github.com/ortuman/nuke.Arena).Reset" {
		return false
	}
	c, ok := instr.Common().Args[0].(*ssa.Const)
	return !ok || constant.BoolVal(c.Value)
}

func calleeName(k callee) string {
	if k.fn != nil {
		return k.fn.Name()
	}
	return "the called function"
}

// releasable says whether releasing v releases the origin: it is it, or a slice of its
// memory where that is what is pooled.
func (d *derivation) releasable(v ssa.Value, m mark, cell bool) bool {
	if m&same != 0 {
		return true
	}
	if m&alias == 0 {
		return false
	}
	t := v.Type()
	if x, ok := v.(*ssa.MakeInterface); ok {
		t = x.X.Type()
	}
	if p, ok := t.Underlying().(*types.Pointer); ok && cell {
		t = p.Elem()
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		_, array := p.Elem().Underlying().(*types.Array)
		return array
	}
	return ssautil.IsSlice(t)
}

// cellActions are those of the variables that hold derived values: they are released by
// their address, or by closures that have captured them.
func (d *derivation) cellActions(all actions) {
	seen := map[ssa.Value]bool{}
	visit := func(cell ssa.Value, m mark, sure bool) {
		if seen[cell] {
			return
		}
		seen[cell] = true
		for _, r := range *cell.Referrers() {
			switch i := r.(type) {
			case *ssa.MakeInterface:
				for _, use := range *i.Referrers() {
					if c, ok := use.(ssa.CallInstruction); ok {
						d.cellArgument(all, c, i, cell, m, sure)
					}
				}
			case *ssa.MakeClosure:
				for _, use := range callsOf(i) {
					d.closureCall(all, use, cell, m, sure)
				}
			case ssa.CallInstruction:
				if _, ok := i.Common().Value.(*ssa.MakeClosure); !ok {
					d.cellArgument(all, i, cell, cell, m, sure)
				}
			case *ssa.Store:
				if i.Val == cell {
					all.add(i, action{act: handOver, value: cell, mark: m})
				}
			case *ssa.Convert, *ssa.ChangeType, *ssa.Phi, *ssa.Return, *ssa.MapUpdate, *ssa.Send:
				if !harmless(i) { // who has its address has what it holds
					all.add(i, action{act: handOver, value: cell, mark: m})
				}
			}
		}
	}
	for _, n := range d.nodes.list {
		if n.value.Referrers() == nil || n.mark == 0 {
			continue
		}
		for _, r := range *n.value.Referrers() {
			s, ok := r.(*ssa.Store)
			if !ok || s.Val != n.value {
				continue
			}
			if a, ok := s.Addr.(*ssa.Alloc); ok {
				visit(a, n.mark, d.cellSure(a))
			}
		}
	}
	for _, v := range d.f.FreeVars {
		if d.captured == v {
			visit(v, same, d.f.cells().of(v).stores == 0)
		}
	}
}

// callsOf are the calls of a closure, by itself or through sync.OnceFunc.
func callsOf(v ssa.Value) []ssa.CallInstruction {
	var all []ssa.CallInstruction
	for _, r := range *v.Referrers() {
		c, ok := r.(ssa.CallInstruction)
		switch {
		case !ok:
		case c.Common().Value == v:
			all = append(all, c)
		case onceFunc(c.Value()) == v:
			all = append(all, callsOf(c.Value())...)
		}
	}
	return all
}

// cellSure says whether a variable holds nothing but derived values once it holds one.
func (d *derivation) cellSure(a ssa.Value) bool {
	root, _ := d.root.(ssa.Instruction)
	for _, r := range *a.Referrers() {
		s, ok := r.(*ssa.Store)
		if !ok || s.Addr != a || d.sure(s.Val) != 0 {
			continue
		}
		if !isNil(s.Val) || root == nil || ssautil.Follows(root, s) {
			return false
		}
	}
	return true
}

// cellArgument is what a call does that gets the address of a variable.
func (d *derivation) cellArgument(all actions, c ssa.CallInstruction, arg, cell ssa.Value, m mark, sure bool) {
	k := d.f.callee(c.Common())
	for i, a := range k.args {
		if a == arg && i < k.free {
			if k.sum != nil && k.sum.param(i).Release == Never && !k.sum.param(i).Unknown && !k.sum.param(i).Keep {
				continue
			}
			d.argument(all, c, k, i, cell, m, sure, true)
		}
	}
}

// closureCall is what a closure does that has captured a variable, when it is called.
func (d *derivation) closureCall(all actions, c ssa.CallInstruction, cell ssa.Value, m mark, sure bool) {
	k := d.f.callee(c.Common())
	for i := k.free; i < len(k.args); i++ {
		if k.args[i] == cell {
			d.argument(all, c, k, i, cell, m, sure, true)
		}
	}
}
