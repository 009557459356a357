package pooluse

import (
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// A Place is the location of a pool: a variable, and a path from it through fields and
// pointers. It is known in up to two ways: as one place in memory, and as a field of any
// value of a struct type.
type Place struct {
	Root  ssa.Value  // the variable, or the pointer that the way begins with; nil if unknown
	Path  string     // from there: ".f" is a field, "[2]" an element, "*" what it points to
	Field *types.Var // the last field on the way, or nil
	tail  string     // the way from there on
}

func (p Place) field(f *types.Var) Place {
	return Place{p.Root, p.Path + "." + f.Name(), f, ""}
}

func (p Place) step(s string) Place {
	return Place{p.Root, p.Path + s, p.Field, p.tail + s}
}

// join is the place that p is in a function when its root is what a is outside of it.
func (p Place) join(a Place) Place {
	j := Place{a.Root, a.Path + p.Path, p.Field, p.tail}
	if p.Field == nil {
		j.Field, j.tail = a.Field, a.tail+p.tail
	}
	return j
}

// beyond is the place in p that k is in its root.
func (p Place) beyond(k Key) Place {
	if p.Root == nil || k.path == "" {
		return p
	}
	return Place{Root: p.Root, Path: p.Path + k.path}
}

// forget is p without its root, which means nothing elsewhere.
func (p Place) forget() Place { return Place{Field: p.Field, tail: p.tail} }

// place returns the place that v points to, or, if it is no pointer, that of v itself.
func (u *Uses) place(v ssa.Value) Place {
	switch v := u.Source(v).(type) {
	case *ssa.FieldAddr:
		return u.place(v.X).field(ssautil.FieldOf(v.X.Type(), v.Field))
	case *ssa.Field:
		return pointee(u.place(v.X).field(ssautil.FieldOf(v.X.Type(), v.Field)), v)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return pointee(u.place(v.X), v)
		}
	case *ssa.IndexAddr:
		if n, ok := v.Index.(*ssa.Const); ok && isArray(v.X.Type()) {
			return u.place(v.X).step("[" + strconv.FormatInt(n.Int64(), 10) + "]")
		}
	case *ssa.FreeVar:
		if b := u.binding(v); b != nil {
			return u.place(b)
		}
		return Place{Root: v}
	case *ssa.Alloc:
		if p := spilled(v); p != nil {
			return Place{Root: p}
		}
		return Place{Root: v}
	case *ssa.Global, *ssa.Parameter, *ssa.Call, *ssa.TypeAssert, *ssa.Extract:
		return Place{Root: v}
	}
	return Place{}
}

// pointee returns the place that v, which was read from p, leads to.
func pointee(p Place, v ssa.Value) Place {
	if _, ok := v.Type().Underlying().(*types.Pointer); ok {
		return p.step("*")
	}
	return p
}

// spilled returns the parameter of which a is the copy that has an address.
func spilled(a *ssa.Alloc) *ssa.Parameter {
	var p *ssa.Parameter
	for s := range ssautil.StoresTo(a) {
		if p != nil {
			return nil
		}
		var ok bool
		if p, ok = s.Val.(*ssa.Parameter); !ok {
			return nil
		}
	}
	return p
}

func isArray(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	_, ok = p.Elem().Underlying().(*types.Array)
	return ok
}

// A Key is one of the ways in which a place is known.
type Key struct {
	Root  ssa.Value
	Field *types.Var
	path  string
}

// Keys are the keys of p.
func (p Place) Keys() []Key {
	var all []Key
	if p.Root != nil {
		all = append(all, Key{Root: p.Root, path: p.Path})
	}
	if p.Field != nil {
		all = append(all, Key{Field: p.Field, path: p.tail})
	}
	return all
}

// Pointer reports whether the way to the pool leads through a pointer, which may be set to
// another pool.
func (k Key) Pointer() bool { return strings.Contains(k.path, "*") }

// Exported reports whether other packages may use the pool by its name.
func (k Key) Exported() bool {
	switch {
	case k.Field != nil:
		return k.Field.Exported()
	case k.Root != nil:
		g, ok := k.Root.(*ssa.Global)
		return ok && token.IsExported(g.Name()) && g.Pkg.Pkg.Name() != "main"
	}
	return true
}

// String is the pool as a reader calls it.
func (p Place) String() string {
	path := strings.ReplaceAll(p.Path, "*", "")
	switch root := p.Root.(type) {
	case *ssa.Global:
		return root.Name() + path
	case *ssa.Parameter:
		return root.Name() + path
	case *ssa.Alloc:
		if root.Comment != "" && !strings.Contains(root.Comment, " ") && root.Comment != "complit" && root.Comment != "new" {
			return root.Comment + path
		}
	}
	if p.Field != nil {
		return p.Field.Name()
	}
	return "the pool"
}
