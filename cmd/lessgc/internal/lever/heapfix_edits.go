package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A typedHeap is a heap whose elements are pushed or popped, or both, by methods that take and return them as they are.
type typedHeap struct {
	p             *Line
	push, pop     *typedMethod // nil if Push or Pop does something else, or nothing calls heap.Push or heap.Pop
	pushes, pops  []heapCall
	returns       token.Pos // the last statement of Pop
	element, name string    // the type of the elements, and of the heap
}

// A typedMethod is a new method, declared behind the one whose statements it has.
type typedMethod struct {
	p      *Line // of the method that is there
	name   string
	behind token.Pos
	text   string
}

// A heapCall is a call of heap.Push or heap.Pop that a method replaces.
type heapCall struct {
	p    *Line
	call *ast.CallExpr
	node ast.Node // of Pop: with the type assertion
	heap string   // the receiver, as it is written
}

// typedHeapOf returns the methods of a heap of the package; nil if neither can be written.
func (p *Line) typedHeapOf(named *types.Named) *typedHeap {
	if named.Obj().Pkg() != p.pkg.Types || named.Obj().Parent() != p.pkg.Types.Scope() || p.builtElsewhere(named.Obj()) {
		return nil
	}
	s, ok := p.sliceOf(named)
	if !ok || s.elem(named) == nil || !needsBox(s.elem(named)) {
		return nil
	}
	x := &typedHeap{p: p, name: named.Obj().Name()}
	pushName, popName := p.heapNames(named)
	if pushName == "" {
		return nil
	}
	push, list := p.heapMethod(named, "Push"), []ast.Stmt(nil)
	if push == nil {
		return nil
	}
	if x.element, list = push.pushed(s); x.element == "" {
		return nil
	}
	p.heapCalls(named, s, x)
	if len(x.pushes) > 0 && list != nil {
		x.push = push.typedPush(pushName, x.element, list)
	}
	if pop := p.heapMethod(named, "Pop"); pop != nil && len(x.pops) > 0 && p.elementwise(named, "Less", s) && p.elementwise(named, "Swap", s) {
		x.pop = pop.typedPop(popName, x.element, push, s)
		x.returns = pop.lastStatement()
	}
	if x.push == nil && x.pop == nil {
		return nil
	}
	return x
}

// heapMethod is a line of a method of a heap that is declared for it, with a pointer as its receiver; nil if there is none.
func (p *Line) heapMethod(named *types.Named, name string) *Line {
	object, path, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, named.Obj().Pkg(), name)
	fn, ok := object.(*types.Func)
	if !ok || p.heapMethodBody(fn, path) == nil {
		return nil
	}
	if _, pointer := fn.Signature().Recv().Type().(*types.Pointer); !pointer {
		return nil
	}
	known := p.declared(fn)
	return &Line{p.Program, known.unit, p.site, known, nil}
}

// receiverOf is the name of a method's receiver, which the method does not set, and its type with parameters, as they are written.
func (p *Line) receiverOf() (name, typ string) {
	recv := p.fn.node.(*ast.FuncDecl).Recv.List[0]
	if len(recv.Names) != 1 || recv.Names[0].Name == "_" {
		return "", ""
	}
	if v := p.local(recv.Names[0]); v == nil || !p.neverSetAgain(v) {
		return "", ""
	}
	return recv.Names[0].Name, p.oneLine(recv.Type)
}

// lastStatement is where the last statement of a method begins.
func (p *Line) lastStatement() token.Pos { return p.fn.body.List[len(p.fn.body.List)-1].Pos() }

// mostHeapStatements is the number of statements of a method Push or Pop that a typed one has, too.
const mostHeapStatements = 6

