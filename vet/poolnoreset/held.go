package poolnoreset

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/pooluse"
	"lessgc/vet/internal/ssautil"
)

// A buffer may be written and read through a field of another struct, by methods that the function which gets it
// does not call itself:
//
//	b := buffers.Get().(*bytes.Buffer)
//	defer buffers.Put(b)
//	w := &lateWriter{ResponseWriter: rw, buf: b}
//	defer w.Close() // sends w.buf.Bytes()
//	next.ServeHTTP(w, r) // calls w.Write, which adds to w.buf
//
// What all functions of the package do with the field is then done from the assignment on. If one of them empties the
// buffer, it may do so in time; that does not count if only other functions that get a buffer call it.

// held looks at the assignment of a buffer to a field, and reports whether all that is done with the field is understood.
func (p *paths) held(st *ssa.Store, depth int, all map[ssa.Instruction]effect) bool {
	fa, ok := st.Addr.(*ssa.FieldAddr)
	if !ok || depth == 0 || p.op == nil {
		return false
	}
	f := ssautil.Field(fa)
	if f.Exported() || f.Embedded() || f.Pkg() != p.looker.pass.Pkg {
		return false
	}
	var union, dry effect
	shows := false // a function reads all, and leaves it there
	for _, fn := range p.uses.Funcs {
		u, sure, ok := p.throughField(fn, fa, depth-1)
		switch {
		case u == 0 && ok || ok && u&emptied != 0 && p.othersOnly(fn):
			continue
		case !ok || u&(putBack|handedOn) != 0 || u&emptied != 0 && u&drained == 0:
			return false
		case u&drained == 0:
			shows = shows || u&shown != 0
			union |= u
		case sure:
			return false
		default:
			union |= u &^ (shown | emptied | drained)
			dry |= u
		}
	}
	if dry != 0 && !shows { // the only way to read it
		return false
	}
	all[st] |= union | lent
	return true
}

// throughField returns what fn does with buffers in a field, and reports whether all of it is understood, and whether
// a drain of one is always executed.
func (p *paths) throughField(fn *ssa.Function, of *ssa.FieldAddr, depth int) (union effect, sure, ok bool) {
	f := ssautil.Field(of)
	for i := range ssautil.Instructions(fn) {
		if x, isCopy := i.(*ssa.Field); isCopy && ssautil.FieldOf(x.X.Type(), x.Field) == f {
			return 0, false, false
		}
		fa, isField := i.(*ssa.FieldAddr)
		if !isField || ssautil.Field(fa) != f {
			continue
		}
		all := map[ssa.Instruction]effect{}
		for r := range ssautil.Uses[ssa.Instruction](fa) {
			switch r := r.(type) {
			case *ssa.DebugRef:
			case *ssa.Store:
				if r.Addr != ssa.Value(fa) {
					return 0, false, false
				}
			case *ssa.UnOp:
				if !p.collect(r, depth, all) {
					return 0, false, false
				}
			default:
				return 0, false, false
			}
		}
		for at, u := range all {
			union |= u
			sure = sure || u&drained != 0 && alwaysRun(at)
		}
	}
	return union, sure, true
}

// alwaysRun reports whether i, which may be deferred, is executed whenever its function returns.
func alwaysRun(i ssa.Instruction) bool {
	_, call := i.(*ssa.Call)
	return !call || always(i)
}

// othersOnly reports whether only functions call fn that get buffers by another Get than the one that is looked at.
func (p *paths) othersOnly(fn *ssa.Function) bool {
	if p.callers == nil {
		p.callers = callersOf(p.uses)
	}
	by := p.callers[fn]
	return len(by) > 0 && !slices.ContainsFunc(by, func(caller *ssa.Function) bool {
		for caller.Parent() != nil && !p.gets(caller) {
			caller = caller.Parent()
		}
		return !p.gets(caller) || caller == p.op.Fn
	})
}

// gets reports whether fn gets a buffer from the pool.
func (p *paths) gets(fn *ssa.Function) bool {
	return slices.ContainsFunc(p.looker.pool.Ops, func(op *pooluse.Op) bool { return op.Fn == fn && op.Verb == pooluse.Get })
}

// settle takes back that a buffer in a field is read as it came if the function may empty it later, and before the
// field is looked at:
//
//	w := &lateWriter{buf: b}
//	b.Reset()
func settle(all map[ssa.Instruction]effect) {
	for i, u := range all {
		if u&lent == 0 {
			continue
		}
		for j, v := range all {
			if v&(emptied|lent) == emptied && ssautil.Follows(i, j) {
				all[i] &^= shown
			}
		}
	}
}
