package arenaappend

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// A test may keep something else within a bound than the slice: the number of an iteration, or the length
// of what is appended. If that bound lets more through than there is room for, the append moves the slice.

// overrun reports whether a test before an append to a slice lets more elements through than the slice has
// room for.
func (f *function) overrun(cond *ssa.BinOp, call *ssa.Call, s shape) bool {
	x, top, to := f.bound(cond, call)
	if !top.known {
		return false
	}
	n := f.count(call.Call.Args[1])
	if n.lo == n.hi && n.hi.sym != "" && n.hi.sym == f.of(x).sym {
		return beyond(sum(s.lo, top), s.cap, 1)
	}
	l := f.counterOf(x)
	if l == nil || !l.blocks[call.Block()] || l.blocks[s.made.Block()] || !f.eachTime(to, call, l) {
		return false
	}
	first, _ := f.first(l, x)
	all := sum(s.lo, top.plus(1-first)) // if no iteration is left out
	return beyond(all, s.cap, 1) || f.restarts(l, s) && beyond(all, s.cap, 0)
}

// beyond reports whether n is more than the room by so much, or more.
func beyond(n, room expr, by int64) bool { return alike(n, room) && n.add >= room.add+by }

// bound returns what a test compares before an append, the most that it lets through, and the block that
// it lets it through to. The most is not known if the test sets no bound.
func (f *function) bound(cond *ssa.BinOp, call *ssa.Call) (x ssa.Value, top expr, to *ssa.BasicBlock) {
	x, y, op := cond.X, cond.Y, cond.Op
	if f.counterOf(y) != nil || isConst(x) {
		x, y, op = y, x, flip(op)
	}
	if to = f.passes(cond, call.Block()); to == nil {
		return nil, expr{}, nil
	}
	switch first := to == cond.Block().Succs[0]; {
	case first && (op == token.LSS || op == token.NEQ), !first && (op == token.GEQ || op == token.EQL):
		return x, f.of(y).plus(-1), to
	case first && op == token.LEQ, !first && op == token.GTR:
		return x, f.of(y), to
	}
	return nil, expr{}, nil
}

func isConst(v ssa.Value) bool {
	_, ok := v.(*ssa.Const)
	return ok
}

// restarts reports whether a loop begins anew in each iteration of another one, while the slice goes on
// to grow: neither does the outer loop make it, nor cut it.
func (f *function) restarts(inner *loop, s shape) bool {
	for _, outer := range f.loops {
		if outer != inner && outer.blocks[inner.header] && !outer.blocks[s.made.Block()] && !outer.cuts(s) {
			return true
		}
	}
	return false
}

// cuts reports whether a loop slices the slice that s is of.
func (l *loop) cuts(s shape) bool {
	for b := range l.blocks {
		for _, i := range b.Instrs {
			if cut, ok := i.(*ssa.Slice); ok && comesFrom(cut.X, s.made, map[ssa.Value]bool{}) {
				return true
			}
		}
	}
	return false
}

// counterOf returns the loop whose iterations v counts, or nil.
func (f *function) counterOf(v ssa.Value) *loop {
	i, ok := v.(ssa.Instruction)
	if !ok {
		return nil
	}
	l := f.loops[i.Block()]
	if l == nil {
		return nil
	}
	if _, ok := f.first(l, v); !ok {
		return nil
	}
	return l
}

// eachTime reports whether the iterations of a loop that pass a test by the edge to a block append.
func (f *function) eachTime(to *ssa.BasicBlock, call *ssa.Call, l *loop) bool {
	if call.Block() == to {
		return true
	}
	phi, of := f.variable(call.Call.Args[0])
	return of == l && f.grows(phi, l).known && f.grows(phi, l).lo > 0
}

// passes returns the block that a test leads to if the one with the append is executed, nil if it is
// executed either way.
func (f *function) passes(cond *ssa.BinOp, b *ssa.BasicBlock) *ssa.BasicBlock {
	branch, ok := cond.Block().Instrs[len(cond.Block().Instrs)-1].(*ssa.If)
	if !ok || branch.Cond != cond {
		return nil
	}
	for _, s := range cond.Block().Succs {
		if len(s.Preds) == 1 && s.Dominates(b) {
			return s
		}
	}
	return nil
}

// fewerThanIterations reports whether the room is a share of the number of iterations of a loop with the append.
func (f *function) fewerThanIterations(call *ssa.Call, s shape) bool {
	for _, l := range f.loops {
		if l.blocks[call.Block()] && !l.blocks[s.made.Block()] && l.iterations.sym != "" && strings.HasPrefix(s.cap.sym, l.iterations.sym+"/") && s.cap.add <= 0 {
			return true
		}
	}
	return false
}

// isEmpty reports whether v is a slice that a maker gives no room.
func (lib *library) isEmpty(v ssa.Value) bool {
	call, m, ok := lib.made(v)
	if !ok {
		return ssautil.IsNil(v)
	}
	if m == full {
		return false
	}
	size, ok := call.Call.Args[m.cap].(*ssa.Const)
	return ok && size.Int64() == 0
}