// pushed returns the type of the elements, as a method Push asserts it, and the statements of the method if they are plain ones, in which
// its parameter is nothing but asserted.
func (p *Line) pushed(s heapSlice) (element string, list []ast.Stmt) {
	decl := p.fn.node.(*ast.FuncDecl)
	params := decl.Type.Params.List
	if len(params) != 1 || len(params[0].Names) != 1 || decl.Type.Results != nil || len(p.fn.body.List) > mostHeapStatements {
		return "", nil
	}
	v := p.local(params[0].Names[0])
	elem := s.elem(namedOf(p.pkg.TypesInfo.Defs[decl.Name].(*types.Func).Signature().Recv().Type()))
	if v == nil || elem == nil {
		return "", nil
	}
	for _, m := range p.mentions(p.unit, v) {
		assert, ok := m.parent().(*ast.TypeAssertExpr)
		if !ok || assert.Type == nil || !types.Identical(p.typeOf(assert), elem) || below(assert.Type, p.declaredInside) {
			return "", nil
		}
		element = p.oneLine(assert.Type)
	}
	for _, stmt := range p.fn.body.List {
		switch stmt.(type) {
		case *ast.AssignStmt, *ast.IncDecStmt:
			if !below(stmt, p.runsCode) {
				continue
			}
		}
		return element, nil
	}
	return element, p.fn.body.List
}

// declaredInside reports whether a node is a name that the function itself declares.
func (p *Line) declaredInside(n ast.Node) bool {
	id, ok := n.(*ast.Ident)
	if !ok || p.object(id) == nil {
		return false
	}
	pos := p.object(id).Pos()
	return p.fn.body.Pos() <= pos && pos < p.fn.body.End()
}

// runsCode reports whether a node calls a function, waits, or is one.
func (p *Line) runsCode(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		return true
	case *ast.UnaryExpr:
		return n.Op == token.ARROW
	case *ast.CallExpr:
		return !p.pkg.TypesInfo.Types[n.Fun].IsType() && !slices.ContainsFunc([]string{"append", "len", "cap", "min", "max"}, func(name string) bool { return p.builtin(n, name) != nil })
	}
	return false
}

// typedPush writes the method that pushes an element: what Push does, and heap.Fix.
func (p *Line) typedPush(name, element string, list []ast.Stmt) *typedMethod {
	decl := p.fn.node.(*ast.FuncDecl)
	param := decl.Type.Params.List[0].Names[0]
	heap, _, ok := p.importing("container/heap")
	recv, typ := p.receiverOf()
	if !ok || recv == "" || typ == "" || param.Name == "_" {
		return nil
	}
	lines := p.statementsAs(list, func(n ast.Node) (text string, ok bool) {
		assert, ok := n.(*ast.TypeAssertExpr)
		return param.Name, ok && p.local(assert.X) == p.local(param)
	})
	if lines == "" {
		return nil
	}
	return p.typed(name, "does what heap.Push does, without allocating an interface for "+param.Name+".", fmt.Sprintf("func (%s %s) %s(%s %s) {\n%s\t%s.Fix(%s, %s.Len()-1)\n}",
		recv, typ, name, param.Name, element, lines, heap, recv, recv))
}

// typedPop writes the method that pops an element: Swap, what Pop does, and heap.Fix. It is nil if Pop does more than take the last element off.
func (p *Line) typedPop(name, element string, push *Line, s heapSlice) *typedMethod {
	decl := p.fn.node.(*ast.FuncDecl)
	list := p.fn.body.List
	heap, _, ok := p.importing("container/heap")
	recv, typ := p.receiverOf()
	if _, same := push.receiverOf(); !ok || recv == "" || typ != same || typ == "" || push.file != p.file || len(list) > mostHeapStatements || !s.cutsLast(p.heapBody()) {
		return nil
	}
	if results := decl.Type.Results.List; len(results) != 1 || len(results[0].Names) > 0 {
		return nil
	}
	ret, ok := list[len(list)-1].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return nil
	}
	elem := s.elem(namedOf(p.pkg.TypesInfo.Defs[decl.Name].(*types.Func).Signature().Recv().Type()))
	if v := p.local(ret.Results[0]); v == nil || !types.Identical(v.Type(), elem) {
		return nil
	}
	lines := p.statementsAs(list[:len(list)-1], func(ast.Node) (string, bool) { return "", false })
	if lines == "" {
		return nil
	}
	return p.typed(name, "does what heap.Pop does, without allocating an interface for the element.", fmt.Sprintf("func (%s %s) %s() %s {\n\t%s.Swap(0, %s.Len()-1)\n%s\t%s.Fix(%s, 0)\n\t%s\n}",
		recv, typ, name, element, recv, recv, lines, heap, recv, p.text(ret)))
}

// typed declares a method, with a comment that begins with its name, behind the one of a line; nil if there is no place.
func (p *Line) typed(name, doc, text string) *typedMethod {
	behind, ok := p.endOfLine(p.fn.node.End())
	if !ok {
		if behind = p.fn.node.End(); p.fset.Position(behind).Line < p.fset.File(behind).LineCount() {
			return nil
		}
	}
	return &typedMethod{p, name, behind, documented(name+" "+doc, text)}
}

