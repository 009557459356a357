package lever

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

var constantTable = &Lever{
	Name:    "constant-table",
	Title:   "make the table once, in a variable of the package",
	Subject: "make the constant table once",
	Looks:   "a literal of a map or slice that a function makes in each call of constants and functions only, and only looks things up in, or goes over.",
	Wrong:   "when the function is called once.",
	Before: `func weight(name string) int {
	weights := map[string]int{"thin": 100, "normal": 400, "bold": 700}
	return weights[name]
}`,
	After: `var weights = map[string]int{"thin": 100, "normal": 400, "bold": 700}

func weight(name string) int {
	return weights[name]
}`,
	Model: "The table goes whole, and so does filling it, which for a map costs more than its memory: a hash for each key.",
	Risk:  NoRisk,
	Saves: Saves{Alloc: Range{0.9, 1}, Collect: Range{0.9, 1}, Work: Range{0.9, 1}},
	Rewrite: "The literal is made of constants and functions of other packages, by names that mean the same outside of the function, and its elements have no memory that may be written to. " +
		"All that is done with it is to take elements or its length, to go over it, and to give it to functions of the standard library that read it: no element is set, nothing keeps the table, and several goroutines may read it. " +
		"No code runs before the variable has its value: no method that an initializer of the package may call by an interface leads to the function. No file of the package has the name.",
	find: findConstantTable,
}

func findConstantTable(p *Line) (f Finding) {
	if p.direct() == 0 {
		return f
	}
	for _, s := range p.spots() {
		lit, stack := p.tableAround(s)
		if lit == nil || p.once() || !p.sameEachTime(lit) || p.othersThan(lit) {
			continue
		}
		where := spot{lit, stack}
		if !p.looksUp(where, lit) {
			continue
		}
		f = Finding{Share: p.direct(), Edits: p.outside(where, lit), Evidence: []Evidence{
			p.at(lit.Pos(), fmt.Sprintf("a %s of %d constant elements is made for each call and only read, so one in a package-level variable serves all calls", short(p.typeOf(lit)), len(lit.Elts))),
		}}
		if _, ok := p.typeOf(lit).Underlying().(*types.Map); ok {
			f.Calls = setters
		}
		return f
	}
	return f
}

// setters are the functions of the runtime that set an element of a map.
var setters = []string{"runtime.mapassign", "runtime.mapassign_faststr", "runtime.mapassign_fast32", "runtime.mapassign_fast64"}

// tableAround is the outermost literal of a map or slice that a node is part of.
func (p *Line) tableAround(s spot) (*ast.CompositeLit, []ast.Node) {
	for i, n := range append(slices.Clone(s.stack), s.node) {
		lit, ok := n.(*ast.CompositeLit)
		if !ok || lit.Pos() < p.fn.body.Pos() {
			continue
		}
		switch p.typeOf(lit).Underlying().(type) {
		case *types.Map, *types.Slice:
			return lit, s.stack[:i]
		}
		return nil, nil
	}
	return nil, nil
}

// once reports whether the function at hand runs once in a program.
func (p *Line) once() bool {
	decl, ok := p.fn.node.(*ast.FuncDecl)
	return ok && decl.Recv == nil && (decl.Name.Name == "init" || decl.Name.Name == "main")
}

// sameEachTime reports whether a literal is made of constants, functions, and literals of these.
func (p *Line) sameEachTime(lit *ast.CompositeLit) bool {
	ok := len(lit.Elts) > 0
	for _, e := range lit.Elts {
		if pair, is := e.(*ast.KeyValueExpr); is {
			ok = ok && (p.constantPart(pair.Key) || p.isFieldName(lit, pair.Key))
			e = pair.Value
		}
		ok = ok && p.constantPart(e)
	}
	return ok
}

func (p *Line) isFieldName(lit *ast.CompositeLit, key ast.Expr) bool {
	_, ok := p.typeOf(lit).Underlying().(*types.Struct)
	return ok
}

