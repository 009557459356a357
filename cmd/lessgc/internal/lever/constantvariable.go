package lever

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

var constantVariable = &Lever{
	Name:    "constant-variable",
	Title:   "declare the variable as a constant: in an interface, it takes no memory",
	Subject: "turn variables into constants",
	Looks:   "a variable of the package that has the value of a constant, is never set, and becomes an interface: each time it is copied to the heap.",
	Wrong:   "when the program is built with -X for the variable.",
	Before: `type kind string
var table kind = "table"

func isTable(n node) bool { return same(n, table) } // same takes an interface`,
	After: `const table kind = "table"`,
	Model: "The interface of a constant refers to the program's data. The copy goes whole, and the time to make it.",
	Risk:  NoRisk,
	Saves: Saves{Alloc: Range{0.9, 1}, Collect: Range{0.9, 1}, Work: Range{0.8, 1}},
	Rewrite: "All names of the declaration are unexported, of types of strings or integers, and have values that are constants. Each use of them in the package is one that a constant has, too, with the same meaning and type: " +
		"none is set, has its address taken, also by a method, is an operand of arithmetic or of a conversion to a number, where a constant is computed exactly and fails to compile when it overflows, or has its length asked for, which would be a constant. " +
		"None is of type string itself, which the linker may set (-X), and none has a directive. No file of the folder that other systems build has the names. No file of the package is assembly. An interface of a constant is equal to one of the variable's value.",
	find: findConstantVariable,
}

func findConstantVariable(p *Line) (f Finding) {
	declared := map[*ast.GenDecl]bool{}
	share := p.boxedShare(func(made *ssa.MakeInterface) bool {
		global := loadedGlobal(made.X)
		if global == nil || global.Object() == nil {
			return false
		}
		decl := p.declaration(global.Object())
		if decl == nil || !p.mayBeConstants(decl) {
			return false
		}
		if !declared[decl] {
			declared[decl] = true
			f.Edits = append(f.Edits, p.constants(decl)...)
			f.Evidence = append(f.Evidence, p.at(global.Pos(), fmt.Sprintf("%s never changes, but is copied to the heap each time that it becomes an interface; a constant takes no memory there", global.Name())))
		}
		return true
	})
	if share == 0 {
		return Finding{}
	}
	f.Share, f.Calls, f.What = share, conversions, asConstants(declared)
	return f
}

// asConstants is Finding.What of declarations: it names up to two variables, all that are declared.
func asConstants(declared map[*ast.GenDecl]bool) string {
	var names []string
	for decl := range declared {
		for _, s := range decl.Specs {
			for _, name := range s.(*ast.ValueSpec).Names {
				names = append(names, name.Name)
			}
		}
	}
	slices.Sort(names)
	switch {
	case len(names) == 1:
		return "make " + names[0] + " a constant"
	case len(names) == 2 && len(names[0])+len(names[1]) <= mostNamed:
		return "make " + names[0] + ", " + names[1] + " constants"
	}
	return ""
}

// mostNamed is the length of two names that a subject has room for.
const mostNamed = 40

// loadedGlobal is the variable of a package that a value is loaded from, or nil.
func loadedGlobal(v ssa.Value) *ssa.Global {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil
	}
	global, _ := load.X.(*ssa.Global)
	return global
}

// declaration is the declaration of variables that a variable of this package is part of; nil if another package has it.
func (p *Line) declaration(of types.Object) *ast.GenDecl {
	if of.Pkg() != p.pkg.Types {
		return nil
	}
	for _, file := range p.pkg.Syntax {
		for _, d := range file.Decls {
			if decl, ok := d.(*ast.GenDecl); ok && decl.Tok == token.VAR && decl.Pos() <= of.Pos() && of.Pos() < decl.End() {
				return decl
			}
		}
	}
	return nil
}

// mayBeConstants reports whether all that is declared may be constants instead.
func (p *Line) mayBeConstants(decl *ast.GenDecl) bool {
	if directive(decl.Doc) || slices.ContainsFunc(p.pkg.OtherFiles, func(name string) bool { return strings.HasSuffix(name, ".s") }) {
		return false
	}
	for _, s := range decl.Specs {
		spec := s.(*ast.ValueSpec)
		if directive(spec.Doc) || directive(spec.Comment) || len(spec.Values) != len(spec.Names) {
			return false
		}
		for i, name := range spec.Names {
			v, ok := p.pkg.TypesInfo.Defs[name].(*types.Var)
			if !ok || v.Exported() || v.Name() == "_" || !p.constant(spec.Values[i]) || !constantType(v.Type()) || !p.usedAsConstant(v) {
				return false
			}
		}
	}
	return true
}

func directive(doc *ast.CommentGroup) bool {
	return doc != nil && slices.ContainsFunc(doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:") })
}

// constantType reports whether a type is one of strings, but string itself, or of integers.
func constantType(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && (basic.Info()&types.IsInteger != 0 || basic.Info()&types.IsString != 0 && types.Unalias(t) != types.Typ[types.String])
}

// usedAsConstant reports whether each use of a variable of the package would mean the same if it were a constant.
func (p *Line) usedAsConstant(v *types.Var) bool {
	ok := !p.builtElsewhere(v)
	for _, file := range p.pkg.Syntax {
		ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
			if id, is := n.(*ast.Ident); is && p.pkg.TypesInfo.Uses[id] == v {
				ok = ok && p.constantUse(id, stack)
			}
			return ok
		})
	}
	return ok
}

