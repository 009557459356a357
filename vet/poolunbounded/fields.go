package poolunbounded

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/pooluse"
	"lessgc/vet/internal/ssautil"
)

// A fieldPath says where in a value something is: the fields on the way to it, the last one first, as far
// as a function shows them.
type fieldPath []*types.Var

// pathTo returns the path to an address, or to a map or a slice.
func (l *looker) pathTo(a ssa.Value) (p fieldPath) {
	for range 50 {
		if a == nil || types.Identical(a.Type(), l.view.Item) {
			return p // whoever else has the value
		}
		a = l.uses.Source(a)
		switch x := a.(type) {
		case *ssa.FieldAddr:
			p = append(p, ssautil.Field(x))
		case *ssa.Field:
			p = append(p, ssautil.FieldOf(x.X.Type(), x.Field))
		}
		a = pooluse.Outer(a)
	}
	return p
}

// holds reports whether what is at p has what is at q in it. A way that is not seen may lead anywhere.
func (p fieldPath) holds(q fieldPath) bool {
	return len(p) == 0 || len(q) == 0 || slices.Contains(q, p[0])
}

// A grown is something that grows in a value.
type grown struct {
	at   ssa.Instruction
	path fieldPath
}

// grown notes that i makes grow what is at an address, or all of a value if that is nil.
func (l *looker) grown(i ssa.Instruction, a ssa.Value) {
	l.grows = append(l.grows, grown{i, l.pathTo(a)})
}

// kept returns the first growth whose memory a value takes into the pool: nothing replaces it, and
// nobody else has lent it. It is nil if there is none.
func (l *looker) kept() ssa.Instruction {
	if len(l.grows) == 0 {
		return nil
	}
	replaced := l.replaced()
	for _, g := range l.grows {
		if !slices.ContainsFunc(replaced, func(p fieldPath) bool { return p.holds(g.path) }) && !l.lent(g.path) {
			return g.at
		}
	}
	return nil
}

// lent reports whether a field on the way to a path's end may point to memory of another owner.
func (l *looker) lent(p fieldPath) bool {
	return slices.ContainsFunc(p, func(f *types.Var) bool { return f != nil && ssautil.IsPointer(f.Type()) && l.borrows(f) })
}

// borrows reports whether the package assigns what a function was given to a field.
func (l *looker) borrows(field *types.Var) bool {
	for _, fn := range l.uses.Funcs {
		for s := range ssautil.InstructionsOf[*ssa.Store](fn) {
			fa, ok := s.Addr.(*ssa.FieldAddr)
			if !ok || ssautil.Field(fa) != field {
				continue
			}
			if _, given := l.uses.Source(s.Val).(*ssa.Parameter); given {
				return true
			}
		}
	}
	return false
}

// replaced returns the places in a value whose memory the package replaces.
func (l *looker) replaced() (all []fieldPath) {
	for _, fn := range l.uses.Funcs {
		for s := range ssautil.InstructionsOf[*ssa.Store](fn) {
			if !growable(s.Val.Type()) || !l.view.Part(s.Addr) || !l.replaces(s) {
				continue
			}
			if !l.grew(s.Val) {
				all = append(all, l.pathTo(s.Addr))
			}
		}
	}
	return all
}

// growable reports whether t is or has memory that grows.
func growable(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	case *types.Pointer:
		s, ok := u.Elem().Underlying().(*types.Struct)
		return isBuffer(u.Elem()) || ok && hasGrowable(s)
	case *types.Struct:
		return hasGrowable(u)
	}
	return false
}

// hasGrowable reports whether a struct has a field that grows, by itself.
func hasGrowable(s *types.Struct) bool {
	for f := range s.Fields() {
		if p, ok := f.Type().Underlying().(*types.Pointer); ok && !isBuffer(p.Elem()) {
			continue
		}
		if growable(f.Type()) {
			return true
		}
	}
	return false
}

// replaces reports whether s lets go of the memory that there was, and not only if there was
// none.
func (l *looker) replaces(s *ssa.Store) bool {
	switch v := s.Val.(type) {
	case *ssa.Const:
		return true
	case *ssa.MakeMap, *ssa.MakeSlice:
		return !ifNil(s.Block())
	case *ssa.Slice:
		a, ok := v.X.(*ssa.Alloc) // of a literal, or of a constant size
		return ok && a.Heap
	case *ssa.Alloc:
		return true
	case *ssa.UnOp:
		a, ok := v.X.(*ssa.Alloc)
		return ok && !l.keeps(a)
	}
	return false
}

// keeps reports whether the literal a has part of a value in it.
func (l *looker) keeps(a *ssa.Alloc) bool {
	for f := range ssautil.Uses[*ssa.FieldAddr](a) {
		for s := range ssautil.Uses[*ssa.Store](f) {
			if growable(s.Val.Type()) && l.view.Part(s.Val) {
				return true
			}
		}
	}
	return false
}

// ifNil reports whether b happens if something is nil.
func ifNil(b *ssa.BasicBlock) bool {
	c := ssautil.EqualAt(b)
	return c != nil && (ssautil.IsNil(c.X) || ssautil.IsNil(c.Y))
}
