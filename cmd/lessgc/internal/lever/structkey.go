package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

var structKey = &Lever{
	Name:  "struct-key",
	Title: "use a struct as the key of the map, not a text put together",
	Looks: "a map of the package whose keys are all put together of the same values, by + or fmt.Sprintf, for each use of it, and are never read again as text.",
	Wrong: "when two keys shall be equal though their parts are not, as a+\"b\" and \"\"+ab.",
	Before: `func (c *cache) get(host string, port int) *conn {
	return c.conns[fmt.Sprintf("%s:%d", host, port)]
}`,
	After: `type address struct { host string; port int }

func (c *cache) get(host string, port int) *conn {
	return c.conns[address{host, port}]
}`,
	Model: "The text goes whole; the struct is compared part by part, and kept in the map.",
	Risk:  NoRisk,
	Saves: Saves{Alloc: Range{0.95, 1}, Collect: Range{0.95, 1}, Work: Range{0.5, 0.9}},
	find:  findStructKey,
}

func findStructKey(p *Line) (f Finding) {
	for _, s := range p.spots() {
		e, ok := s.node.(ast.Expr)
		if !ok || p.keyShape(e) == "" {
			continue
		}
		share := 0.0
		if call, ok := e.(*ast.CallExpr); ok {
			share, f.Calls = p.below(p.callee(call)), []string{profiled(p.callee(call))}
		} else {
			share = p.alone(func(n ast.Node) bool { return e.Pos() <= n.Pos() && n.End() <= e.End() })
		}
		if share == 0 {
			continue
		}
		m := p.mapKeyed(s, e)
		if m == nil || !p.keyedAlike(m, p.keyShape(e)) {
			continue
		}
		f.Share = share
		f.Evidence = []Evidence{
			p.at(e.Pos(), fmt.Sprintf("%s is put together only to be a key of %s", types.ExprString(e), m.Name())),
			p.at(m.Pos(), "all its keys are made of the same values, and never read: a struct of these needs no memory"),
		}
		return f
	}
	return Finding{}
}

// keyShape returns the parts of which a text is put together: the constants, and the types between them; "" if it is not put together of
// two values or more.
func (p *Line) keyShape(e ast.Expr) string {
	var shape []string
	n := 0
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		if e.Op != token.ADD || !isString(p.typeOf(e)) || p.constant(e) {
			return ""
		}
		for _, operand := range flat(e) {
			if text, ok := p.stringOf(operand); ok {
				shape = append(shape, text)
			} else {
				shape = append(shape, "%"+types.TypeString(p.typeOf(operand), nil))
				n++
			}
		}
	case *ast.CallExpr:
		fn := p.callee(e)
		if fn == nil || fn.FullName() != "fmt.Sprintf" || e.Ellipsis.IsValid() || !p.constant(e.Args[0]) {
			return ""
		}
		shape = append(shape, types.ExprString(e.Args[0]))
		for _, arg := range e.Args[1:] {
			if !types.Comparable(p.typeOf(arg)) || types.IsInterface(p.typeOf(arg)) {
				return ""
			}
			if _, basic := p.typeOf(arg).Underlying().(*types.Basic); !basic {
				return ""
			}
			shape = append(shape, types.TypeString(p.typeOf(arg), nil))
			n++
		}
	}
	if n < 2 {
		return ""
	}
	return strings.Join(shape, "\x00")
}

// mapKeyed is the map of which an expression is a key, here or by way of a variable that is nothing else; nil if there is
// none.
func (p *Line) mapKeyed(s spot, e ast.Expr) *types.Var {
	if m := p.indexed(s.stack, e); m != nil {
		return m
	}
	assign, ok := s.parent().(*ast.AssignStmt)
	if !ok || assign.Tok != token.DEFINE || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 {
		return nil
	}
	v := p.local(assign.Lhs[0])
	if v == nil {
		return nil
	}
	var found *types.Var
	for _, m := range p.mentions(p.unit, v) {
		of := p.indexed(m.stack, m.id)
		if of == nil || found != nil && of != found {
			return nil
		}
		found = of
	}
	return found
}