func (p *Line) constantPart(e ast.Expr) bool {
	if p.constant(e) || p.isNil(e) {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		switch p.typeOf(e).Underlying().(type) {
		case *types.Struct, *types.Array:
			return len(e.Elts) == 0 || p.sameEachTime(e)
		case *types.Slice:
			return p.sameEachTime(e)
		}
	case *ast.Ident:
		f, ok := p.object(e).(*types.Func)
		return ok && f.Pkg() != nil
	case *ast.SelectorExpr:
		if id, ok := e.X.(*ast.Ident); ok {
			_, isPackage := p.object(id).(*types.PkgName)
			_, isFunc := p.pkg.TypesInfo.ObjectOf(e.Sel).(*types.Func)
			return isPackage && isFunc
		}
	}
	return false
}

// othersThan reports whether the line allocates, by itself, something besides a literal.
func (p *Line) othersThan(lit *ast.CompositeLit) bool {
	return slices.ContainsFunc(p.spots(), func(s spot) bool {
		if lit.Pos() <= s.node.Pos() && s.node.End() <= lit.End() {
			return false
		}
		switch n := s.node.(type) {
		case *ast.CallExpr:
			return p.builtin(n, "make") != nil || p.builtin(n, "new") != nil || p.builtin(n, "append") != nil || p.copiesText(n)
		case *ast.BinaryExpr:
			return n.Op == token.ADD && isString(p.typeOf(n)) && !p.constant(n)
		case *ast.CompositeLit:
			return p.allocates(s)
		case *ast.FuncLit:
			return p.onSite(n.Pos())
		}
		return false
	})
}

// looksUp reports whether a literal is only looked at: right where it stands, or by way of the local variable
// that it is the only value of.
func (p *Line) looksUp(s spot, lit *ast.CompositeLit) bool {
	_, isMap := p.typeOf(lit).Underlying().(*types.Map)
	if index, ok := s.parent().(*ast.IndexExpr); ok && ast.Unparen(index.X) == lit {
		return p.plainElements(lit)
	}
	if loop, ok := s.parent().(*ast.RangeStmt); ok && ast.Unparen(loop.X) == lit {
		return p.plainElements(lit)
	}
	v := p.result(s)
	if v == nil || !p.plainElements(lit) {
		return false
	}
	if d, ok := p.define(p.unit, v); !ok || ast.Unparen(d.value) != lit {
		return false
	}
	return !slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool { return !p.onlyRead(m, isMap) })
}

// plainElements reports whether nobody who has an element can change the table by it.
func (p *Line) plainElements(lit *ast.CompositeLit) bool {
	var elem types.Type
	switch t := p.typeOf(lit).Underlying().(type) {
	case *types.Map:
		elem = t.Elem()
	case *types.Slice:
		elem = t.Elem()
	}
	return elem != nil && unchangeable(elem, 0)
}

// unchangeable reports whether values of a type have no memory that may be written to.
func unchangeable(t types.Type, depth int) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic, *types.Signature:
		return true
	case *types.Struct:
		for f := range u.Fields() {
			if depth > 4 || !unchangeable(f.Type(), depth+1) {
				return false
			}
		}
		return true
	case *types.Array:
		return unchangeable(u.Elem(), depth+1)
	}
	return false
}

// onlyRead reports whether a mention of a map or slice takes an element, its length, or goes over it.
func (p *Line) onlyRead(m mention, isMap bool) bool {
	switch parent := m.parent().(type) {
	case *ast.IndexExpr:
		if ast.Unparen(parent.X) != m.id {
			return false
		}
		return p.readsElement(m.stack[:slices.Index(m.stack, ast.Node(parent))], parent)
	case *ast.RangeStmt:
		return ast.Unparen(parent.X) == m.id
	case *ast.CallExpr:
		if p.builtin(parent, "len") != nil {
			return true
		}
		callee := p.callee(parent)
		return callee != nil && !isMap && (callee.FullName() == "slices.Contains" || callee.FullName() == "slices.Index" || callee.FullName() == "strings.Join")
	}
	return false
}

