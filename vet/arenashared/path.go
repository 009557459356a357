package arenashared

import (
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// A path leads to an arena: from a value through fields. The zero path leads nowhere.
type path struct {
	root   ssa.Value
	fields string // keys of the fields, each ended by a slash
}

// A finder finds where arenas come from.
type finder struct {
	fields map[*types.Var]string       // a key for each field
	stores map[string][]ssa.Value      // values stored in a field, by its key
	vars   map[*ssa.Global][]ssa.Value // values stored in variables of the package
	open   map[*ssa.Alloc]int          // variables that are looked at now, 1, or are set from themselves, 2
}

// key returns the key of field i of x, or "" if x is neither a struct nor a pointer to
// one.
func (f *finder) key(x ssa.Value, i int) string {
	t := x.Type()
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return ""
	}
	v := s.Field(i).Origin()
	if f.fields[v] == "" {
		f.fields[v] = strconv.Itoa(len(f.fields)) + v.Name() + "/"
	}
	return f.fields[v]
}

// path returns where v comes from, within its function.
func (f *finder) path(v ssa.Value) path {
	switch v := v.(type) {
	case *ssa.Const:
		return path{} // nil is the heap
	case *ssa.ChangeType:
		return f.path(v.X)
	case *ssa.ChangeInterface:
		return f.path(v.X)
	case *ssa.MakeInterface:
		return f.path(v.X)
	case *ssa.FieldAddr:
		return f.step(v.X, v.Field)
	case *ssa.Field:
		return f.step(v.X, v.Field)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return f.loaded(v.X)
		}
	case *ssa.Call:
		if catalog.Is(ssautil.Callee(v.Common()), "lessgc/arena.Of") {
			return f.path(v.Call.Args[0])
		}
		return path{root: v}
	case *ssa.Parameter, *ssa.FreeVar, *ssa.Global, *ssa.Alloc, *ssa.Extract, *ssa.TypeAssert, *ssa.Phi, *ssa.MakeChan:
		return path{root: v}
	}
	return path{}
}

func (f *finder) step(x ssa.Value, i int) path {
	p := f.path(x)
	k := f.key(x, i)
	if p.root == nil || k == "" {
		return path{}
	}
	p.fields += k
	return p
}

// loaded returns where a value that is read from addr comes from.
func (f *finder) loaded(addr ssa.Value) path {
	switch a := addr.(type) {
	case *ssa.Global, *ssa.FreeVar:
		return path{root: a}
	case *ssa.FieldAddr:
		return f.path(a)
	case *ssa.Alloc:
		return f.variable(a)
	}
	return path{}
}

// variable is loaded of a variable: where its value comes from if it is set once, and not from itself, as what goes along a
// list is.
func (f *finder) variable(a *ssa.Alloc) path {
	if f.open[a] > 0 {
		f.open[a] = 2
		return path{root: a}
	}
	var only ssa.Value
	for s := range ssautil.StoresTo(a) {
		if only != nil {
			return path{root: a}
		}
		only = s.Val
	}
	if only == nil {
		return path{root: a}
	}
	f.open[a] = 1
	defer delete(f.open, a)
	if p := f.path(only); f.open[a] == 1 {
		return p
	}
	return path{root: a}
}

// from is p with a path to its root in front.
func (p path) from(root path) path {
	if root.root == nil {
		return path{}
	}
	return path{root.root, root.fields + p.fields}
}

// one reports whether what p leads to is an arena for one goroutine at a time, if that
// depends on how it was made.
func (f *finder) one(p path, t types.Type) bool {
	is, depends := isArena(t)
	if !depends {
		return is
	}
	if first, rest, ok := strings.Cut(p.fields, "/"); ok {
		return rest == "" && allSingle(f.stores[first+"/"])
	}
	if g, ok := p.root.(*ssa.Global); ok {
		return allSingle(f.vars[g])
	}
	return allSingle([]ssa.Value{p.root})
}

// allSingle reports whether all values are results of functions that make arenas for one
// goroutine.
func allSingle(values []ssa.Value) bool {
	for _, v := range values {
		if i, ok := v.(*ssa.ChangeInterface); ok {
			v = i.X
		}
		call, ok := v.(*ssa.Call)
		if !ok || !catalog.Callee(call.Common()).Single {
			return false
		}
		if catalog.Callee(call.Common()).Plain {
			if c, ok := call.Call.Args[0].(*ssa.Const); !ok || !c.IsNil() {
				return false // an option may be a lock
			}
		}
	}
	return len(values) > 0
}

// through follows a path whose first field is one of a local struct to what is stored
// there.
func (f *finder) through(p path) path {
	for p.fields != "" {
		a, ok := p.root.(*ssa.Alloc)
		if !ok {
			break
		}
		first, rest, _ := strings.Cut(p.fields, "/")
		var values []ssa.Value
		for field := range ssautil.Uses[*ssa.FieldAddr](a) {
			if f.key(field.X, field.Field) == first+"/" {
				values = append(values, storesTo(field)...)
			}
		}
		if len(values) != 1 {
			break
		}
		p = path{fields: rest}.from(f.path(values[0]))
	}
	return p
}

func storesTo(addr ssa.Value) (list []ssa.Value) {
	for s := range ssautil.StoresTo(addr) {
		list = append(list, s.Val)
	}
	return list
}