// indexed is the variable or field of a map that the innermost node around an expression indexes by it, or deletes it of.
func (p *Line) indexed(stack []ast.Node, e ast.Expr) *types.Var {
	switch parent := innermost(stack).(type) {
	case *ast.IndexExpr:
		if ast.Unparen(parent.Index) == e {
			return p.mapVariable(parent.X)
		}
	case *ast.CallExpr:
		if p.builtin(parent, "delete") != nil && ast.Unparen(parent.Args[1]) == e {
			return p.mapVariable(parent.Args[0])
		}
	}
	return nil
}

// mapVariable is the variable or field that a map is, unless other packages may use it.
func (p *Line) mapVariable(e ast.Expr) *types.Var {
	if _, ok := p.typeOf(e).Underlying().(*types.Map); !ok {
		return nil
	}
	e = ast.Unparen(e)
	if sel, ok := e.(*ast.SelectorExpr); ok {
		e = sel.Sel
	}
	v, ok := p.object(e).(*types.Var)
	if !ok || v.Pkg() != p.pkg.Types || v.Exported() && (v.IsField() || v.Parent() == v.Pkg().Scope()) {
		return nil
	}
	if d, ok := p.define(p.unit, v); !v.IsField() && v.Parent() != v.Pkg().Scope() && (!ok || d.param) {
		return nil
	}
	return v
}

// keyedAlike reports whether all uses of a map in its package are with keys of one shape, or do not care for keys.
func (p *Line) keyedAlike(m *types.Var, shape string) bool {
	ok := true
	for _, file := range p.pkg.Syntax {
		here := &Line{p.Program, &unit{p.pkg, file}, p.site, p.fn, nil}
		ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
			id, is := n.(*ast.Ident)
			if ok && is && p.pkg.TypesInfo.Uses[id] == m {
				ok = here.usedAlike(id, stack, shape)
			}
			return ok
		})
	}
	return ok
}

// usedAlike reports whether a use of a map is with a key of a shape, or does not care for keys.
func (p *Line) usedAlike(id *ast.Ident, stack []ast.Node, shape string) bool {
	var e ast.Expr = id
	if sel, ok := innermost(stack).(*ast.SelectorExpr); ok && sel.Sel == id {
		e, stack = sel, stack[:slices.Index(stack, ast.Node(sel))]
	}
	switch parent := innermost(stack).(type) {
	case *ast.IndexExpr:
		return ast.Unparen(parent.X) == e && p.shapeOf(parent.Index) == shape
	case *ast.CallExpr:
		if p.builtin(parent, "delete") != nil {
			return p.shapeOf(parent.Args[1]) == shape
		}
		return p.builtin(parent, "len") != nil || p.builtin(parent, "clear") != nil
	case *ast.RangeStmt:
		return parent.X == e && (parent.Key == nil || types.ExprString(parent.Key) == "_")
	case *ast.AssignStmt:
		return len(parent.Lhs) == len(parent.Rhs) && slices.Contains(parent.Lhs, e) && p.makesEmpty(parent.Rhs[slices.Index(parent.Lhs, e)])
	case *ast.KeyValueExpr:
		return parent.Key == e && p.makesEmpty(parent.Value)
	case *ast.BinaryExpr:
		return true // with nil
	}
	return false
}

// makesEmpty reports whether an expression is a map without elements.
func (p *Line) makesEmpty(e ast.Expr) bool { return p.isNil(e) || p.empty(e) || p.sizedBy(e) }

// shapeOf is the keyShape of an expression, or of the only value that a variable has.
func (p *Line) shapeOf(e ast.Expr) string {
	if v := p.local(e); v != nil {
		d, ok := p.define(p.unit, v)
		if !ok || d.value == nil || slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool { _, set := m.assigned(); return set }) {
			return ""
		}
		e = d.value
	}
	return p.keyShape(e)
}