// readsElement reports whether an element, or a field of it, is neither set nor has its address taken.
func (p *Line) readsElement(stack []ast.Node, e ast.Expr) bool {
	for {
		switch parent := innermost(stack).(type) {
		case *ast.SelectorExpr:
			if v, ok := p.pkg.TypesInfo.ObjectOf(parent.Sel).(*types.Var); !ok || !v.IsField() {
				return false // a method, perhaps with its address
			}
			e = parent
			stack = stack[:slices.Index(stack, ast.Node(parent))]
			continue
		case *ast.IndexExpr:
			if ast.Unparen(parent.X) == e {
				e, stack = parent, stack[:slices.Index(stack, ast.Node(parent))]
				continue
			}
		case *ast.RangeStmt:
			return parent.Key != e && parent.Value != e
		case *ast.IncDecStmt:
			return false
		case *ast.UnaryExpr:
			return parent.Op != token.AND
		case *ast.SliceExpr:
			return false
		case *ast.AssignStmt:
			return !slices.ContainsFunc(parent.Lhs, func(x ast.Expr) bool { return ast.Unparen(x) == e })
		case *ast.CallExpr:
			return p.builtin(parent, "delete") == nil
		}
		return true
	}
}

// outside are the edits that put a literal into a variable of the package, before the function.
func (p *Line) outside(s spot, lit *ast.CompositeLit) []Edit {
	fn := p.top(p.unit, lit.Pos())
	if fn == nil || !p.global(lit) {
		return nil
	}
	decl := fn.node.(*ast.FuncDecl)
	of := "table"
	if v := p.result(s); v != nil {
		of = v.Name()
	}
	name := p.variableFor(decl, of)
	text, ok := declared("var " + name + " = " + p.text(lit))
	if !p.free(name) || !p.initialized(decl) || !ok {
		return nil
	}
	pos := decl.Pos()
	if decl.Doc != nil {
		pos = decl.Doc.Pos()
	}
	return []Edit{p.edit(pos, pos, text+"\n\n"), p.edit(lit.Pos(), lit.End(), name)}
}

// variableFor is a name of a variable of the package for something in a function or method.
func (p *Line) variableFor(decl *ast.FuncDecl, of string) string {
	name := ""
	if method, ok := p.pkg.TypesInfo.Defs[decl.Name].(*types.Func); ok && method.Signature().Recv() != nil {
		if named := namedOf(method.Signature().Recv().Type()); named != nil {
			name = named.Obj().Name()
		}
	}
	for _, part := range []string{decl.Name.Name, of} {
		r, size := utf8.DecodeRuneInString(part)
		name += string(unicode.ToUpper(r)) + part[size:]
	}
	return unexported(name)
}

// declared is a declaration as gofmt writes it; ok is false if it is none.
func declared(text string) (formatted string, ok bool) {
	const before = "package p\n\n"
	data, err := format.Source([]byte(before + text))
	return strings.TrimSuffix(strings.TrimPrefix(string(data), before), "\n"), err == nil
}

// global reports whether all names in an expression mean the same outside of the function. Functions of the
// package may use the table themselves, and it could not be initialized.
func (p *Line) global(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		if id, is := n.(*ast.Ident); is {
			o := p.pkg.TypesInfo.ObjectOf(id)
			if v, isVar := o.(*types.Var); isVar && v.IsField() {
				return true
			}
			if f, isFunc := o.(*types.Func); isFunc && f.Pkg() == p.pkg.Types {
				ok = false
			}
			if o == nil || o.Pkg() != nil && o.Pkg() == p.pkg.Types && o.Parent() != p.pkg.Types.Scope() {
				_, isPackage := o.(*types.PkgName)
				ok = ok && isPackage
			}
		}
		return ok
	})
	return ok
}
