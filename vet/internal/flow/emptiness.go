package flow

import (
	"go/constant"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Is a value lost just because there is little or nothing in it? Pools drop what is too large, so a
// branch on the size that skips the release is usually meant. This one is not:
//
//	b.WriteString(text)
//	if b.Len() == 0 {
//		return // lost: the branch is about the work, which the other edge does
//	}
//	w.Write(b.Bytes())
//	put(b)
//
//	if b.Len() > 0 { // meant: the edge does nothing but release
//		put(b)
//	}
//
// It asks what the other edge does first. A use before any release means work; a release first
// means that the branch decides about that. If neither is found the branch counts as any other on
// the size, which mostly is silence.

// tooSmall reports whether edge n of b, cond being yes there, is taken by a value with little or nothing
// in it, and the other edge uses the value before anything releases it. Such a branch decides about the
// work, not about the release: pools leave what is too large to the collector, and what has too small
// a capacity, but nothing because it is empty.
func (r *States) tooSmall(b *ssa.BasicBlock, n int, cond ssa.Value, yes bool) bool {
	if r.Start == nil {
		return false // it is the caller's, and may be the helper that puts back
	}
	c, ok := cond.(*ssa.BinOp)
	if !ok {
		return false
	}
	x, op := c.X, c.Op
	bound, ok := r.Aliases.Func.Resolve(c.Y).(*ssa.Const)
	if !ok {
		bound, ok = r.Aliases.Func.Resolve(x).(*ssa.Const)
		x, op = c.Y, mirrored[op]
	}
	if !ok || bound.Value == nil || bound.Value.Kind() != constant.Int || !r.length(r.Aliases.Func.Resolve(x)) {
		return false
	}
	if !yes {
		op = negation[op]
	}
	switch op {
	case token.LSS, token.LEQ:
	case token.EQL:
		if constant.Sign(bound.Value) != 0 {
			return false
		}
	default:
		return false
	}
	return r.usedFirst(b.Succs[1-n])
}

// forget notes that b ends in a branch past the release for a value that is empty.
func (r *States) forget(b *ssa.BasicBlock) {
	if !slices.Contains(r.forgets, b) {
		r.forgets = append(r.forgets, b)
	}
}

// Forgets reports whether ret is reached by a value that certainly was live where it went past the
// release because it was empty.
//
// The states at the return join all paths, so whether the value is lost has to be asked at the
// branch: there it must be live, or absent, and nothing else, or another path may have handed it
// over.
func (r *States) Forgets(ret *ssa.Return) bool {
	return slices.ContainsFunc(r.forgets, func(b *ssa.BasicBlock) bool {
		s := r.Out[b.Index]
		return s&At(PhaseLive, PendingNone) != 0 && s&^(At(PhaseLive, PendingNone)|InPhase(PhaseAbsent)) == 0 && ssautil.Reachable(b, ret.Block())
	})
}

var (
	mirrored = map[token.Token]token.Token{token.LSS: token.GTR, token.LEQ: token.GEQ, token.GTR: token.LSS, token.GEQ: token.LEQ, token.EQL: token.EQL, token.NEQ: token.NEQ}
	negation = map[token.Token]token.Token{token.LSS: token.GEQ, token.LEQ: token.GTR, token.GTR: token.LEQ, token.GEQ: token.LSS, token.EQL: token.NEQ, token.NEQ: token.EQL}
)

// length reports whether v is how much is in the value: its method Len, or the length of its bytes. Of
// a slice that is pooled itself it is not: a getter may return none.
func (r *States) length(v ssa.Value) bool {
	c, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	if b, ok := c.Call.Value.(*ssa.Builtin); ok {
		return b.Name() == "len" && r.Aliases.Mark(c.Call.Args[0])&(MarkAlias|MarkContent) != 0 && r.Aliases.Mark(c.Call.Args[0])&MarkSame == 0
	}
	k := r.Aliases.Func.Callee(&c.Call)
	return k.Func != nil && k.Func.Name() == "Len" && len(k.Args) == 1 && r.Aliases.Mark(k.Args[0])&MarkSame != 0
}

// usedFirst reports whether b, or what it leads straight to, uses the origin before it releases it.
//
// After four blocks, or at a branch of which no edge uses the origin, the answer is no. A branch
// target with other predecessors is left out, as control may come there from elsewhere.
func (r *States) usedFirst(b *ssa.BasicBlock) bool {
	for range 4 {
		for _, i := range b.Instrs {
			for _, a := range r.Effects[i] {
				switch {
				case a.Kind == EffectUse && !resetting(i):
					return true
				case a.Kind == EffectRelease, a.Kind == EffectMayRelease:
					return false
				}
			}
		}
		if len(b.Succs) != 1 {
			return len(b.Succs) > 1 && slices.ContainsFunc(b.Succs, func(s *ssa.BasicBlock) bool { return s != b && len(s.Preds) == 1 && r.usedIn(s) })
		}
		b = b.Succs[0]
	}
	return false
}

// usedIn reports whether b uses the origin and does not release it.
func (r *States) usedIn(b *ssa.BasicBlock) bool {
	used := false
	for _, i := range b.Instrs {
		for _, a := range r.Effects[i] {
			switch a.Kind {
			case EffectUse:
				used = used || !resetting(i)
			case EffectRelease, EffectMayRelease:
				return false
			}
		}
	}
	return used
}

// resetting reports whether i makes the value ready for its next owner.
func resetting(i ssa.Instruction) bool {
	c, ok := i.(*ssa.Call)
	if !ok {
		_, store := i.(*ssa.Store)
		return store
	}
	f := c.Call.StaticCallee()
	return f != nil && (f.Name() == "Reset" || f.Name() == "Truncate" || f.Name() == "Clear")
}
