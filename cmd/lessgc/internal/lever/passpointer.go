package lever

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

var passPointer = &Lever{
	Name:    "pass-pointer",
	Title:   "give the interface a pointer to it",
	Subject: "pass a pointer in the interface",
	Looks:   "a struct that is copied to the heap to be an interface with methods, by a loop that changes a variable in between or from memory that a pointer leads to, for a function that does not keep it and asks for no types.",
	Wrong:   "when something else has a pointer to the variable and changes it during the call.",
	Before: `params := parameters{request: r}
for _, rule := range rules {
	params.rule = rule
	match, err := expr.Eval(params) // takes an interface: copied each time
}`,
	After: `params := parameters{request: r}
for _, rule := range rules {
	params.rule = rule
	match, err := expr.Eval(&params)
}`,
	Model: "One object is left, the variable itself, which goes to the heap if it is not there.",
	Risk:  Aliasing,
	Saves: Saves{Alloc: Range{0.8, 1}, Collect: Range{0.8, 1}, Work: Range{0.3, 1}},
	Rewrite: "The argument is a local variable that nothing points to and no function literal changes: while the call has its address, nothing can change it. " +
		"The callee, and all that it may call with the interface, by name, by unexported methods or by function values, call its methods; none of them stores, sends, returns, captures, compares or prints it, makes another interface of it, or asks for a type: " +
		"nothing holds the pointer after the call, and it is indistinguishable from the value, as a method of the value is given a copy in both cases. The program asks no interface for the type or a pointer to it.",
	find: findPassPointer,
}

func findPassPointer(p *Line) (f Finding) {
	f.Calls = conversions
	f.Share = p.boxedShare(func(made *ssa.MakeInterface) bool {
		call := onlyCall(made)
		arg, again := p.copiedAgain(made, call)
		if again == "" || !p.borrowed(made, call) {
			return false
		}
		f.Evidence = append(f.Evidence,
			p.at(arg.Pos(), fmt.Sprintf("%s, %d bytes, is copied to the heap to become %s; %s", types.ExprString(arg), p.pkg.TypesSizes.Sizeof(made.X.Type()), short(made.Type()), again)),
			p.at(call.Pos(), fmt.Sprintf("%s only calls methods of the value and nothing asks for its type, so a pointer serves as well", nameOf(call.Call.StaticCallee()))))
		f.Edits = append(f.Edits, p.addressed(arg))
		f.Sketch = f.Sketch || !p.ownPointer(made, call, arg)
		return true
	})
	return f
}

// ownPointer reports whether nothing but the call can have the address of what it is given, once it takes that: it
// is a local variable that no function literal changes, and that nothing points to.
func (p *Line) ownPointer(made *ssa.MakeInterface, call *ssa.Call, arg ast.Expr) bool {
	v := p.local(arg)
	if v == nil || p.addressTaken(v) || p.changedInLiteral(v) {
		return false
	}
	n, ok := innermost(stackOf(p.file, arg)).(*ast.CallExpr)
	if !ok || n.Lparen != call.Pos() {
		return false
	}
	same := 0 // arguments of the type: which of them the interface is made of is not known
	for i, e := range n.Args {
		if types.Identical(p.typeOf(e), made.X.Type()) {
			same++
			if to := p.parameter(n, i); ast.Unparen(e) == arg && (to == nil || !types.Identical(to, made.Type())) {
				return false
			}
		}
	}
	return same == 1
}

// onlyCall is the call of a known function that an interface is made for, and for nothing else; or nil.
func onlyCall(made *ssa.MakeInterface) (found *ssa.Call) {
	for _, in := range *made.Referrers() {
		switch in := in.(type) {
		case *ssa.DebugRef:
		case *ssa.Call:
			if found != nil || in.Call.StaticCallee() == nil {
				return nil
			}
			found = in
		default:
			return nil
		}
	}
	return found
}

// addressed writes the address of a variable, or the pointer itself for what it points to.
func (p *Line) addressed(arg ast.Expr) Edit {
	if star, ok := arg.(*ast.StarExpr); ok {
		return p.edit(star.Star, star.Star+1, "")
	}
	return p.edit(arg.Pos(), arg.Pos(), "&")
}

