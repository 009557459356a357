package arenaappend

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// A total is a sum that a test compares with zero: of the length of a slice, so many times, a number, what
// is added to the length, and what is taken from it.
type total struct {
	lengths     int
	number      int64
	more, limit []string // symbols
}

// exceeds reports whether a test before an append compares the length of a slice, and more, with a limit that
// is larger than the capacity of the slice.
func (f *function) exceeds(cond *ssa.BinOp, call *ssa.Call, s shape) bool {
	var t total
	f.add(&t, cond.X, 1, s)
	f.add(&t, cond.Y, -1, s)
	op := cond.Op
	if t.lengths < 0 {
		t.lengths, t.number, op = -t.lengths, -t.number, flip(op)
		t.more, t.limit = t.limit, t.more
	}
	if t.lengths != 1 || len(t.limit) > 1 {
		return false
	}
	limit := number(-t.number)
	for _, sym := range t.limit {
		limit.sym = sym
	}
	small := 0 // the successor for lengths below the limit
	switch op {
	case token.LSS:
		limit.add--
	case token.LEQ:
	case token.GEQ:
		limit.add--
		small = 1
	case token.GTR:
		small = 1
	default:
		return false
	}
	to := f.passes(cond, call.Block())
	return (to == nil || to == cond.Block().Succs[small]) && beyond(limit, s.cap, 1)
}

// add adds v, so many times, to a sum.
func (f *function) add(t *total, v ssa.Value, times int, s shape) {
	switch x := v.(type) {
	case *ssa.Convert:
		if f.of(x).known {
			f.add(t, x.X, times, s)
			return
		}
	case *ssa.BinOp:
		if x.Op == token.ADD || x.Op == token.SUB {
			f.add(t, x.X, times, s)
			if x.Op == token.SUB {
				times = -times
			}
			f.add(t, x.Y, times, s)
			return
		}
	}
	if f.isOf("len", v, s) {
		t.lengths += times
		return
	}
	e := f.of(v)
	if f.isOf("cap", v, s) {
		e = s.cap
	}
	t.number += int64(times) * e.add
	switch {
	case e.known && e.sym == "":
	case times > 0:
		t.more = append(t.more, e.sym)
	default:
		t.limit = append(t.limit, e.sym)
	}
}
