package arenashared

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// A use is an arena that something allocates from, or frees.
type use struct {
	path path
	typ  types.Type
	at   token.Pos
	free bool // it ends the arena
	told bool // after something was received: another goroutine may have said that it is its turn
}

// A channel is one that a goroutine receives from.
type channel struct {
	path
	typ types.Type
}

// A summary describes what a function does with arenas that are not its own: those of
// parameters, captured and package-level variables.
type summary struct {
	uses   []use // without a lock
	starts []use // by goroutines that it starts and does not wait for
	adopts map[path]bool
	gets   []channel // that it receives from
	joins  bool      // it may wait for other goroutines

	making bool
}

// summarize is the summary of a function of the package.
func (w *world) summarize(fn *ssa.Function) *summary {
	if s := w.summaries[fn]; s != nil {
		return s
	}
	s := &summary{adopts: map[path]bool{}, making: true}
	w.summaries[fn] = s
	locks, told := locked(fn), received(fn)
	for _, b := range fn.Blocks {
		for i, instr := range b.Instrs {
			if joins(instr) || w.joinsInside(instr) {
				s.joins = true
			}
			s.gets = append(s.gets, w.gets(instr)...)
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			if ssautil.CalleeName(call.Common()) == "Adopt" && len(call.Call.Args) == 1 {
				s.adopts[w.path(call.Call.Args[0])] = true
			}
			if locks[b].at(i) {
				continue
			}
			for _, u := range w.used(call) {
				u.told = u.told || told[b].at(i)
				if outside(u.path) {
					s.uses = append(s.uses, u)
				}
			}
		}
	}
	for _, g := range w.started(fn) {
		if !w.waits(fn, g.instr) {
			for _, u := range g.uses {
				if outside(u.path) {
					s.starts = append(s.starts, u)
				}
			}
		}
	}
	s.making = false
	return s
}

// gets are the channels from outside that an instruction receives from.
func (w *world) gets(instr ssa.Instruction) (list []channel) {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		if p := w.path(instr.X); instr.Op == token.ARROW && outside(p) {
			return []channel{{p, instr.X.Type()}}
		}
	case *ssa.Call, *ssa.Defer:
		fn, bind := w.body(instr.(ssa.CallInstruction).Common())
		if fn == nil {
			return nil
		}
		for _, p := range w.summarize(fn).gets {
			if q := p.from(bind(p.root)); outside(q) {
				list = append(list, channel{q, p.typ})
			}
		}
	}
	return list
}

// outside reports whether a path comes from outside of its function.
func outside(p path) bool {
	switch p.root.(type) {
	case *ssa.Parameter, *ssa.FreeVar, *ssa.Global:
		return true
	}
	return false
}

// used are the arenas that a call allocates from, in the calling function's terms.
func (w *world) used(call ssa.CallInstruction) (list []use) {
	c := call.Common()
	if library(c) {
		for _, v := range ssautil.Arguments(c) {
			if is, _ := isArena(v.Type()); is {
				if p := w.path(v); p.root != nil {
					list = append(list, use{path: p, typ: v.Type(), at: call.Pos(), free: ssautil.CalleeName(c) == "Free" || ssautil.CalleeName(c) == "Release"})
				}
			}
		}
		return list
	}
	fn, bind := w.body(c)
	if fn == nil {
		list, _ = w.elsewhere(call)
		return list
	}
	return w.mapped(w.summarize(fn).uses, bind)
}

// body is the function of the package that a call calls, and how what it gets from outside
// is to be found by the caller; nil if the function is not of the package.
func (w *world) body(c *ssa.CallCommon) (*ssa.Function, func(ssa.Value) path) {
	if c.IsInvoke() {
		return nil, nil
	}
	fn := c.StaticCallee()
	if fn == nil {
		return nil, nil
	}
	fn = ssautil.Generic(fn)
	if fn.Blocks == nil {
		return nil, nil
	}
	closure, _ := c.Value.(*ssa.MakeClosure)
	return fn, w.binder(fn, closure, c.Args)
}

// binder maps parameters and captured variables of fn to values of the caller.
func (w *world) binder(fn *ssa.Function, closure *ssa.MakeClosure, args []ssa.Value) func(ssa.Value) path {
	return func(v ssa.Value) path {
		switch v.(type) {
		case *ssa.Global:
			return path{root: v}
		case *ssa.Parameter:
			for i, p := range fn.Params {
				if p == v && i < len(args) {
					return w.path(args[i])
				}
			}
		case *ssa.FreeVar:
			for i, f := range fn.FreeVars {
				if f == v && closure != nil {
					return w.captured(closure.Bindings[i])
				}
			}
		}
		return path{}
	}
}

// captured returns the path of a captured variable's value in the surrounding function.
func (w *world) captured(binding ssa.Value) path {
	switch b := binding.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
		return w.loaded(b)
	}
	return w.path(binding)
}