// constantUse reports whether a use of a variable would mean the same of a constant.
func (p *Line) constantUse(id *ast.Ident, stack []ast.Node) bool {
	e := ast.Expr(id)
	for paren, ok := stack[len(stack)-1].(*ast.ParenExpr); ok; paren, ok = stack[len(stack)-1].(*ast.ParenExpr) {
		e, stack = paren, stack[:len(stack)-1]
	}
	switch parent := stack[len(stack)-1].(type) {
	case *ast.AssignStmt:
		return slices.Contains(parent.Rhs, e) && (parent.Tok == token.ASSIGN || parent.Tok == token.DEFINE)
	case *ast.ValueSpec:
		return true // of a variable: a constant's value was not one before
	case *ast.BinaryExpr:
		return parent.Op == token.EQL || parent.Op == token.NEQ
	case *ast.SelectorExpr:
		selection := p.pkg.TypesInfo.Selections[parent]
		if selection == nil || selection.Kind() != types.MethodVal {
			return false
		}
		_, pointer := selection.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer)
		return !pointer
	case *ast.CallExpr:
		return p.constantArgument(parent, e, stack[:len(stack)-1])
	case *ast.IndexExpr:
		_, ok := p.typeOf(parent.X).Underlying().(*types.Map)
		return ok && parent.Index == e
	case *ast.KeyValueExpr:
		return e == parent.Value || p.onlyKey(parent, innermost(stack[:len(stack)-1]))
	case *ast.CaseClause:
		return p.onlyCase(parent, stack)
	case *ast.ReturnStmt, *ast.CompositeLit, *ast.SendStmt, *ast.SwitchStmt:
		return true
	}
	return false
}

// onlyKey reports whether no key of a literal has the value of one of them: two that are constants do not compile.
func (p *Line) onlyKey(pair *ast.KeyValueExpr, around ast.Node) bool {
	lit, ok := around.(*ast.CompositeLit)
	if !ok {
		return false
	}
	var keys []ast.Expr
	for _, e := range lit.Elts {
		if other, ok := e.(*ast.KeyValueExpr); ok {
			keys = append(keys, other.Key)
		}
	}
	return p.differ(keys)
}

// onlyCase reports whether all cases of a switch have values of their own.
func (p *Line) onlyCase(clause *ast.CaseClause, stack []ast.Node) bool {
	if len(stack) < 3 {
		return false
	}
	s, ok := stack[len(stack)-3].(*ast.SwitchStmt) // with its block in between
	if !ok {
		return false
	}
	var cases []ast.Expr
	for _, c := range s.Body.List {
		cases = append(cases, c.(*ast.CaseClause).List...)
	}
	return p.differ(cases)
}

// differ reports whether the values of expressions are different, of those that are constants or may become some.
func (p *Line) differ(all []ast.Expr) bool {
	seen := map[string]bool{}
	for _, e := range all {
		v := p.initial(e)
		if v == nil {
			continue
		}
		if seen[v.ExactString()] {
			return false
		}
		seen[v.ExactString()] = true
	}
	return true
}

// initial is the value of a constant, or of a variable of the package that begins with one, also converted; nil of others.
func (p *Line) initial(e ast.Expr) constant.Value {
	if v := p.pkg.TypesInfo.Types[e].Value; v != nil {
		return v
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		if len(e.Args) == 1 && p.pkg.TypesInfo.Types[e.Fun].IsType() {
			return p.initial(e.Args[0])
		}
	case *ast.Ident:
		v, ok := p.object(e).(*types.Var)
		if !ok || v.Parent() != p.pkg.Types.Scope() {
			return nil
		}
		decl := p.declaration(v)
		if decl == nil {
			return nil
		}
		for _, s := range decl.Specs {
			spec := s.(*ast.ValueSpec)
			for i, name := range spec.Names {
				if len(spec.Values) == len(spec.Names) && p.pkg.TypesInfo.Defs[name] == types.Object(v) {
					return p.pkg.TypesInfo.Types[spec.Values[i]].Value
				}
			}
		}
	}
	return nil
}

// constantArgument reports whether an argument of a call, or of a conversion, means the same as a constant. A conversion of
// a constant is one, too, and so would its length be.
func (p *Line) constantArgument(call *ast.CallExpr, arg ast.Expr, stack []ast.Node) bool {
	if !slices.Contains(call.Args, arg) {
		return false
	}
	fun := p.pkg.TypesInfo.Types[call.Fun]
	if fun.IsType() {
		outer, _ := innermost(stack).(*ast.CallExpr)
		return types.IsInterface(fun.Type) || isText(fun.Type) && isString(p.typeOf(arg)) && (outer == nil || p.builtin(outer, "len") == nil)
	}
	return !fun.IsBuiltin() || p.builtin(call, "append") != nil
}

// constants are the edits that declare constants.
func (p *Line) constants(decl *ast.GenDecl) []Edit {
	edits := []Edit{p.edit(decl.Pos(), decl.Pos()+token.Pos(len("var")), "const")}
	for _, s := range decl.Specs {
		spec := s.(*ast.ValueSpec)
		if spec.Type != nil {
			continue
		}
		for i, name := range spec.Names {
			if p.untypedValue(spec.Values[i]) {
				if len(spec.Names) > 1 {
					return nil
				}
				edits = append(edits, p.edit(name.End(), name.End(), " "+p.typeOf(name).String()))
			}
		}
	}
	return edits
}

// untypedValue reports whether a constant would give its name no type: it may be written as an untyped one.
func (p *Line) untypedValue(e ast.Expr) bool {
	typed := false
	ast.Inspect(e, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && p.pkg.TypesInfo.Types[call.Fun].IsType() {
			typed = true
		}
		if id, ok := n.(*ast.Ident); ok {
			if c, ok := p.pkg.TypesInfo.Uses[id].(*types.Const); ok {
				basic, _ := c.Type().(*types.Basic)
				typed = typed || basic == nil || basic.Info()&types.IsUntyped == 0
			}
		}
		return !typed
	})
	return !typed
}