// copiedAgain is the argument of a call that becomes an interface, and why a pointer in its place needs less
// memory; "" if it does not.
func (p *Line) copiedAgain(made *ssa.MakeInterface, call *ssa.Call) (arg ast.Expr, why string) {
	if _, ok := made.X.Type().Underlying().(*types.Struct); !ok || call == nil {
		return nil, ""
	}
	load, ok := made.X.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil, ""
	}
	for _, s := range p.spots() {
		n, ok := s.node.(*ast.CallExpr)
		if !ok || n.Lparen != call.Pos() {
			continue
		}
		for _, e := range n.Args {
			if types.Identical(p.typeOf(e), made.X.Type()) {
				arg = ast.Unparen(e)
			}
		}
		switch e := arg.(type) {
		case *ast.StarExpr:
			return arg, "the pointer can be given as it is"
		case *ast.Ident:
			v := p.local(e)
			if v == nil || within(stackOf(p.file, e), v.Pos()) != nil || p.changedInLiteral(v) {
				return nil, ""
			}
			if loops := loopsSince(stackOf(p.file, n), n, v.Pos()); len(loops) > 0 && p.changesPart(loops[0], v) {
				return arg, "there is a copy in each iteration of a loop, which changes the variable"
			}
			if p.movedToHeap(v) {
				return arg, "the variable is on the heap itself"
			}
		}
	}
	return nil, ""
}

// movedToHeap reports whether the compiler says that a variable is on the heap.
func (p *Line) movedToHeap(v *types.Var) bool {
	if p.Reasons == nil || !p.addressTaken(v) {
		return false
	}
	at := p.fset.Position(v.Pos())
	return len(p.Reasons(at.Filename, at.Line)) > 0
}

// borrowed reports whether a function that is given an interface calls no more than its methods, and nothing
// asks for the type that it has.
func (p *Line) borrowed(made *ssa.MakeInterface, call *ssa.Call) bool {
	named, ok := types.Unalias(made.Type()).(*types.Named)
	it, isInterface := made.Type().Underlying().(*types.Interface)
	if !ok || !isInterface || it.NumMethods() == 0 || p.asksFor(made.X.Type()) || p.asksFor(types.NewPointer(made.X.Type())) {
		return false
	}
	callee := call.Call.StaticCallee()
	program := p.Program
	if len(callee.Blocks) == 0 {
		program, callee = p.elsewhere(callee)
	}
	if callee == nil {
		return false
	}
	b := borrowing{program, types.TypeString(named, nil), map[*ssa.Function]bool{}}
	return !b.reaches(callee.Signature.Results()) && b.keepsNone(callee)
}

// asksFor reports whether the program asks interfaces for a type.
func (p *Program) asksFor(t types.Type) bool {
	for _, fn := range p.fns {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if assert, ok := in.(*ssa.TypeAssert); ok && types.TypeString(assert.AssertedType, nil) == types.TypeString(t, nil) {
					return true
				}
			}
		}
	}
	return false
}

// elsewhere finds a function of a package whose source is not loaded, in a program of that package; nil if that is one of
// the standard library, or is not found.
func (p *Program) elsewhere(fn *ssa.Function) (*Program, *ssa.Function) {
	if fn.Pkg == nil || fn.Object() == nil || !strings.Contains(strings.SplitN(fn.Pkg.Pkg.Path(), "/", 2)[0], ".") {
		return nil, nil
	}
	path := fn.Pkg.Pkg.Path()
	if p.others == nil {
		p.others = map[string]*Program{}
	}
	other, ok := p.others[path]
	if !ok {
		other, _ = Load(context.Background(), p.dir, []string{path}, false) // without it nothing is known
		p.others[path] = other
	}
	if other == nil {
		return nil, nil
	}
	for _, found := range other.fns {
		if found.String() == fn.String() && len(found.Blocks) > 0 {
			return other, found
		}
	}
	return nil, nil
}

// borrowing looks for where a package keeps values of an interface, by their types.
type borrowing struct {
	*Program
	name string // of the interface
	seen map[*ssa.Function]bool
}

