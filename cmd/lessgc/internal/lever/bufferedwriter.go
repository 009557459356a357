package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// fills are the functions that say whom a bufio.Writer hands its bytes to, with their first argument.
var fills = map[string]bool{"bufio.NewWriter": true, "bufio.NewWriterSize": true, "(*bufio.Writer).Reset": true}

// portionsOpen reports whether it does not matter in which portions a bufio.Writer hands on its bytes: no type of the program is
// behind it, as far as the program says. Package bufio promises the bytes and their order, and that nothing follows an error.
func (p *Line) portionsOpen(w ast.Expr) bool {
	if v := p.local(w); v != nil && !slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool { _, set := m.assigned(); return set || p.isReset(m) }) {
		d, ok := p.define(p.unit, v)
		if call, is := ast.Unparen(d.value).(*ast.CallExpr); ok && is && p.callee(call) != nil && fills[p.callee(call).FullName()] {
			return !p.ownType(p.unit, call.Args[0])
		}
	}
	for object, all := range p.uses {
		fn, ok := object.(*types.Func)
		if !ok || fn.Pkg() == nil || fn.Pkg().Path() != "bufio" || !fills[fn.FullName()] {
			continue
		}
		for _, id := range all {
			if u := p.unitOf(id.Pos()); u == nil || !p.inTest(id.Pos()) && p.fillsElsewhere(u, id) {
				return false
			}
		}
	}
	return true
}

// isReset reports whether a mention of a bufio.Writer may give it another writer.
func (p *Line) isReset(m mention) bool {
	sel, ok := m.parent().(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Reset"
}

// fillsElsewhere reports whether a call, by its name, puts a type of the program behind a bufio.Writer that others than its
// function may have.
func (p *Line) fillsElsewhere(u *unit, id *ast.Ident) bool {
	var call *ast.CallExpr
	for _, n := range stackOf(u.file, id) {
		if c, ok := n.(*ast.CallExpr); ok && c.Fun.Pos() <= id.Pos() && id.End() == c.Fun.End() {
			call = c
		}
	}
	if call == nil {
		return true // it is a value
	}
	if !p.ownType(u, call.Args[0]) {
		return false
	}
	q := p.in(u)
	assign, ok := innermost(stackOf(u.file, call)).(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 1 {
		return true
	}
	v := q.local(assign.Lhs[0])
	return v == nil || slices.ContainsFunc(q.mentions(u, v), func(m mention) bool {
		switch n := m.parent().(type) {
		case *ast.SelectorExpr:
			return false
		case *ast.CallExpr:
			return !q.takesWriter(n, m.id)
		}
		return true
	})
}

// ownType reports whether an expression is of a type of the program, or may lead to one: it is an interface, or a type of a library that
// may write to one, as gzip.Writer does, and the program makes interfaces of a type of its own that writes.
func (p *Program) ownType(u *unit, e ast.Expr) bool {
	t := u.typeOf(e)
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		t = pointer.Elem()
	}
	switch named := namedOf(t); {
	case named != nil && !types.IsInterface(named) && p.unitOf(named.Obj().Pos()) != nil:
		return true
	case lastWriters[types.TypeString(t, nil)]:
		return false
	}
	return slices.ContainsFunc(p.boxedTypes, func(t types.Type) bool {
		named := namedOf(t)
		return types.Implements(t, writerInterface) && named != nil && p.unitOf(named.Obj().Pos()) != nil
	})
}

// lastWriters write to nothing that is given to them.
var lastWriters = map[string]bool{"bytes.Buffer": true, "os.File": true, "strings.Builder": true}

// writerInterface is io.Writer.
var writerInterface = func() *types.Interface {
	v := func(t types.Type) *types.Var { return types.NewVar(token.NoPos, nil, "", t) }
	bytes := types.NewTuple(v(types.NewSlice(types.Typ[types.Byte])))
	results := types.NewTuple(v(types.Typ[types.Int]), v(types.Universe.Lookup("error").Type()))
	return types.NewInterfaceType([]*types.Func{types.NewFunc(token.NoPos, nil, "Write", types.NewSignatureType(nil, nil, nil, bytes, results, false))}, nil).Complete()
}()