// heapBody is the method of a line, of a generic type as it is for all.
func (p *Line) heapBody() *ssa.Function {
	body := p.fns[p.fn.node]
	if body.Origin() != nil {
		body = body.Origin()
	}
	return body
}

// statementsAs returns statements, each on lines of its own and with the comment behind it, in which some nodes have another text; "" if they
// cannot be read.
func (p *Line) statementsAs(list []ast.Stmt, instead func(ast.Node) (string, bool)) (lines string) {
	for i, stmt := range list {
		text, at := "", stmt.Pos()
		ast.Inspect(stmt, func(n ast.Node) bool {
			if n == nil {
				return false
			}
			if other, ok := instead(n); ok {
				text += p.textBetween(at, n.Pos()) + other
				at = n.End()
				return false
			}
			return true
		})
		text += p.textBetween(at, stmt.End())
		if end, ok := p.endOfLine(stmt.End()); ok && (i+1 == len(list) || list[i+1].Pos() > end) {
			text += strings.TrimRight(p.textBetween(stmt.End(), end), " \t")
		}
		lines += "\t" + text + "\n"
	}
	return lines
}

// heapNames are names for the two methods that neither the heap, nor what embeds it, nor an interface of the package has.
func (p *Line) heapNames(named *types.Named) (push, pop string) {
	dir := filepath.Dir(p.fset.Position(named.Obj().Pos()).Filename)
	others, tests := p.otherNamesIn(dir), p.testNamesIn(dir)
	embedded, interfaces := p.embeddings(named)
	taken := func(name string) bool {
		object, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, named.Obj().Pkg(), name)
		return object != nil || others[name] || tests["func "+name] || tests["."+name] || interfaces[name] || embedded && p.named(name)
	}
	for _, names := range [][2]string{{"push", "pop"}, {"pushItem", "popItem"}, {"pushValue", "popValue"}} {
		if !taken(names[0]) && !taken(names[1]) {
			return names[0], names[1]
		}
	}
	return "", ""
}

// embeddings reports whether a struct or interface of the package embeds a type, and returns the names of methods of all interfaces there.
func (p *Line) embeddings(named *types.Named) (embedded bool, methods map[string]bool) {
	methods = map[string]bool{}
	for _, file := range p.pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			var fields *ast.FieldList
			switch n := n.(type) {
			case *ast.StructType:
				fields = n.Fields
			case *ast.InterfaceType:
				fields = n.Methods
			default:
				return true
			}
			for _, field := range fields.List {
				if of := namedOf(p.typeOf(field.Type)); len(field.Names) == 0 && of != nil && of.Origin() == named {
					embedded = true
				}
				if _, method := n.(*ast.InterfaceType); method {
					for _, name := range field.Names {
						methods[name.Name] = true
					}
				}
			}
			return true
		})
	}
	return embedded, methods
}

// heapCalls finds the calls of heap.Push and heap.Pop for a heap that methods can replace, in the package without its tests.
func (p *Line) heapCalls(named *types.Named, s heapSlice, x *typedHeap) {
	for _, file := range p.pkg.Syntax {
		u := p.unitOf(file.Pos())
		if u == nil || u.file != file || p.generated(u) || p.inTest(file.Pos()) {
			continue
		}
		ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			fn := u.callee(call)
			if _, selected := call.Fun.(*ast.SelectorExpr); !selected || fn == nil || fn.Pkg() == nil || fn.FullName() != heapPush && fn.FullName() != heapPop {
				return true
			}
			top := p.top(u, call.Pos())
			if of := heapTypeOf(u.typeOf(call.Args[0])); of != named || top == nil {
				return true
			}
			elem := s.elem(types.Unalias(types.Unalias(u.typeOf(call.Args[0])).(*types.Pointer).Elem()).(*types.Named))
			c := heapCall{p: &Line{p.Program, u, p.site, top, nil}, call: call}
			if fn.FullName() == heapPop {
				c.heap = c.receiver(nil)
				if c.node = c.p.popped(call, stack, elem); c.node != nil && c.heap != "" && !u.hasComment(c.node) {
					x.pops = append(x.pops, c)
				}
				return true
			}
			if len(call.Args) != 2 || !types.Identical(u.typeOf(call.Args[1]), elem) {
				return true
			}
			c.heap = c.receiver(call.Args[1])
			_, alone := innermost(stack).(*ast.ExprStmt)
			if alone && c.heap != "" && !c.p.commentedBetween(call.Pos(), call.Args[1].Pos()) && !c.p.commentedBetween(call.Args[1].End(), call.End()) {
				x.pushes = append(x.pushes, c)
			}
			return true
		})
	}
}

