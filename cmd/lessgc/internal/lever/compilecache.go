package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

var compileCache = &Lever{
	Name:  "compile-cache",
	Title: "keep what is compiled of arguments in a bounded cache",
	Looks: "a regular expression, glob, constraint or time zone that a function makes of a text which is not a constant, uses, and drops: the next call with the same text makes it again.",
	Wrong: "when the text is hardly ever the same twice, such as user input: a bounded cache then has no hits.",
	Before: `func first(s string, n int) string {
	return regexp.MustCompile(fmt.Sprintf("^.{%d}", n)).FindString(s)
}`,
	After: `var firsts sync.Map // of int to *regexp.Regexp; 100 at most

func first(s string, n int) string {
	return firstPattern(n).FindString(s) // which looks into firsts
}`,
	Model: "What it takes to make goes whole, but for the first time with each text.",
	Risk:  Concurrency,
	Saves: Saves{Alloc: Range{0.7, 1}, Collect: Range{0.7, 1}, Work: Range{0.7, 1}},
	find:  findCompileCache,
}

// dynamicCompilers are functions that make something of a text, their first argument, which many goroutines may
// use. What those make that are true does not change, whoever has it; what the others make has to stay.
var dynamicCompilers = map[string]bool{
	"regexp.MustCompile": false, "regexp.Compile": false, "regexp.MustCompilePOSIX": false, "regexp.CompilePOSIX": false,
	"regexp.MatchString": false, "regexp.Match": false,
	"time.LoadLocation":              true,
	"github.com/gobwas/glob.Compile": false, "github.com/gobwas/glob.MustCompile": false,
	"github.com/dlclark/regexp2.Compile": false, "github.com/dlclark/regexp2.MustCompile": false,
	"github.com/Masterminds/semver/v3.NewConstraint": false, "github.com/hashicorp/go-version.NewConstraint": false,
	"github.com/jmespath/go-jmespath.Compile": false, "github.com/jmespath/go-jmespath.Search": false,
	"github.com/andybalholm/cascadia.Compile": true, "github.com/andybalholm/cascadia.MustCompile": true,
	"github.com/andybalholm/cascadia.ParseGroup": true, "github.com/andybalholm/cascadia.Parse": true,
	"github.com/robfig/cron/v3.ParseStandard": false,
}

func findCompileCache(p *Line) (f Finding) {
	if p.Ops > 0 && p.site.Objects < p.Ops {
		return f // it is done before, or rarely
	}
	for _, c := range p.called() {
		immutable, ok := dynamicCompilers[c.name]
		share := p.below(c.fn)
		if !ok || share == 0 || len(c.call.Args) == 0 || p.constant(c.call.Args[0]) || c.fn.Pkg() == p.pkg.Types {
			continue
		}
		top := p.top(p.unit, c.call.Pos())
		if top == nil || p.runsOnce(top.node.(*ast.FuncDecl), c.stack) || p.keepsCompiled(c, immutable) {
			continue
		}
		f = Finding{Share: share, Calls: []string{profiled(c.fn)}, Evidence: []Evidence{
			p.at(c.call.Pos(), fmt.Sprintf("%s makes the same again whenever %s is the same", c.name, types.ExprString(c.call.Args[0]))),
		}}
		if keys := p.textOf(c.call.Args[0]); len(keys) > 0 {
			f.Evidence = append(f.Evidence, p.at(c.call.Args[0].Pos(), "a key of "+strings.Join(keys, ", ")+" tells them apart, without the text"))
		}
		return f
	}
	return f
}

// keepsCompiled reports whether what a call makes may be kept: then it may be a cache, or made once for
// something that lives on.
func (p *Line) keepsCompiled(c called, immutable bool) bool {
	results := c.fn.Signature().Results()
	if _, made := results.At(0).Type().Underlying().(*types.Basic); made || c.fn.Name() == "Search" {
		return false // what is compiled is dropped in there
	}
	switch parent := c.parent().(type) {
	case *ast.SelectorExpr:
		return parent.Sel.Name == "Longest"
	case *ast.AssignStmt:
		v := p.local(parent.Lhs[0])
		return v == nil || len(parent.Rhs) != 1 || p.keptVariable(v, immutable)
	case *ast.ReturnStmt, *ast.CallExpr:
		return !immutable || isCall(parent) && p.storing(parent.(*ast.CallExpr))
	}
	return true
}

func isCall(n ast.Node) bool {
	_, ok := n.(*ast.CallExpr)
	return ok
}

// keptVariable reports whether a variable is used for more than calls of its methods, in this call of the
// function. What never changes may be given to others, but to no cache.
func (p *Line) keptVariable(v *types.Var, immutable bool) bool {
	return slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool {
		if within(m.stack, v.Pos()) != nil {
			return true
		}
		switch parent := m.parent().(type) {
		case *ast.SelectorExpr:
			return parent.Sel.Name == "Longest" || !isCall(innermost(m.stack[:slices.Index(m.stack, ast.Node(parent))]))
		case *ast.BinaryExpr:
			return false
		case *ast.CallExpr:
			return !immutable || p.storing(parent)
		case *ast.ReturnStmt:
			return !immutable
		case *ast.AssignStmt:
			return slices.ContainsFunc(parent.Lhs, func(e ast.Expr) bool { _, stored := ast.Unparen(e).(*ast.IndexExpr); return stored }) || !immutable && !p.declaresAgain(parent, m.id)
		}
		return true
	})
}

// declaresAgain reports whether an assignment only sets a variable.
func (p *Line) declaresAgain(assign *ast.AssignStmt, id *ast.Ident) bool {
	return assign.Tok == token.ASSIGN && slices.ContainsFunc(assign.Lhs, func(e ast.Expr) bool { return ast.Unparen(e) == id })
}

// storing reports whether a call may be one of a cache.
func (p *Line) storing(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	name := strings.ToLower(sel.Sel.Name)
	return slices.ContainsFunc([]string{"store", "set", "add", "put", "cache"}, func(word string) bool { return strings.Contains(name, word) })
}

// textOf are the plain values that a text is made of, with constants around them; nil if it is not known.
func (p *Line) textOf(e ast.Expr) (keys []string) {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		for _, operand := range []ast.Expr{e.X, e.Y} {
			switch _, nested := ast.Unparen(operand).(*ast.BinaryExpr); {
			case nested:
				more := p.textOf(operand)
				if more == nil {
					return nil
				}
				keys = append(keys, more...)
			case !p.constant(operand):
				keys = append(keys, types.ExprString(operand))
			}
		}
	case *ast.CallExpr:
		fn := p.callee(e)
		if fn == nil || fn.FullName() != "fmt.Sprintf" || e.Ellipsis.IsValid() || len(e.Args) < 2 || !p.constant(e.Args[0]) {
			return nil
		}
		for _, arg := range e.Args[1:] {
			if _, basic := p.typeOf(arg).Underlying().(*types.Basic); !basic {
				return nil
			}
			keys = append(keys, types.ExprString(arg))
		}
	}
	return keys
}
