package pooluse

import (
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// A Location is where a pool is: a variable, and a path from it through fields and
// pointers. It is known in up to two ways: as one location in memory, and as a field of any
// value of a struct type.
type Location struct {
	Root  ssa.Value  // the variable, or the pointer that the way begins with; nil if unknown
	Path  string     // from there: ".f" is a field, "[2]" an element, "*" what it points to
	Field *types.Var // the last field on the way, or nil
	tail  string     // the way from there on
}

func (p Location) field(f *types.Var) Location {
	return Location{p.Root, p.Path + "." + f.Name(), f, ""}
}

func (p Location) step(s string) Location {
	return Location{p.Root, p.Path + s, p.Field, p.tail + s}
}

// join is the location that p is in a function when its root is what a is outside of it.
func (p Location) join(a Location) Location {
	j := Location{a.Root, a.Path + p.Path, p.Field, p.tail}
	if p.Field == nil {
		j.Field, j.tail = a.Field, a.tail+p.tail
	}
	return j
}

// beyond is the location in p that k is in its root.
func (p Location) beyond(k Key) Location {
	if p.Root == nil || k.path == "" {
		return p
	}
	return Location{Root: p.Root, Path: p.Path + k.path}
}

// forget is p without its root, which means nothing elsewhere.
func (p Location) forget() Location { return Location{Field: p.Field, tail: p.tail} }

// location returns the location that v points to, or, if it is not a pointer, that of v itself.
func (u *Uses) location(v ssa.Value) Location {
	switch v := u.Source(v).(type) {
	case *ssa.FieldAddr:
		return u.location(v.X).field(ssautil.FieldOf(v.X.Type(), v.Field))
	case *ssa.Field:
		return pointee(u.location(v.X).field(ssautil.FieldOf(v.X.Type(), v.Field)), v)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return pointee(u.location(v.X), v)
		}
	case *ssa.IndexAddr:
		if n, ok := v.Index.(*ssa.Const); ok && isArray(v.X.Type()) {
			return u.location(v.X).step("[" + strconv.FormatInt(n.Int64(), 10) + "]")
		}
	case *ssa.FreeVar:
		if b := u.binding(v); b != nil {
			return u.location(b)
		}
		return Location{Root: v}
	case *ssa.Alloc:
		if p := spilled(v); p != nil {
			return Location{Root: p}
		}
		return Location{Root: v}
	case *ssa.Global, *ssa.Parameter, *ssa.Call, *ssa.TypeAssert, *ssa.Extract:
		return Location{Root: v}
	}
	return Location{}
}

// pointee returns the location that v, which was read from p, leads to.
func pointee(p Location, v ssa.Value) Location {
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

// A Key is one of the ways in which a location is known.
type Key struct {
	Root  ssa.Value
	Field *types.Var
	path  string
}

// Keys are the keys of p.
func (p Location) Keys() []Key {
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
func (p Location) String() string {
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
