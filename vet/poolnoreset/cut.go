package poolnoreset

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/pooluse"
	"lessgc/vet/internal/rule"
	"lessgc/vet/internal/ssautil"
)

// A slice that is put back as long as what was read into it is all that the next user reads into:
//
//	b := buffers.Get().([]byte)
//	n, err := conn.Read(b)
//	handle(b[:n])
//	buffers.Put(b[:n])
//
// The cut slice may get to Put through a field, as in a packet that is sent over a channel. Where a user makes what it
// gets longer again, by b[:cap(b)], or looks how long it is, nothing is wrong.

// A cutSearch looks for slices that are put back shorter than they came.
type cutSearch struct {
	looker *looker
	uses   *pooluse.Uses
}

// reportCut reports the Puts of cut slices to a pool whose users read into what they get.
func (l *looker) reportCut(uses *pooluse.Uses) {
	if !ssautil.IsSlice(l.view.Item) {
		return
	}
	s := cutSearch{l, uses}
	var read *pooluse.Op
	for _, op := range l.pool.Ops {
		if op.Verb != pooluse.Get {
			continue
		}
		if op.Item == nil {
			return
		}
		dest, ok := s.destination(op.Item)
		if !ok {
			return
		}
		if dest {
			read = op
		}
	}
	for _, op := range l.pool.Ops {
		if read == nil || op.Verb != pooluse.Put || op.Item == nil {
			continue
		}
		cut := s.cutOf(op.Item)
		if cut == nil {
			continue
		}
		pos, end := uses.Range(op.Call)
		name := types.TypeString(l.view.Item, types.RelativeTo(l.pass.Pkg))
		l.pass.Report(rule.Finding{
			Pos: pos, End: end, Category: rule.Leak,
			Message: "the " + name + " is put into " + op.Pool.String() + " cut to what was read: its next user reads no more than that; put back the whole slice",
			Related: []analysis.RelatedInformation{rule.Related(cut.Pos(), "it is cut here"), rule.Related(read.Pos(), "it is read into after this Get")},
		})
	}
}

// destination reports whether a slice that a Get gave is read into over its whole length, and whether it is known that
// nobody makes it longer, or asks for its length.
func (s cutSearch) destination(v ssa.Value) (dest, sure bool) {
	for _, r := range s.uses.Referrers(v) {
		var part ssa.Value
		switch r := r.(type) {
		case *ssa.TypeAssert:
			part = r
		case *ssa.Extract:
			if r.Index == 0 {
				part = r
			}
		case *ssa.Slice:
			switch {
			case r.X == v && r.High == nil && (r.Low == nil || isZero(r.Low)):
				part = r
			case r.X != v || r.High == nil || !s.counted(r):
				return false, false
			}
		case *ssa.Phi, *ssa.BinOp, *ssa.MakeClosure:
			return false, false
		case *ssa.Return:
			if !s.wraps(r.Parent()) {
				return false, false
			}
		case ssa.CallInstruction:
			if isBuiltinCall(r) {
				return false, false
			}
			dest = dest || readsInto(r.Common())
		}
		if part == nil {
			continue
		}
		more, ok := s.destination(part)
		if !ok {
			return false, false
		}
		dest = dest || more
	}
	return dest, true
}

// wraps reports whether what fn returns is the slice of a Get for its callers, all of which are known.
func (s cutSearch) wraps(fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	return ok && !obj.Exported() && slices.ContainsFunc(s.looker.pool.Ops, func(op *pooluse.Op) bool { return op.Via == fn && op.Verb == pooluse.Get })
}

func isBuiltinCall(call ssa.CallInstruction) bool {
	_, ok := call.Common().Value.(*ssa.Builtin)
	return ok
}

// readsInto reports whether c is a call that reads into a slice.
func readsInto(c *ssa.CallCommon) bool {
	m := ssautil.Callee(c)
	return m != nil && begins(m.Name(), "read")
}

// counted reports whether part is b[:n], with the n that a call returned which read into b.
func (s cutSearch) counted(part *ssa.Slice) bool {
	if part.Low != nil && !isZero(part.Low) {
		return false
	}
	v := s.uses.Source(part.High)
	if x, ok := v.(*ssa.Extract); ok {
		v = x.Tuple
	}
	call, ok := v.(*ssa.Call)
	if !ok || !readsInto(&call.Call) || ssautil.Callee(&call.Call).FullName() == "io.ReadFull" { // which reads all, or fails
		return false
	}
	from := s.uses.Origin(part.X)
	for _, a := range call.Call.Args {
		if whole, ok := a.(*ssa.Slice); ok && whole.High == nil && (whole.Low == nil || isZero(whole.Low)) {
			a = whole.X
		}
		if from != nil && s.uses.Origin(a) == from {
			return true
		}
	}
	return false
}

// cutOf returns where v, a slice of the pool, has surely been cut; nil if it may be whole.
func (s cutSearch) cutOf(v ssa.Value) *ssa.Slice {
	v = s.uses.Source(v)
	if part, ok := v.(*ssa.Slice); ok {
		if s.fromPool(part.X) && s.counted(part) {
			return part
		}
		return nil
	}
	f := ssautil.LoadedField(v)
	if x, ok := v.(*ssa.Field); ok {
		f = ssautil.FieldOf(x.X.Type(), x.Field)
	}
	if f == nil || f.Exported() || f.Pkg() != s.looker.pass.Pkg {
		return nil
	}
	return s.cutField(f)
}

// cutField returns where the slices are cut that are assigned to a field; nil if some are not, but for those of
// other pools.
func (s cutSearch) cutField(f *types.Var) (cut *ssa.Slice) {
	for _, fn := range s.uses.Funcs {
		for st := range ssautil.InstructionsOf[*ssa.Store](fn) {
			fa, ok := st.Addr.(*ssa.FieldAddr)
			if !ok || ssautil.Field(fa) != f || ssautil.IsNil(st.Val) || s.fromOther(st.Val) {
				continue
			}
			part, ok := s.uses.Source(st.Val).(*ssa.Slice)
			if !ok || !s.fromPool(part.X) && !s.fromOther(part.X) || !s.counted(part) {
				return nil
			}
			if s.fromPool(part.X) {
				cut = part
			}
		}
	}
	return cut
}

// fromPool reports whether a Get of the pool gave v.
func (s cutSearch) fromPool(v ssa.Value) bool {
	op := s.uses.Origin(v)
	for _, o := range s.looker.pool.Ops {
		if op != nil && o.Call == op.Call {
			return true
		}
	}
	return false
}

// fromOther reports whether a Get of another pool gave v.
func (s cutSearch) fromOther(v ssa.Value) bool { return s.uses.Origin(v) != nil && !s.fromPool(v) }
