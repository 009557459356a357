package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// reusedInLoop is about a buffer or slice that each iteration of a loop makes and fills anew, and that does not leave the
// iteration: one before the loop would do.
func (p *Line) reusedInLoop() (f Finding) {
	v, share := p.filledHere()
	if v == nil || share == 0 {
		return f
	}
	decl, loop := p.declaredInLoop(v)
	if decl == nil || p.jumps(v.Pos()) || !p.onlyName(v) {
		return f
	}
	typ, again := p.emptied(v, decl)
	if typ == nil || isBytesBuffer(v.Type()) && p.variableConcatenated(v) || p.hasComment(decl) || p.renamesAt(loop.Pos(), typ) || slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool { return !p.staysInIteration(m, v, decl) }) {
		return f
	}
	f = Finding{Share: share, Evidence: []Evidence{
		p.at(v.Pos(), v.Name()+" is allocated in each iteration, and nothing refers to its memory when the iteration ends"),
		p.at(loop.Pos(), "all iterations of this loop can use the same memory"),
	}}
	if first, ok := p.insert(loop, fmt.Sprintf("var %s %s", v.Name(), p.text(typ))); ok {
		f.Edits = []Edit{first, p.edit(decl.Pos(), decl.End(), again)}
		f.What = "reuse " + withKind(v) + " across iterations"
	}
	return f
}

// filledHere is the local buffer or slice that the line makes longer, and the share of its bytes that this takes.
func (p *Line) filledHere() (*types.Var, float64) {
	for _, c := range p.called() {
		sel, ok := ast.Unparen(c.call.Fun).(*ast.SelectorExpr)
		if !ok || !addsToBuffer[c.name] {
			continue
		}
		if v := p.local(sel.X); v != nil && isBytesBuffer(v.Type()) {
			return v, p.below(c.fn)
		}
	}
	return p.sliceHere(), p.direct()
}

func isBytesBuffer(t types.Type) bool { return types.TypeString(t, nil) == "bytes.Buffer" }

// addsToBuffer are the methods of a buffer that add to it; readsBuffer are the others that keep and return none of its memory.
var (
	addsToBuffer = map[string]bool{"(*bytes.Buffer).Write": true, "(*bytes.Buffer).WriteString": true, "(*bytes.Buffer).WriteByte": true, "(*bytes.Buffer).WriteRune": true}
	readsBuffer  = map[string]bool{"(*bytes.Buffer).String": true, "(*bytes.Buffer).Len": true, "(*bytes.Buffer).Reset": true, "(*bytes.Buffer).Truncate": true}
)

// declaredInLoop is the statement that declares a variable alone, in a list of statements in the body of a loop of its
// function, and that loop; nil if there is none.
func (p *Line) declaredInLoop(v *types.Var) (decl ast.Stmt, loop ast.Node) {
	top := p.top(p.unit, v.Pos())
	if top == nil { // of a function literal that is a variable of the package
		return nil, nil
	}
	ast.Inspect(top.node, func(n ast.Node) bool {
		if id, _, s := p.declaring(spot{node: n}); id != nil && id.Pos() == v.Pos() {
			decl = s.(ast.Stmt)
		}
		return true
	})
	if decl == nil {
		return nil, nil
	}
	stack := stackOf(p.file, decl)
	if !hasStatement(innermost(stack), decl) {
		return nil, nil
	}
	for _, n := range slices.Backward(stack) {
		if _, literal := n.(*ast.FuncLit); literal {
			break
		}
		if r, ok := n.(*ast.RangeStmt); ok {
			if _, iterator := p.typeOf(r.X).Underlying().(*types.Signature); iterator {
				break
			}
		}
		if loopBody(n) != nil {
			return decl, n
		}
	}
	return nil, nil
}

// onlyName reports whether nothing else in the declared function has the name of a variable, but for fields and methods.
func (p *Line) onlyName(v *types.Var) bool {
	only := true
	ast.Inspect(p.top(p.unit, v.Pos()).node, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || id.Name != v.Name() {
			return only
		}
		object := p.pkg.TypesInfo.ObjectOf(id)
		other, _ := object.(*types.Var)
		_, method := object.(*types.Func)
		only = only && (object == types.Object(v) || method || other != nil && other.IsField())
		return only
	})
	return only
}

// emptied is the type of a buffer or slice that a statement declares without elements, as it stands there, and the statement
// that empties one.
func (p *Line) emptied(v *types.Var, decl ast.Stmt) (typ ast.Expr, again string) {
	_, value, _ := p.declaring(spot{node: decl})
	if s, ok := decl.(*ast.DeclStmt); ok {
		typ = s.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Type
	}
	if value != nil {
		made := p.madeEmpty(value)
		if typ != nil || made == nil {
			return nil, ""
		}
		typ = made
	}
	s, isSlice := v.Type().Underlying().(*types.Slice)
	switch {
	case isBytesBuffer(v.Type()):
		return typ, v.Name() + ".Reset()"
	case isSlice && !composedOf(s.Elem(), keepsObjects):
		return typ, fmt.Sprintf("%s = %[1]s[:0]", v.Name())
	}
	return nil, ""
}

