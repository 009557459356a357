package lever

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

var boxing = &Lever{
	Name:   "boxing",
	Title:  "do not make an interface of it",
	Looks:  "numbers, strings, structs and slices given to a parameter of type any, of the program's own functions or of containers of the standard library, where a type parameter or the type itself would do.",
	Wrong:  "when the values are of many types, or few enough that a second version of the code is not worth it.",
	Before: `list.PushBack(id) // takes an any`,
	After:  `list.PushBack(id) // of a List[int]`,
	Model:  "A boxed value goes whole.",
	Saves:  Saves{Alloc: Range{0.2, 0.9}, Collect: Range{0.2, 0.9}},
	find:   findBoxing,
}

func findBoxing(p *Line) (f Finding) {
	direct := p.direct()
	if direct == 0 {
		return f
	}
	for _, s := range p.spots() {
		if p.otherDirect(s) {
			return Finding{} // what else the line allocates is not known apart
		}
		if call, ok := s.node.(*ast.CallExpr); ok && !errorPath(s.stack) {
			f.Evidence = append(f.Evidence, p.boxed(call)...)
		}
	}
	f.Share = direct
	return f
}

// errorPath reports whether a call stands in what ends in an error or a panic.
func errorPath(stack []ast.Node) bool {
	for _, n := range stack {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			continue
		}
		switch types.ExprString(call.Fun) {
		case "panic", "errors.New", "fmt.Errorf", "log.Fatal", "log.Fatalf":
			return true
		}
	}
	return false
}

// isErrorMethod reports whether a node stands in the method that makes the text of an error.
func isErrorMethod(stack []ast.Node) bool {
	return slices.ContainsFunc(stack, func(n ast.Node) bool {
		fn, ok := n.(*ast.FuncDecl)
		return ok && fn.Recv != nil && fn.Name.Name == "Error" && len(fn.Type.Params.List) == 0 && fn.Type.Results != nil && len(fn.Type.Results.List) == 1
	})
}

// otherDirect reports whether a node allocates by itself something that is not an interface.
func (p *Line) otherDirect(s spot) bool {
	switch n := s.node.(type) {
	case *ast.CompositeLit:
		return p.allocates(s)
	case *ast.FuncLit:
		return p.onSite(n.Pos())
	case *ast.CallExpr:
		return p.builtin(n, "append") != nil || p.builtin(n, "make") != nil || p.builtin(n, "new") != nil
	case *ast.AssignStmt:
		return p.setsElement(s) != nil
	}
	return false
}

// containers are packages of the standard library that hold values of any type, and have
// or could have a counterpart with a type parameter. That of others, such as encoding/json,
// is what they are for.
var containers = map[string]bool{"container/list": true, "container/heap": true, "container/ring": true, "sort": true, "sync": true, "sync/atomic": true}

// boxed are the arguments of a call that become an interface and need memory for it. A
// function that takes any number of interfaces formats or logs them, which is the
// business of plain-format.
func (p *Line) boxed(call *ast.CallExpr) (all []Evidence) {
	sig, ok := p.typeOf(call.Fun).Underlying().(*types.Signature)
	callee := p.callee(call)
	if !ok || callee == nil || callee.Pkg() == nil || call.Ellipsis.IsValid() || p.declared(callee) == nil && !containers[callee.Pkg().Path()] {
		return nil
	}
	if callee.FullName() == heapPush && heapTypeOf(p.typeOf(call.Args[0])) != nil {
		return nil // of heap-fix
	}
	for i, arg := range call.Args[:min(len(call.Args), fixed(sig))] {
		to := sig.Params().At(i).Type()
		if i, ok := to.Underlying().(*types.Interface); !ok || i.NumMethods() > 0 || isTypeParameter(to) || !p.needsMemory(arg) {
			continue
		}
		if p.givenManyTypes(callee, i) {
			continue
		}
		instead := "a type parameter, or the type itself, needs no memory"
		if callee.FullName() == "(*sync.Pool).Put" {
			if isSlice(p.typeOf(arg)) {
				return nil // of pool-pointer
			}
			instead = "keep pointers in the pool, and put back the one that Get gave"
		}
		all = append(all, p.at(arg.Pos(), fmt.Sprintf("%s becomes %s for %s: %s", short(p.typeOf(arg)), short(to), callee.Name(), instead)))
	}
	return all
}

// mostTypes is of how many types the arguments of a parameter may be for a second version of the code to be worth it.
const mostTypes = 2

// givenManyTypes reports whether the calls of a function of the program give one of its parameters values of many types, or
// values that are interfaces already: the stack of an interpreter.
func (p *Line) givenManyTypes(callee *types.Func, param int) bool {
	known := p.declared(callee)
	if known == nil {
		return false
	}
	var of []types.Type
	for _, call := range p.callsOf(p.fns[known.node]) {
		args := call.Common().Args
		arg := args[len(args)-callee.Signature().Params().Len()+param]
		if _, ok := arg.(*ssa.Const); ok || p.inTest(call.Pos()) {
			continue
		}
		boxed, ok := arg.(*ssa.MakeInterface)
		if !ok {
			return true
		}
		if !slices.ContainsFunc(of, func(t types.Type) bool { return types.Identical(t, boxed.X.Type()) }) {
			of = append(of, boxed.X.Type())
		}
	}
	return len(of) > mostTypes
}

// fixed returns the number of parameters of a signature, a variadic one left out.
func fixed(sig *types.Signature) int {
	if sig.Variadic() {
		return sig.Params().Len() - 1
	}
	return sig.Params().Len()
}

func isTypeParameter(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// needsMemory reports whether an expression has to be copied to the heap to become an
// interface: it is not a pointer, no constant, and not of size 0.
func (p *Line) needsMemory(e ast.Expr) bool {
	t := p.typeOf(e)
	if p.constant(e) || p.isNil(e) || types.IsInterface(t) || isTypeParameter(t) {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Chan, *types.Signature:
		return false
	}
	return p.pkg.TypesSizes == nil || p.pkg.TypesSizes.Sizeof(t) > 0
}

// short is a type as its own package writes it.
func short(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}
