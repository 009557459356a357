package lever

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"unicode"
)

var sentinelError = &Lever{
	Name:    "sentinel-error",
	Title:   "make the error once, in a variable of the package",
	Subject: "use a package-level error",
	Looks:   "errors.New or fmt.Errorf with a constant text and nothing else, in a function.",
	Wrong:   "when two of these errors are told apart by ==.",
	Before: `if len(b) < 4 {
	return errors.New("short header")
}`,
	After: `var errShortHeader = errors.New("short header")

if len(b) < 4 {
	return errShortHeader
}`,
	Model: "The error goes whole.",
	Saves: Saves{Alloc: Range{0.95, 1}, Collect: Range{0.95, 1}, Work: Range{0.9, 1}},
	Rewrite: "The text is constant, and the error is that of errors.New: it is immutable. It is followed to where the program uses it: none of these compares it, by == or errors.Is, with what is neither nil nor a variable that is set once, or makes it a key; " +
		"where it cannot be followed, nothing in the program does so with errors. That other modules tell two errors of one function apart is not seen. Up to four other errors of the function that the profile does not have change with it, if all of this holds for them. " +
		"No code runs before the variable has its value, and no file of the package has the name.",
	find: findSentinel,
}

func findSentinel(p *Line) (f Finding) {
	for _, c := range p.called() {
		share := p.below(c.fn)
		if share == 0 || p.constantError(c.call) == "" {
			continue
		}
		f = Finding{Share: share, Calls: []string{profiled(c.fn)}, Evidence: []Evidence{
			p.at(c.call.Pos(), fmt.Sprintf("%s allocates an error with the same text in each call; an error in a package-level variable serves all calls", c.name)),
		}}
		if !p.toldApart(c.call) {
			f.Edits = p.hoist(c.call, (*Line).constantError)
			f = p.hoistBeside(f, c.call, (*Line).constantError, func(other *ast.CallExpr) bool { return !p.toldApart(other) })
		}
		return f
	}
	return f
}

// constantError is the name of a variable for an error that a call makes of a constant; "" if it
// does not, or somebody may tell one from another.
func (p *Line) constantError(call *ast.CallExpr) string {
	fn := p.callee(call)
	if fn == nil || len(call.Args) != 1 || fn.FullName() != "errors.New" && fn.FullName() != "fmt.Errorf" {
		return ""
	}
	text, ok := p.stringOf(call.Args[0])
	top := p.top(p.unit, call.Pos())
	if !ok || top == nil {
		return ""
	}
	stack := stackOf(p.file, call)
	if p.runsOnce(top.node.(*ast.FuncDecl), stack) || p.compared(stack) {
		return ""
	}
	name := "err"
	for i, word := range strings.FieldsFunc(strings.ReplaceAll(text, "'", ""), func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if i < 6 {
			name += strings.ToUpper(word[:1]) + word[1:]
		}
	}
	if name == "err" {
		name = "errConstant"
	}
	return name
}

// compared reports whether a value becomes a variable that something is compared with, other than
// nil and variables of packages: it may be a mark of this one call.
func (p *Line) compared(stack []ast.Node) bool {
	var to []ast.Expr
	switch parent := innermost(stack).(type) {
	case *ast.AssignStmt:
		to = parent.Lhs
	case *ast.ValueSpec:
		for _, name := range parent.Names {
			to = append(to, name)
		}
	case *ast.IndexExpr, *ast.KeyValueExpr, *ast.CompositeLit, *ast.SendStmt:
		return true
	}
	return slices.ContainsFunc(to, func(e ast.Expr) bool {
		v := p.local(e)
		return v == nil || // a field or an element
			slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool {
				switch parent := m.parent().(type) {
				case *ast.BinaryExpr:
					return p.isMark(parent.X, v) && p.isMark(parent.Y, v)
				case *ast.CallExpr:
					fn := p.callee(parent)
					return fn != nil && fn.FullName() == "errors.Is" && p.local(parent.Args[1]) == v
				}
				return false
			})
	})
}

// isMark reports whether an expression is a variable, or something else that may have its value.
func (p *Line) isMark(e ast.Expr, v *types.Var) bool {
	if p.isNil(e) {
		return false
	}
	if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
		e = sel.Sel
	}
	object := p.object(e)
	return object == nil || object == v || object.Pkg() == nil || object.Parent() != object.Pkg().Scope()
}
