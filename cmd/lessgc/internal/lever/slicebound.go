package lever

import (
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A linear is a sum of integers, by the values that they are multiples of; nil stands for 1. The length of a slice has the slice as
// its value.
type linear map[ssa.Value]int64

// add adds another sum so many times.
func (l linear) add(other linear, times int64) linear {
	for v, n := range other {
		if l[v] += n * times; l[v] == 0 {
			delete(l, v)
		}
	}
	return l
}

// linearOf takes an integer apart: sums, differences, and lengths of what has been cut out of a slice.
func linearOf(v ssa.Value) linear {
	switch x := v.(type) {
	case *ssa.Const:
		if n, ok := smallConstant(x); ok {
			return linear{}.add(linear{nil: 1}, n)
		}
	case *ssa.BinOp:
		switch {
		case !ofInts(x):
		case x.Op == token.ADD:
			return linearOf(x.X).add(linearOf(x.Y), 1)
		case x.Op == token.SUB:
			return linearOf(x.X).add(linearOf(x.Y), -1)
		}
	case *ssa.Call:
		if callsBuiltin(x, "len") && isSlice(x.Call.Args[0].Type()) {
			return lengthOfSlice(x.Call.Args[0])
		}
	}
	return linear{v: 1}
}

// smallConstant is an integer that cannot make a sum of lengths overflow, nor a variable that counts down by it.
func smallConstant(v ssa.Value) (n int64, ok bool) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return 0, false
	}
	n, ok = constant.Int64Val(c.Value)
	return n, ok && -1<<16 < n && n < 1<<16
}

// ofInts reports whether an operation is one with values of type int.
func ofInts(x *ssa.BinOp) bool {
	basic, ok := x.X.Type().Underlying().(*types.Basic)
	return ok && basic.Kind() == types.Int
}

// lengthOfSlice is the length of a slice: of one that is cut out of another, what it was cut to.
func lengthOfSlice(v ssa.Value) linear {
	cut, ok := v.(*ssa.Slice)
	if !ok || !isSlice(cut.X.Type()) {
		return linear{v: 1}
	}
	sum := linear{}
	if cut.High != nil {
		sum.add(linearOf(cut.High), 1)
	} else {
		sum.add(lengthOfSlice(cut.X), 1)
	}
	if cut.Low != nil {
		sum.add(linearOf(cut.Low), -1)
	}
	return sum
}

// withinLength reports whether a cut ends at the length of what is cut, or before: not in the room behind it. Indexes that count down
// are at most what they begin with; others are bounded by the conditions that lead there.
func withinLength(cut *ssa.Slice) bool {
	if cut.Max != nil || !isSlice(cut.X.Type()) {
		return false
	}
	if cut.High == nil {
		return true
	}
	length, high := lengthOfSlice(cut.X), linearOf(cut.High)
	if notBelow(length, high) {
		return true
	}
	for b := cut.Block(); b != nil && b.Idom() != nil; b = b.Idom() {
		test, ok := b.Idom().Instrs[len(b.Idom().Instrs)-1].(*ssa.If)
		if !ok || len(b.Preds) != 1 {
			continue
		}
		cond, ok := test.Cond.(*ssa.BinOp)
		if !ok || !ofInts(cond) {
			continue
		}
		if small, large, strict := orderOf(cond, b == b.Idom().Succs[0]); small != nil {
			// high <= length if high + (large - small) <= length, and large - small is 0 or more, or 1.
			bound := linear{}.add(high, 1).add(linearOf(large), 1).add(linearOf(small), -1)
			if strict {
				bound.add(linear{nil: 1}, -1)
			}
			if notBelow(length, bound) {
				return true
			}
		}
	}
	return false
}

// orderOf returns what a comparison shows, where it holds or does not: small is less than large if strict, else at most that. small is nil if
// it shows no order.
func orderOf(cond *ssa.BinOp, holds bool) (small, large ssa.Value, strict bool) {
	op := cond.Op
	if !holds {
		op = map[token.Token]token.Token{token.LSS: token.GEQ, token.LEQ: token.GTR, token.GTR: token.LEQ, token.GEQ: token.LSS, token.NEQ: token.EQL}[op]
	}
	switch op {
	case token.LSS, token.LEQ, token.EQL:
		return cond.X, cond.Y, op == token.LSS
	case token.GTR, token.GEQ:
		return cond.Y, cond.X, op == token.GTR
	}
	return nil, nil, false
}

// notBelow reports whether a sum is at least another: nothing is left of their difference but lengths, constants that are not
// negative, and what indexes have counted down.
func notBelow(sum, other linear) bool {
	rest := linear{}.add(sum, 1).add(other, -1)
	for _, v := range slices.Collect(maps.Keys(rest)) {
		if n := rest[v]; n < 0 {
			if begin := countedDown(v); begin != nil {
				rest.add(linear{v: 1}, -n).add(linearOf(begin), n)
			}
		}
	}
	for v, n := range rest {
		if n < 0 || v != nil && !isSlice(v.Type()) {
			return false
		}
	}
	return true
}

// countedDown is what a variable begins with that only becomes less; nil if it is none.
func countedDown(v ssa.Value) (begin ssa.Value) {
	phi, ok := v.(*ssa.Phi)
	if !ok {
		return nil
	}
	for _, e := range phi.Edges {
		if e == v {
			continue
		}
		if step, ok := e.(*ssa.BinOp); ok && step.Op == token.SUB && step.X == v && ofInts(step) { // others wrap around
			if n, ok := smallConstant(step.Y); ok && n >= 0 {
				continue
			}
		}
		if begin != nil && begin != e {
			return nil
		}
		begin = e
	}
	return begin
}
