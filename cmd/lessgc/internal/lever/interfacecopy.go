package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

var interfaceCopy = &Lever{
	Name:    "interface-copy",
	Title:   "make an interface of it once, before the loop",
	Subject: "hoist the interface conversion",
	Looks:   "a variable that is not a pointer, and that a loop gives as an interface to a call in each iteration but never changes: each time it is copied to the heap.",
	Wrong:   "when most loops end before they get to the call, or in the first iteration.",
	Before: `for _, rule := range rules {
	if rule.Match(request) { // a struct; Match takes an interface
		return rule
	}
}`,
	After: `var subject Subject = request
for _, rule := range rules {
	if rule.Match(subject) {
		return rule
	}
}`,
	Model: "One copy is left of each loop. Nobody can change what is in an interface, so that all calls may share it.",
	Risk:  NoRisk,
	Saves: Saves{Alloc: Range{0.6, 1}, Collect: Range{0.6, 1}, Work: Range{0.3, 1}},
	Rewrite: "The argument is a local variable that is declared before the loop, and no statement in it sets the variable, a field or an element of it. Nothing has its address, and no function literal changes it: it is the same in all iterations. " +
		"To make an interface of it has no effects and cannot fail, and the value in an interface is immutable, so that callees may keep it and use it from other goroutines. " +
		"The function has no goto, and the names of the interface and of the new variable mean the same all over it.",
	find: findInterfaceCopy,
}

// conversions are the functions of the runtime that copy a value for an interface.
var conversions = []string{"runtime.convT", "runtime.convTnoptr", "runtime.convT16", "runtime.convT32", "runtime.convT64", "runtime.convTstring", "runtime.convTslice"}

func findInterfaceCopy(p *Line) (f Finding) {
	sum, known := p.boxedBytes()
	direct := p.direct()
	if !known || direct == 0 {
		return f
	}
	mine := int64(0)
	for _, s := range p.spots() {
		call, ok := s.node.(*ast.CallExpr)
		if !ok || errorPath(s.stack) || p.formatsText(call) {
			continue
		}
		for i, arg := range call.Args {
			to := p.parameter(call, i)
			loop := p.sameInLoop(s, call, arg)
			if to == nil || loop == nil || !types.IsInterface(to) || isTypeParameter(to) || !p.needsMemory(arg) {
				continue
			}
			mine += p.pkg.TypesSizes.Sizeof(p.typeOf(arg))
			text := fmt.Sprintf("%s, %d bytes, is copied to the heap each time that it becomes %s", types.ExprString(arg), p.pkg.TypesSizes.Sizeof(p.typeOf(arg)), p.short(to))
			f.Evidence = append(f.Evidence, p.at(arg.Pos(), text), p.at(loop.Pos(), fmt.Sprintf("the loop does not change %s, so one conversion before it is enough", types.ExprString(arg))))
			if f.Edits == nil {
				f.Edits = p.convertBefore(loop, arg, to)
			}
		}
	}
	f.Calls = conversions
	f.Share = direct * float64(mine) / float64(max(sum, mine, 1))
	f.Sketch = len(f.Evidence) > 2 // of several, Edits has the first
	return f
}

// boxedShare is the share of the line's bytes that are values made interfaces, of those that fit.
func (p *Line) boxedShare(fits func(*ssa.MakeInterface) bool) float64 {
	sum, known := p.boxedBytes()
	direct := p.direct()
	if direct == 0 || !known {
		return 0
	}
	mine := int64(0)
	for _, in := range p.allocators() {
		if made, ok := in.(*ssa.MakeInterface); ok && fits(made) {
			mine += p.pkg.TypesSizes.Sizeof(made.X.Type())
		}
	}
	return direct * float64(mine) / float64(max(sum, 1))
}

// boxedBytes returns the bytes that the line allocates to convert values to interfaces, with the slices
// that hold these; known is false if it allocates something else, too.
func (p *Line) boxedBytes() (sum int64, known bool) {
	for _, in := range p.allocators() {
		var t types.Type
		switch in := in.(type) {
		case *ssa.MakeInterface:
			t = in.X.Type()
		case *ssa.Alloc:
			if in.Comment != "varargs" {
				return 0, false
			}
			t = in.Type().Underlying().(*types.Pointer).Elem()
		default:
			return 0, false
		}
		if hasTypeParameter(t) {
			return 0, false
		}
		sum += p.pkg.TypesSizes.Sizeof(t)
	}
	return sum, sum > 0
}

// formatsText reports whether a call formats or logs its arguments, which is the business of plain-format.
func (p *Line) formatsText(call *ast.CallExpr) bool {
	fn := p.callee(call)
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	switch fn.Pkg().Path() {
	case "fmt", "log", "log/slog", "errors", "testing":
		return true
	}
	return false
}

