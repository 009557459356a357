package events

import (
	"go/token"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/flow"
	"lessgc/vet/internal/ssautil"
)

// Does a branch go both ways although it has a source in common with what the release depends on?
//
//	if err != nil {
//		pool.Put(b)
//		if errors.Is(err, net.ErrClosed) { // yes: else the code would not ask
//			return
//		}
//	}
//	b.Reset() // a path leads here
//
//	if err != nil {
//		pool.Put(b)
//		if err != nil { // no: the answer is known
//			return
//		}
//	}
//	b.Reset()
//
// Whoever comes to a branch that the release dominates has released. If one of its edges was never
// taken, the branch would be without purpose, so both are taken by some run. That holds only for a
// question that differs from all that were answered on the way to it, and not for the last case of a switch
// over a value, which may be there although all its values have cases. Only calls, type assertions and the
// comparison of an error, say, with another one than nil are such questions.
//
// Behind the branches that are dominated, those that share a source with one of these are not free
// either: what led there may decide them. All else is silence.

// askAgain finds such branches behind w.from, and reports whether there is one. It wants w solved. A
// callee that perhaps releases may be asked about that.
func (w *winning) askAgain() bool {
	if w.told != nil || len(w.names) > 0 {
		return false
	}
	w.again = map[*ssa.BasicBlock]bool{}
	decided := flow.Sources{}
	maps.Copy(decided, w.decided)
	for _, b := range w.fn.Blocks {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || w.free[b.Index] || !w.from.Block().Dominates(b) || !w.isOpen(branch) {
			continue
		}
		if w.fn.SourcesOf(branch.Cond, decided) {
			w.again[b] = true
		}
	}
	w.decided = decided
	return len(w.again) > 0
}

// isOpen reports whether the branches on the way to this one leave its condition open.
func (w *winning) isOpen(branch *ssa.If) bool {
	q := w.question(branch.Cond)
	refines := false
	for b := branch.Block(); b.Idom() != nil; b = b.Idom() {
		guard, ok := b.Idom().Instrs[len(b.Idom().Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		g := w.question(guard.Cond)
		if w.sameQuestion(q, g) {
			return false
		}
		// len(b.Preds) is one where the edge of the guard that leads to b is the only way there.
		if differs := len(b.Preds) == 1 && (b == guard.Block().Succs[0]) == g.differs; differs && g.nilCheck {
			refines = refines || slices.ContainsFunc(q.operands, func(v ssa.Value) bool { return w.sameValue(v, g.operands[0]) })
		} else if q.compares && g.compares && w.shareOperand(q, g) {
			return false // the last of all cases
		}
	}
	return q.asks || q.compares && !q.nilCheck && refines
}

// A question is the condition of a branch.
type question struct {
	asks     bool // it is a call, or a type assertion
	compares bool // it is == or !=,
	differs  bool // the latter,
	nilCheck bool // with nil, which is then not an operand
	what     any  // the function that is called; the type that is asserted; the operator
	operands []ssa.Value
}

// question takes a condition apart. One of another kind is neither asked nor compared.
func (w *winning) question(cond ssa.Value) question {
	cond = w.fn.Resolve(cond)
	for {
		not, ok := cond.(*ssa.UnOp)
		if !ok || not.Op != token.NOT {
			break
		}
		cond = w.fn.Resolve(not.X)
	}
	switch x := cond.(type) {
	case *ssa.Call:
		k := w.fn.Callee(&x.Call)
		return question{asks: k.Func != nil && len(k.Args) > 0, what: k.Func, operands: k.Args}
	case *ssa.Extract:
		if a, ok := x.Tuple.(*ssa.TypeAssert); ok {
			return question{asks: true, what: a.AssertedType.String(), operands: []ssa.Value{a.X}}
		}
	case *ssa.BinOp:
		q := question{compares: x.Op == token.EQL || x.Op == token.NEQ, differs: x.Op == token.NEQ, what: x.Op, operands: []ssa.Value{x.X, x.Y}}
		if q.nilCheck = q.compares && flow.IsNil(x.Y); q.nilCheck {
			q.operands = q.operands[:1]
		}
		return q
	}
	return question{operands: []ssa.Value{cond}}
}

// sameQuestion reports whether two conditions ask the same of the same values.
func (w *winning) sameQuestion(q, g question) bool {
	if q.compares != g.compares || q.what != g.what && !q.compares || len(q.operands) != len(g.operands) {
		return false
	}
	for n, v := range q.operands {
		if !w.sameValue(v, g.operands[n]) {
			return false
		}
	}
	return true
}

func (w *winning) shareOperand(q, g question) bool {
	return slices.ContainsFunc(q.operands, func(v ssa.Value) bool {
		return slices.ContainsFunc(g.operands, func(u ssa.Value) bool { return w.sameValue(u, v) })
	})
}

// sameValue reports whether two values are one, or are loaded from one variable or field.
func (w *winning) sameValue(u, v ssa.Value) bool {
	u, v = w.fn.Resolve(u), w.fn.Resolve(v)
	if u == v {
		return true
	}
	if c, ok := u.(*ssa.Const); ok {
		d, ok := v.(*ssa.Const)
		return ok && c.String() == d.String()
	}
	x, ok := u.(*ssa.UnOp)
	y, same := v.(*ssa.UnOp)
	if !ok || !same || x.Op != token.MUL || y.Op != token.MUL {
		return false
	}
	field := ssautil.LoadedField(x)
	return x.X == y.X || field != nil && field == ssautil.LoadedField(y)
}
