package arenashared

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// A span records for each instruction of a block whether something holds there.
type span []bool

func (s span) at(i int) bool { return i < len(s) && s[i] }

// must runs a question through a function: it holds at an instruction if it does on all
// ways there. Change says what an instruction makes of it.
func must(fn *ssa.Function, change func(instr ssa.Instruction, holds bool) bool) map[*ssa.BasicBlock]span {
	in := map[*ssa.BasicBlock]bool{}
	out := map[*ssa.BasicBlock]bool{}
	for _, b := range fn.Blocks {
		in[b], out[b] = true, true
	}
	spans := map[*ssa.BasicBlock]span{}
	for again := true; again; {
		again = false
		for _, b := range fn.Blocks {
			holds := len(b.Preds) > 0
			for _, p := range b.Preds {
				holds = holds && out[p]
			}
			s := make(span, len(b.Instrs))
			for i, instr := range b.Instrs {
				s[i] = holds
				holds = change(instr, holds)
			}
			spans[b] = s
			if out[b] != holds {
				out[b], again = holds, true
			}
		}
	}
	return spans
}

// locked returns where fn holds a lock. A channel that it sends to before and receives from
// later is one too, unless several have room in it.
func locked(fn *ssa.Function) map[*ssa.BasicBlock]span {
	sent, got := map[ssa.Value]bool{}, map[ssa.Value]bool{}
	note := func(in *ssa.Function, named func(ssa.Value) ssa.Value) {
		for instr := range ssautil.Instructions(in) {
			switch instr := instr.(type) {
			case *ssa.Send:
				sent[named(instr.Chan)] = true
			case *ssa.UnOp:
				if instr.Op == token.ARROW {
					got[named(instr.X)] = true
				}
			}
		}
	}
	note(fn, variable)
	for _, anon := range fn.AnonFuncs { // a deferred release
		note(anon, func(v ssa.Value) ssa.Value { return outer(fn, variable(v)) })
	}
	return must(fn, func(instr ssa.Instruction, holds bool) bool {
		switch instr := instr.(type) {
		case *ssa.Send:
			if c := variable(instr.Chan); got[c] {
				return !holds && !roomy(c)
			}
		case *ssa.UnOp:
			if c := instr.X; instr.Op == token.ARROW && sent[variable(c)] {
				return !holds && !roomy(variable(c))
			}
		case *ssa.Call:
			switch ssautil.CalleeName(instr.Common()) {
			case "Lock", "lock":
				return true
			case "Unlock", "unlock":
				return false
			}
		}
		return holds
	})
}

// variable is the one that a channel is read from, or the channel itself.
func variable(v ssa.Value) ssa.Value {
	if u, ok := v.(*ssa.UnOp); ok && u.Op == token.MUL {
		return u.X
	}
	return v
}

// outer is the variable of fn that a function literal in it captured as v.
func outer(fn *ssa.Function, v ssa.Value) ssa.Value {
	free, ok := v.(*ssa.FreeVar)
	if !ok {
		return v
	}
	for c := range ssautil.InstructionsOf[*ssa.MakeClosure](fn) {
		if c.Fn != free.Parent() {
			continue
		}
		for i, f := range free.Parent().FreeVars {
			if f == free {
				return c.Bindings[i]
			}
		}
	}
	return v
}

// roomy reports whether a channel surely has room for more than one.
func roomy(v ssa.Value) bool {
	for range 8 {
		switch x := v.(type) {
		case *ssa.FreeVar:
			if fn := x.Parent().Parent(); fn != nil {
				v = outer(fn, x)
				continue
			}
		case *ssa.Alloc:
			if values := storesTo(x); len(values) == 1 {
				v = values[0]
				continue
			}
		case *ssa.MakeChan:
			size, ok := x.Size.(*ssa.Const)
			return ok && size.Int64() > 1
		}
		break
	}
	return false
}

// received returns the instructions at which fn receives, or waits.
func received(fn *ssa.Function) map[*ssa.BasicBlock]span {
	return must(fn, func(instr ssa.Instruction, holds bool) bool {
		switch instr := instr.(type) {
		case *ssa.UnOp:
			return holds || instr.Op == token.ARROW
		case *ssa.Select:
			return true
		case *ssa.Call:
			return holds || ssautil.CalleeName(instr.Common()) == "Wait"
		}
		return holds
	})
}

// A point is an instruction in its block.
type point struct {
	block *ssa.BasicBlock
	index int
}

func pointOf(instr ssa.Instruction) point {
	for i, x := range instr.Block().Instrs {
		if x == instr {
			return point{instr.Block(), i}
		}
	}
	return point{instr.Block(), 0}
}

// after visits the instructions that may run after one, on ways that stop does not end.
// Visit is not called for those where stop is true.
func after(instr ssa.Instruction, stop func(ssa.Instruction) bool, visit func(ssa.Instruction)) {
	from := pointOf(instr)
	seen := map[*ssa.BasicBlock]bool{}
	var walk func(b *ssa.BasicBlock, i int)
	walk = func(b *ssa.BasicBlock, i int) {
		for ; i < len(b.Instrs); i++ {
			if stop(b.Instrs[i]) {
				return
			}
			visit(b.Instrs[i])
		}
		for _, s := range b.Succs {
			if !seen[s] {
				seen[s] = true
				walk(s, 0)
			}
		}
	}
	walk(from.block, from.index+1)
}