// parameter is the type of what a call takes as an argument: nil if it is a conversion or a builtin,
// or takes what it formats.
func (p *Line) parameter(call *ast.CallExpr, i int) types.Type {
	sig, ok := p.typeOf(call.Fun).Underlying().(*types.Signature)
	if !ok || p.pkg.TypesInfo.Types[call.Fun].IsType() || call.Ellipsis.IsValid() {
		return nil
	}
	if i < fixed(sig) {
		return sig.Params().At(i).Type()
	}
	rest, ok := sig.Params().At(sig.Params().Len() - 1).Type().(*types.Slice)
	if !ok {
		return nil
	}
	if it, is := rest.Elem().Underlying().(*types.Interface); !is || it.NumMethods() == 0 {
		return nil // any number of any values: what formats and logs
	}
	return rest.Elem()
}

// sameInLoop is the outermost loop around a call that does not change a variable which the call is
// given; nil if there is none, or the call may be where the loop ends.
func (p *Line) sameInLoop(s spot, call *ast.CallExpr, arg ast.Expr) ast.Node {
	v := p.local(arg)
	if v == nil || p.changedInLiteral(v) || p.addressTaken(v) {
		return nil
	}
	var outer ast.Node
	for i, n := range slices.Backward(s.stack) {
		if _, ok := n.(*ast.FuncLit); ok || p.leavesLoop(n, s.stack[:i]) {
			break
		}
		body := loopBody(n)
		if body == nil || call.Pos() < body.Pos() {
			continue
		}
		if n.Pos() <= v.Pos() && v.Pos() < n.End() || p.changesPart(n, v) {
			break
		}
		outer = n
	}
	return outer
}

// leavesLoop reports whether a block below a loop ends by leaving it, as for an error.
func (p *Line) leavesLoop(n ast.Node, stack []ast.Node) bool {
	var list []ast.Stmt
	switch n := n.(type) {
	case *ast.BlockStmt:
		if len(stack) == 0 || loopBody(stack[len(stack)-1]) == n {
			return false
		}
		list = n.List
	case *ast.CaseClause:
		list = n.Body
	case *ast.CommClause:
		list = n.Body
	case *ast.ReturnStmt:
		return true
	}
	if len(list) == 0 {
		return false
	}
	switch last := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return last.Tok == token.BREAK || last.Tok == token.GOTO
	case *ast.ExprStmt:
		call, ok := last.X.(*ast.CallExpr)
		return ok && p.builtin(call, "panic") != nil
	}
	return false
}

// addressTaken reports whether something may point to a variable: it may change in ways not seen.
func (p *Line) addressTaken(v *types.Var) bool {
	return slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool {
		var inner ast.Node = m.id
		for _, n := range slices.Backward(m.stack) {
			switch n := n.(type) {
			case *ast.ParenExpr, *ast.IndexExpr:
			case *ast.UnaryExpr:
				return n.Op == token.AND
			case *ast.SliceExpr:
				_, array := p.typeOf(n.X).Underlying().(*types.Array)
				return n.X == inner && array
			case *ast.SelectorExpr:
				if sel := p.pkg.TypesInfo.Selections[n]; sel != nil && sel.Kind() == types.MethodVal {
					_, pointer := sel.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer)
					_, has := p.typeOf(n.X).Underlying().(*types.Pointer)
					return pointer && !has
				}
			default:
				return false
			}
			inner = n
		}
		return false
	})
}

// changedInLiteral reports whether a function literal changes a variable: who knows when.
func (p *Line) changedInLiteral(v *types.Var) bool {
	return slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool {
		lit := within(m.stack, v.Pos())
		return lit != nil && p.changesPart(lit, v)
	})
}

// changesPart reports whether a variable, a field of it or an element is set below a node.
func (p *Line) changesPart(n ast.Node, v *types.Var) bool {
	found := false
	sets := func(e ast.Expr) {
		for {
			switch x := ast.Unparen(e).(type) {
			case *ast.SelectorExpr:
				e = x.X
			case *ast.IndexExpr:
				e = x.X
			default:
				found = found || p.local(e) == v
				return
			}
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				sets(e)
			}
		case *ast.IncDecStmt:
			sets(n.X)
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if e != nil && n.Tok == token.ASSIGN {
					sets(e)
				}
			}
		}
		return !found
	})
	return found
}

// jumps reports whether the declared function around a position has a goto: what stands before a loop may be left out,
// or come again, and statements are in no order.
func (p *Line) jumps(pos token.Pos) bool {
	top := p.top(p.unit, pos)
	if top == nil {
		return true // of a function literal that is a variable of the package
	}
	found := false
	ast.Inspect(top.node, func(n ast.Node) bool {
		branch, ok := n.(*ast.BranchStmt)
		found = found || ok && branch.Tok == token.GOTO
		return !found
	})
	return found
}

// convertBefore makes an interface of a variable before a loop, by a name that nothing else has: nil if
// the type cannot be written there.
func (p *Line) convertBefore(loop ast.Node, arg ast.Expr, to types.Type) []Edit {
	typ, name := p.typeText(to), "shared"+fieldName(p.local(arg).Name())
	if typ == "" || name == "shared" || p.named(name) || p.jumps(arg.Pos()) {
		return nil
	}
	first, ok := p.insert(loop, fmt.Sprintf("var %s %s = %s", name, typ, p.text(arg)))
	if !ok {
		return nil
	}
	return []Edit{first, p.edit(arg.Pos(), arg.End(), name)}
}
