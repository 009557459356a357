package lever

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/site"
)

var unchangedText = &Lever{
	Name:  "unchanged-text",
	Title: "return the text as it is where nothing in it changes",
	way:   fewerCopies,
	Looks: "a function that goes over a text which it is given, byte by byte or rune by rune, and writes what it reads to a new one that it returns: unquoting, escaping, folding, filtering. The benchmarks, counted statement by statement, show that nearly all of it is written as it is.",
	Wrong: "when most texts of production have something in them that changes.",
	Before: `func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}`,
	After: `func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	...`,
	Model: "A text in which nothing changes is not copied, nor are the steps in which the copy grows.",
	Risk:  Aliasing,
	Asks:  "Is there nothing to change in most texts? Then look for the first character that changes (strings.IndexByte, IndexAny, IndexFunc, or a loop), and return the text itself, or the part of it that is wanted, if there is none. (Bytes must not be written to then.)",
	Saves: Saves{Alloc: Range{0.5, 1}, Collect: Range{0.5, 1}},
	find:  findUnchangedText,
}

const (
	leastCharacters = 200 // that the benchmarks have to give a loop
	mostlyAsIs      = 0.9 // of them are written as they are
)

func findUnchangedText(p *Line) (f Finding) {
	decl, ok := p.fn.node.(*ast.FuncDecl)
	if !ok || decl.Body == nil || !p.makesText() {
		return f
	}
	fn, ok := p.pkg.TypesInfo.Defs[decl.Name].(*types.Func)
	if !ok || fn.Signature().Results().Len() == 0 || !isText(fn.Signature().Results().At(0).Type()) {
		return f
	}
	share := p.leaves(func(l site.Leaf) bool {
		return len(l.Path) == 0 || l.Path[0].Package() == "runtime" || isBuilderMethod(l.Path[0].Func)
	})
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if f.Evidence != nil || n == nil || loopBody(n) == nil || !p.goesOver(n, fn) {
			return f.Evidence == nil
		}
		if all, same := p.asTheyAre(n, loopBody(n)); all >= leastCharacters && float64(same) >= mostlyAsIs*float64(all) {
			f = Finding{Share: share, Evidence: []Evidence{
				p.at(n.Pos(), fmt.Sprintf("of %s characters that the benchmarks give this loop, %s are written as they are", few(float64(all)), few(float64(same)))),
			}}
		}
		return f.Evidence == nil
	})
	return f
}

// isText reports whether a type is one of strings or bytes.
func isText(t types.Type) bool { return isString(t) || isBytes(t) }

func isBuilderMethod(name string) bool {
	return strings.HasPrefix(name, "strings.(*Builder).") || strings.HasPrefix(name, "bytes.(*Buffer).")
}

// makesText reports whether the line makes memory for characters, or a text of them.
func (p *Line) makesText() bool {
	for in := range p.instructions() {
		switch in := in.(type) {
		case *ssa.Convert:
			if isText(in.Type()) || isRunes(in.Type()) {
				return true
			}
		case *ssa.MakeSlice:
			if isBytes(in.Type()) || isRunes(in.Type()) {
				return true
			}
		case *ssa.Call:
			if callsBuiltin(in, "append") && (isBytes(in.Type()) || isRunes(in.Type())) {
				return true
			}
			if callee := in.Call.StaticCallee(); callee != nil && isBuilderMethod(profiledName(fullName(callee))) {
				return true
			}
		}
	}
	return false
}

// goesOver reports whether a loop goes over a text that the function is given.
func (p *Line) goesOver(loop ast.Node, fn *types.Func) bool {
	var over ast.Expr
	switch loop := loop.(type) {
	case *ast.RangeStmt:
		over = ast.Unparen(loop.X)
		if call, ok := over.(*ast.CallExpr); ok && len(call.Args) == 1 && p.callee(call) == nil { // a conversion
			over = call.Args[0]
		}
	case *ast.ForStmt:
		cond, ok := loop.Cond.(*ast.BinaryExpr)
		if !ok {
			return false
		}
		for _, side := range []ast.Expr{cond.X, cond.Y} {
			if call := p.builtin(ast.Unparen(side), "len"); call != nil {
				over = call.Args[0]
			}
		}
	}
	if over == nil {
		return false
	}
	v := p.local(over)
	if v == nil || !isText(v.Type()) {
		return false
	}
	for param := range fn.Signature().Params().Variables() {
		if param == v {
			return true
		}
	}
	return false
}

// asTheyAre counts the iterations of a loop in the benchmarks, and how many of them write what they read.
func (p *Line) asTheyAre(loop ast.Node, body *ast.BlockStmt) (all, same int64) {
	if len(body.List) == 0 {
		return 0, 0
	}
	all, ok := p.executed(body.List[0].Pos())
	if !ok {
		return 0, 0
	}
	changed := int64(0)
	ast.Inspect(body, func(n ast.Node) bool {
		written := p.written(n)
		if len(written) == 0 {
			return true
		}
		n1, ok := p.executed(n.Pos())
		switch {
		case !ok:
		case !slices.ContainsFunc(written, func(e ast.Expr) bool { return !p.readAsIs(e, loop) }):
			same += n1
		default:
			changed += n1
		}
		return true
	})
	return max(all, same+changed), same
}

// written are the characters that a node appends, writes or sets.
func (p *Line) written(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.CallExpr:
		if p.builtin(n, "append") != nil {
			if t := p.typeOf(n); isBytes(t) || isRunes(t) {
				return n.Args[1:]
			}
			return nil
		}
		fn := p.callee(n)
		if fn != nil && fn.Signature().Recv() != nil && len(n.Args) == 1 && slices.Contains([]string{"WriteByte", "WriteRune", "WriteString", "Write"}, fn.Name()) {
			return n.Args
		}
	case *ast.AssignStmt:
		for i, to := range n.Lhs {
			if index, ok := to.(*ast.IndexExpr); ok && len(n.Lhs) == len(n.Rhs) && (isBytes(p.typeOf(index.X)) || isRunes(p.typeOf(index.X))) {
				return n.Rhs[i : i+1]
			}
		}
	}
	return nil
}

// readAsIs reports whether an expression is what a loop reads: an element or part of a text, or a variable of the loop that has one.
func (p *Line) readAsIs(e ast.Expr, loop ast.Node) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		return isText(p.typeOf(e.X)) || isRunes(p.typeOf(e.X))
	case *ast.SliceExpr:
		return isText(p.typeOf(e.X))
	case *ast.CallExpr: // a conversion
		return len(e.Args) == 1 && p.callee(e) == nil && p.readAsIs(e.Args[0], loop)
	case *ast.Ident:
		v := p.local(e)
		return v != nil && loop.Pos() <= v.Pos() && v.Pos() < loop.End() && !p.setAgain(v, loop)
	}
	return false
}

// setAgain reports whether a variable is set in a loop other than where it is declared.
func (p *Line) setAgain(v *types.Var, loop ast.Node) bool {
	found := false
	ast.Inspect(loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, to := range n.Lhs {
				found = found || p.local(to) == v && to.Pos() != v.Pos()
			}
		case *ast.IncDecStmt:
			found = found || p.local(n.X) == v
		}
		return !found
	})
	return found
}
