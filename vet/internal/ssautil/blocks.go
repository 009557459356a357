package ssautil

import (
	"go/token"
	"iter"

	"golang.org/x/tools/go/ssa"
)

// Reaches reports whether a path of at least one edge leads from the end of one block to the start
// of another. A block that reaches itself is part of a loop.
func Reaches(from, to *ssa.BasicBlock) bool {
	seen := make([]bool, len(from.Parent().Blocks))
	work := []*ssa.BasicBlock{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range b.Succs {
			if s == to {
				return true
			}
			if !seen[s.Index] {
				seen[s.Index] = true
				work = append(work, s)
			}
		}
	}
	return false
}

// Reachable reports whether control can get from the start of one block to the start of another.
// Each block is reachable from itself.
func Reachable(from, to *ssa.BasicBlock) bool { return from == to || Reaches(from, to) }

// SameLoop reports whether two blocks are part of one loop.
func SameLoop(a, b *ssa.BasicBlock) bool { return Reaches(a, b) && Reaches(b, a) }

// Loops returns the blocks of each loop that b is in, the innermost first.
func Loops(b *ssa.BasicBlock) iter.Seq[map[*ssa.BasicBlock]bool] {
	return func(yield func(map[*ssa.BasicBlock]bool) bool) {
		for head := b; head != nil; head = head.Idom() {
			if loop := loopOf(head); loop[b] && !yield(loop) {
				return
			}
		}
	}
}

// loopOf returns the blocks of the loops that begin at head: those from which control can come back to it
// without leaving what it dominates.
func loopOf(head *ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	loop := map[*ssa.BasicBlock]bool{}
	for _, p := range head.Preds {
		if !head.Dominates(p) {
			continue
		}
		loop[head] = true
		work := []*ssa.BasicBlock{p}
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			if !loop[b] {
				loop[b] = true
				work = append(work, b.Preds...)
			}
		}
	}
	return loop
}

// Before reports whether i is executed before j whenever j is executed. An instruction is before
// itself.
func Before(i, j ssa.Instruction) bool {
	if i.Block() != j.Block() {
		return i.Block().Dominates(j.Block())
	}
	return i == j || precedes(i, j)
}

// Follows reports whether j can be executed after i: later in the same block, or on a path that
// leaves it.
func Follows(i, j ssa.Instruction) bool {
	return i.Block() == j.Block() && i != j && precedes(i, j) || Reaches(i.Block(), j.Block())
}

// precedes reports whether i stands before j in their block.
func precedes(i, j ssa.Instruction) bool {
	for _, x := range i.Block().Instrs {
		switch x {
		case i:
			return true
		case j:
			return false
		}
	}
	return false
}

// EqualAt returns the comparison whose operands are equal where b begins, as in if x == nil { b }; nil if
// b has other ways in, or begins with no such branch.
func EqualAt(b *ssa.BasicBlock) *ssa.BinOp {
	if len(b.Preds) != 1 {
		return nil
	}
	before := b.Preds[0]
	branch, ok := before.Instrs[len(before.Instrs)-1].(*ssa.If)
	if !ok {
		return nil
	}
	c, ok := branch.Cond.(*ssa.BinOp)
	if !ok || c.Op != token.EQL && c.Op != token.NEQ || (before.Succs[0] == b) != (c.Op == token.EQL) {
		return nil
	}
	return c
}