// keepsObjects reports whether a value of a type, behind the end of a slice, keeps an object from being collected: strings
// do not count, which have nothing below them.
func keepsObjects(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Struct, *types.Array:
		return false
	}
	return true
}

// madeEmpty is the type of what an expression makes without elements; nil if it may make some, or computes its size.
func (p *Line) madeEmpty(e ast.Expr) ast.Expr {
	if lit, ok := ast.Unparen(e).(*ast.CompositeLit); ok && len(lit.Elts) == 0 {
		return lit.Type
	}
	call := p.builtin(ast.Unparen(e), "make")
	if call == nil || len(call.Args) != 3 || !p.isZero(call.Args[1]) || !p.size(call.Args[2]) {
		return nil
	}
	return call.Args[0]
}

// staysInIteration reports whether a mention of a buffer or slice lets none of its memory out, and does not tell its capacity.
func (p *Line) staysInIteration(m mention, v *types.Var, decl ast.Stmt) bool {
	if p.captured(m, v) || slices.ContainsFunc(m.stack, func(n ast.Node) bool { return runsLater(n) && decl.Pos() < n.Pos() }) {
		return false
	}
	if isBytesBuffer(v.Type()) {
		return p.usesOwnBuffer(m)
	}
	switch parent := m.parent().(type) {
	case *ast.AssignStmt:
		value, ok := m.assigned()
		call := p.builtin(value, "append")
		return ok && call != nil && p.local(call.Args[0]) == v && len(parent.Lhs) == 1 && parent.Tok == token.ASSIGN
	case *ast.CallExpr:
		return p.takesSlice(m, parent, v)
	case *ast.RangeStmt:
		return ast.Unparen(parent.X) == m.id
	case *ast.IndexExpr:
		return ast.Unparen(parent.X) == m.id && p.readsElement(m.stack[:slices.Index(m.stack, ast.Node(parent))], parent)
	}
	return false
}

// takesSlice reports whether a call reads a slice, copies it, or appends to it for the variable itself.
func (p *Line) takesSlice(m mention, call *ast.CallExpr, v *types.Var) bool {
	if p.pkg.TypesInfo.Types[call.Fun].IsType() {
		return p.copiesText(call)
	}
	switch {
	case p.builtin(call, "len") != nil:
		return true
	case p.builtin(call, "copy") != nil:
		return ast.Unparen(call.Args[1]) == m.id && ast.Unparen(call.Args[0]) != m.id
	case p.builtin(call, "append") != nil:
		if ast.Unparen(call.Args[0]) != m.id {
			return call.Ellipsis.IsValid() // its elements are copied
		}
		i := slices.Index(m.stack, ast.Node(call))
		assign, ok := innermost(m.stack[:i]).(*ast.AssignStmt)
		return ok && assign.Tok == token.ASSIGN && len(assign.Lhs) == 1 && p.local(assign.Lhs[0]) == v
	}
	fn := p.callee(call)
	return fn != nil && (fn.FullName() == "strings.Join" || fn.FullName() == "slices.Sort" || fn.FullName() == "slices.Contains" || fn.FullName() == "slices.Index")
}

// usesOwnBuffer reports whether a mention of a buffer calls a method that keeps and returns none of its memory, or has
// package fmt write to it.
func (p *Line) usesOwnBuffer(m mention) bool {
	switch parent := m.parent().(type) {
	case *ast.SelectorExpr:
		call, ok := innermost(m.stack[:slices.Index(m.stack, ast.Node(parent))]).(*ast.CallExpr)
		if !ok || ast.Unparen(call.Fun) != parent {
			return false
		}
		fn := p.callee(call)
		return fn != nil && (addsToBuffer[fn.FullName()] || readsBuffer[fn.FullName()])
	case *ast.UnaryExpr:
		call, ok := innermost(m.stack[:slices.Index(m.stack, ast.Node(parent))]).(*ast.CallExpr)
		if !ok || parent.Op != token.AND || len(call.Args) == 0 || ast.Unparen(call.Args[0]) != parent {
			return false
		}
		fn := p.callee(call)
		return fn != nil && (fn.FullName() == "fmt.Fprint" || fn.FullName() == "fmt.Fprintf" || fn.FullName() == "fmt.Fprintln" || fn.FullName() == "io.WriteString")
	}
	return false
}