// keepsNone reports whether neither a function nor those that it may call keep a value of the interface after
// they end, make another interface of it, or ask for its type.
func (b borrowing) keepsNone(fn *ssa.Function) bool {
	if b.seen[fn] || len(fn.Blocks) == 0 {
		return true
	}
	b.seen[fn] = true
	for _, block := range fn.Blocks {
		for _, in := range block.Instrs {
			if b.keeps(in) {
				return false
			}
			for _, operand := range in.Operands(nil) {
				if used, ok := (*operand).(*ssa.Function); ok && !b.keepsNone(used) {
					return false
				}
			}
			if c, ok := in.(ssa.CallInstruction); ok && !b.dynamic(c) {
				return false
			}
		}
	}
	return true
}

// dynamic looks at the functions that a call of an interface or function value may be of, if they are given
// the interface.
func (b borrowing) dynamic(c ssa.CallInstruction) bool {
	common := c.Common()
	if common.StaticCallee() != nil || !b.anyReaches(common.Args) {
		return true
	}
	if builtin, ok := common.Value.(*ssa.Builtin); ok {
		switch builtin.Name() {
		case "append":
			return ownMemory(common.Args[0], c.Parent(), map[ssa.Value]bool{})
		case "copy", "delete", "panic":
			return false
		}
		return true
	}
	to, _ := b.targets(c)
	return len(to) > 0 && (!common.IsInvoke() || !common.Method.Exported()) && !slices.ContainsFunc(to, func(fn *ssa.Function) bool { return !b.keepsNone(fn) })
}

func (b borrowing) anyReaches(values []ssa.Value) bool {
	return slices.ContainsFunc(values, func(v ssa.Value) bool { return b.reaches(v.Type()) })
}

func (b borrowing) keeps(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Store:
		_, local := base(in.Addr).(*ssa.Alloc)
		return b.reaches(in.Val.Type()) && !local
	case *ssa.MapUpdate:
		return b.reaches(in.Key.Type()) || b.reaches(in.Value.Type())
	case *ssa.Send:
		return b.reaches(in.X.Type())
	case *ssa.MakeClosure:
		return b.anyReaches(in.Bindings)
	case *ssa.Go:
		return b.anyReaches(in.Call.Args)
	case *ssa.MakeInterface:
		return b.reaches(in.X.Type()) && !b.is(in.Type())
	case *ssa.ChangeInterface:
		return b.is(in.X.Type())
	case *ssa.TypeAssert:
		return b.is(in.X.Type()) && types.IsInterface(in.AssertedType)
	case *ssa.Select:
		return slices.ContainsFunc(in.States, func(s *ssa.SelectState) bool { return s.Send != nil && b.reaches(s.Send.Type()) })
	case *ssa.Lookup:
		return b.reaches(in.Index.Type())
	case *ssa.BinOp:
		_, pointer := in.X.Type().Underlying().(*types.Pointer)
		return b.reaches(in.X.Type()) && !pointer && !isConst(in.X) && !isConst(in.Y)
	case ssa.CallInstruction:
		callee := in.Common().StaticCallee()
		return callee != nil && len(callee.Blocks) == 0 && b.anyReaches(in.Common().Args)
	}
	return false
}

func (b borrowing) is(t types.Type) bool { return types.TypeString(t, nil) == b.name }

// reaches reports whether a value of a type may lead to the interface without another interface between.
func (b borrowing) reaches(t types.Type) bool { return b.leads(t, 0) }

func (b borrowing) leads(t types.Type, depth int) bool {
	const deep = 6
	if b.is(t) || depth > deep {
		return b.is(t)
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return b.leads(u.Elem(), depth+1)
	case *types.Slice:
		return b.leads(u.Elem(), depth+1)
	case *types.Array:
		return b.leads(u.Elem(), depth+1)
	case *types.Chan:
		return b.leads(u.Elem(), depth+1)
	case *types.Map:
		return b.leads(u.Key(), depth+1) || b.leads(u.Elem(), depth+1)
	case *types.Struct:
		for field := range u.Fields() {
			if b.leads(field.Type(), depth+1) {
				return true
			}
		}
	case *types.Tuple:
		for v := range u.Variables() {
			if b.leads(v.Type(), depth+1) {
				return true
			}
		}
	}
	return false
}