// mapped are the uses of a called function in the caller's terms.
func (w *world) mapped(uses []use, bind func(ssa.Value) path) (list []use) {
	for _, u := range uses {
		if p := w.through(u.path.from(bind(u.path.root))); p.root != nil {
			u.path = p
			list = append(list, u)
		}
	}
	return list
}

// A start is a statement that starts a goroutine, or calls a function that does and does
// not wait for it.
type start struct {
	instr ssa.Instruction
	uses  []use
	gets  []channel // that the goroutine receives from
	call  bool      // of a function that starts it
}

// started are the statements of fn that start goroutines which use arenas.
func (w *world) started(fn *ssa.Function) (list []start) {
	for instr := range ssautil.Instructions(fn) {
		if s, ok := w.start(instr); ok && len(s.uses) > 0 {
			list = append(list, s)
		}
	}
	return list
}

func (w *world) start(instr ssa.Instruction) (start, bool) {
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return start{}, false
	}
	c := call.Common()
	if _, deferred := instr.(*ssa.Defer); deferred {
		return start{}, false
	}
	if _, ok := instr.(*ssa.Go); ok {
		fn, bind := w.body(c)
		if fn == nil {
			u := w.used(call)
			return start{instr: instr, uses: u}, len(u) > 0
		}
		return w.goroutine(instr, fn, bind), true
	}
	if run := catalog.Callee(c).Goroutine; len(run) > 0 {
		args := ssautil.Arguments(c)
		for _, i := range run {
			if closure, ok := args[i].(*ssa.MakeClosure); ok {
				fn := closure.Fn.(*ssa.Function)
				return w.goroutine(instr, fn, w.binder(fn, closure, nil)), true
			}
		}
		return start{}, false
	}
	fn, bind := w.body(c)
	if fn == nil {
		_, u := w.elsewhere(call)
		return start{instr: instr, call: true, uses: u}, len(u) > 0
	}
	if w.summarize(fn).making {
		return start{}, false
	}
	return start{instr: instr, call: true, uses: w.mapped(w.summarize(fn).starts, bind)}, true
}

// goroutine returns the start of a goroutine that runs fn, with what it uses.
func (w *world) goroutine(instr ssa.Instruction, fn *ssa.Function, bind func(ssa.Value) path) start {
	s := w.summarize(fn)
	var uses []use
	for _, u := range append(s.uses[:len(s.uses):len(s.uses)], s.starts...) {
		if !s.adopts[u.path] {
			uses = append(uses, u)
		}
	}
	g := start{instr: instr, uses: w.mapped(uses, bind)}
	for _, p := range s.gets {
		g.gets = append(g.gets, channel{p.from(bind(p.root)), p.typ})
	}
	return g
}

// joins reports whether an instruction may wait for another goroutine.
func joins(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		return instr.Op == token.ARROW
	case *ssa.Select:
		return true
	case *ssa.MakeClosure:
		return waiting(instr.Fn.Name()) // a method as a value, to be called later
	case ssa.CallInstruction:
		if _, ok := instr.(*ssa.Go); ok {
			return false
		}
		c := instr.Common()
		if c.IsInvoke() {
			return waiting(c.Method.Name())
		}
		if f := c.StaticCallee(); f != nil {
			return waiting(f.Name())
		}
		_, builtin := c.Value.(*ssa.Builtin)
		return !builtin && !strings.HasPrefix(ssautil.TypeName(c.Value.Type()), "context.Cancel") // it may do anything
	}
	return false
}

// waiting reports whether a function of that name waits.
func waiting(name string) bool {
	for _, part := range []string{"wait", "join", "stop", "shutdown", "drain"} {
		if strings.Contains(strings.ToLower(name), part) {
			return true
		}
	}
	return name == "Close"
}

// joinsInside reports whether an instruction calls a function of the package that may wait.
func (w *world) joinsInside(instr ssa.Instruction) bool {
	call, ok := instr.(ssa.CallInstruction)
	if _, isGo := instr.(*ssa.Go); !ok || isGo || len(catalog.Callee(call.Common()).Goroutine) > 0 {
		return false
	}
	fn, _ := w.body(call.Common())
	return fn != nil && w.summarize(fn).joins
}

// stops reports whether an instruction waits for goroutines.
func (w *world) stops(instr ssa.Instruction) bool { return joins(instr) || w.joinsInside(instr) }

// waits reports whether fn waits after instr, whatever way it takes.
func (w *world) waits(fn *ssa.Function, instr ssa.Instruction) bool {
	if anyDeferred(fn, func(d ssa.Instruction) bool { return w.stops(d) }) {
		return true
	}
	ends := false
	after(instr, w.stops, func(i ssa.Instruction) {
		if _, ok := i.(*ssa.Return); ok {
			ends = true
		}
	})
	return !ends
}

// anyDeferred reports whether one of the deferred calls of fn is one that ok accepts.
func anyDeferred(fn *ssa.Function, ok func(ssa.Instruction) bool) bool {
	for d := range ssautil.InstructionsOf[*ssa.Defer](fn) {
		if ok(d) {
			return true
		}
	}
	return false
}