// receiver is the heap of a call as the receiver of a method; "" if that is not written on a line, or the value that is pushed
// may make it another one.
func (c heapCall) receiver(value ast.Expr) string {
	e := ast.Unparen(c.call.Args[0])
	if value != nil && below(value, c.p.runsCode) && !c.steady(e) {
		return ""
	}
	if address, ok := e.(*ast.UnaryExpr); ok && address.Op == token.AND {
		if e = ast.Unparen(address.X); !c.addressable(e) {
			return ""
		}
	}
	return c.p.operand(e)
}

// addressable reports whether the address of an expression may be taken by calling a method of it.
func (c heapCall) addressable(e ast.Expr) bool {
	_, literal := e.(*ast.CompositeLit)
	return !literal
}

// steady reports whether a pointer to a heap is the same whatever other code runs: it is the address of a variable, or of a field
// of one, or a variable that is set once.
func (c heapCall) steady(e ast.Expr) bool {
	address, ok := e.(*ast.UnaryExpr)
	if !ok || address.Op != token.AND {
		return c.unchanged(e)
	}
	for e = ast.Unparen(address.X); ; {
		sel, ok := e.(*ast.SelectorExpr)
		if !ok {
			_, variable := c.p.object(e).(*types.Var)
			return variable
		}
		selection := c.p.pkg.TypesInfo.Selections[sel]
		if selection == nil {
			return true // of another package
		}
		if e = ast.Unparen(sel.X); selection.Indirect() {
			return c.unchanged(e)
		}
	}
}

// unchanged reports whether an expression is a variable that is set once, a pointer.
func (c heapCall) unchanged(e ast.Expr) bool {
	v := c.p.local(e)
	if v == nil || !c.p.neverSetAgain(v) {
		return false
	}
	_, pointer := v.Type().Underlying().(*types.Pointer)
	return pointer && !slices.ContainsFunc(c.p.mentions(c.p.unit, v), func(m mention) bool {
		address, ok := m.parent().(*ast.UnaryExpr)
		return ok && address.Op == token.AND
	})
}

// edits are the change: the new methods, and all calls that they replace.
func (x *typedHeap) edits() (edits []Edit) {
	texts := map[*unit]map[ast.Node]string{}
	lines := map[*unit]*Line{}
	var order []*unit
	replaced := func(c heapCall, n ast.Node, text string) {
		if texts[c.p.unit] == nil {
			texts[c.p.unit], lines[c.p.unit] = map[ast.Node]string{}, c.p
			order = append(order, c.p.unit)
		}
		texts[c.p.unit][n] = text
	}
	if x.push != nil {
		for _, c := range x.pushes {
			value := c.call.Args[1]
			edits = append(edits, c.p.edit(c.call.Pos(), value.Pos(), c.heap+"."+x.push.name+"("), c.p.edit(value.End(), c.call.Rparen, ""))
			replaced(c, c.call.Fun, c.heap)
		}
	}
	if x.pop != nil {
		for _, c := range x.pops {
			edits = append(edits, c.p.edit(c.node.Pos(), c.node.End(), c.heap+"."+x.pop.name+"()"))
			replaced(c, c.node, c.heap)
		}
	}
	declared := map[*unit]bool{}
	for _, m := range []*typedMethod{x.push, x.pop} {
		if m == nil {
			continue
		}
		_, imports, _ := m.p.importing("container/heap")
		if !declared[m.p.unit] {
			edits = append(edits, imports...)
		}
		declared[m.p.unit] = true
		edits = append(edits, m.p.edit(m.behind, m.behind, "\n\n"+m.text))
	}
	for _, u := range order {
		if !declared[u] {
			edits = append(edits, lines[u].unimport(texts[u], nil)...)
		}
	}
	slices.SortStableFunc(edits, byPlace)
	return edits
}
