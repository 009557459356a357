package arenaappend

import (
	"go/token"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// guarded returns the verdict on an append that may move a slice, by the tests of its function: it stays if one
// compares with the room of the slice, and may go beyond it if its length is compared with more, or a
// test before the append lets more through.
func (f *function) guarded(call *ssa.Call, s shape) verdict {
	v := may
	for instr := range ssautil.Instructions(f.fn) {
		switch instr := instr.(type) {
		case *ssa.BinOp:
			if ssautil.IsComparison(instr.Op) && !f.counts(instr) {
				switch tested := f.test(instr, call, s); tested {
				case stays:
					return stays
				case overruns, letsMore, moves:
					v = tested
				}
			}
		case *ssa.Call:
			if ssautil.IsBuiltin(instr, "min", "max") {
				return stays
			}
		}
	}
	return v
}

// test returns the verdict on an append behind a comparison. The length of the slice itself must be less than its
// capacity: a test that lets it reach that, or more, does not keep it there. Any other comparison with
// the room is believed.
func (f *function) test(cond *ssa.BinOp, call *ssa.Call, s shape) verdict {
	x, y, op := cond.X, cond.Y, cond.Op
	if f.isOf("len", y, s) {
		x, y, op = y, x, flip(op)
	}
	if f.fullThere(cond, call, s) {
		return moves
	}
	if f.isOf("len", x, s) {
		limit := f.of(y)
		if f.isOf("cap", y, s) {
			limit = s.cap
		}
		if op != token.LEQ && op != token.GTR {
			limit.add-- // the length that is let pass
		}
		switch {
		case alike(limit, s.cap) && limit.add >= s.cap.add:
			return overruns
		case limit.known && limit.sym == "" && f.fewerThanIterations(call, s):
			return letsMore
		}
		return stays
	}
	if f.overrun(cond, call, s) {
		return letsMore
	}
	if f.exceeds(cond, call, s) {
		return overruns
	}
	if f.measures(x, y, s) || f.measures(y, x, s) {
		return stays
	}
	return may
}

// flip returns the operator of a comparison with its operands swapped.
func flip(op token.Token) token.Token {
	switch op {
	case token.LSS:
		return token.GTR
	case token.LEQ:
		return token.GEQ
	case token.GTR:
		return token.LSS
	case token.GEQ:
		return token.LEQ
	}
	return op
}

// isOf reports whether v is the length, or the capacity, of a slice.
func (f *function) isOf(builtin string, v ssa.Value, s shape) bool {
	call, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	return ssautil.IsBuiltin(call, builtin) && comesFrom(call.Call.Args[0], s.made, map[ssa.Value]bool{})
}

// room is the capacity of a slice, for messages.
func (s shape) room() string {
	if s.cap.sym == "" {
		return strconv.FormatInt(s.cap.add, 10)
	}
	return "or with that itself"
}

// limit is the capacity of a slice, to be appended to a message that names it.
func (s shape) limit() string {
	if s.cap.sym == "" {
		return ", " + s.room()
	}
	return ""
}

// counts reports whether a comparison is the end of a loop whose number of iterations is known.
func (f *function) counts(cond *ssa.BinOp) bool {
	l := f.loops[cond.Block()]
	call, ok := cond.Y.(*ssa.Call)
	if !ok || l == nil || !l.iterations.known {
		return l != nil && l.iterations.known
	}
	return !ssautil.IsBuiltin(call, "cap")
}

// measures reports whether v is the room of a slice, or so, or its length or capacity. A constant must be
// compared with something that counts.
func (f *function) measures(v, other ssa.Value, s shape) bool {
	if e := f.of(v); e.known && s.cap.known && e.sym == s.cap.sym && (e.sym != "" || e.add >= s.cap.add-1 && e.add <= s.cap.add+1 && e.add > 0 && isCount(other)) {
		return true
	}
	if b, ok := v.(*ssa.BinOp); ok {
		return f.measures(b.X, other, s) || f.measures(b.Y, other, s)
	}
	return f.isOf("len", v, s) || f.isOf("cap", v, s)
}

// isCount reports whether v may be the number of something: a variable of a loop, or a length.
func isCount(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Phi, *ssa.Extract:
		return true
	case *ssa.BinOp:
		return isCount(v.X) || isCount(v.Y)
	case *ssa.UnOp:
		_, local := v.X.(*ssa.Alloc)
		_, free := v.X.(*ssa.FreeVar)
		return local || free
	case *ssa.Call:
		return ssautil.CalleeName(&v.Call) == "len"
	}
	return false
}

// comesFrom reports whether a slice was made by a maker, whatever was appended to it since.
func comesFrom(v ssa.Value, made *ssa.Call, seen map[ssa.Value]bool) bool {
	if v == made || seen[v] {
		return v == made
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Phi:
		for _, e := range v.Edges {
			if comesFrom(e, made, seen) {
				return true
			}
		}
	case *ssa.Slice:
		return comesFrom(v.X, made, seen)
	case *ssa.ChangeType:
		return comesFrom(v.X, made, seen)
	case *ssa.Call:
		return isAppend(v) && comesFrom(v.Call.Args[0], made, seen)
	}
	return false
}
