package lever

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

var guardLog = &Lever{
	Name:   "guard-log",
	Title:  "ask for the level before the arguments are made",
	Looks:  "a call of a method Debug, Debugf, Trace or alike, of a logger, whose arguments become interfaces or text for it on a line that allocates; and x.String() as an argument of any function that logs.",
	Wrong:  "when the level is on where the program runs, or the logger takes typed fields that allocate nothing.",
	Before: `c.log.Debugf("read %d bytes from %s", n, src)`,
	After: `if c.log.Enabled(ctx, slog.LevelDebug) { // or whatever says that the level is on
	c.log.Debugf("read %d bytes from %s", n, src)
}`,
	Model: "Arguments are made before the logger can say that it does not want them; all of that goes where the level is off.",
	Risk:  NoRisk,
	Asks:  "Is this level off where the program runs, and can the logger be asked (or given the value, instead of its String)?",
	Saves: Saves{Alloc: Range{0.9, 1}, Collect: Range{0.9, 1}},
	find:  findGuardLog,
}

func findGuardLog(p *Line) (f Finding) {
	for _, s := range p.spots() {
		call, ok := s.node.(*ast.CallExpr)
		if !ok {
			continue
		}
		if !p.logs(call) {
			if f = p.textForLog(call); f.Evidence != nil {
				return f
			}
			continue
		}
		share := p.direct()
		of := append([]ast.Expr{call.Fun}, call.Args...) // with what the logger is made by, for this
		for _, e := range of {
			ast.Inspect(e, func(n ast.Node) bool {
				if inner, ok := n.(*ast.CallExpr); ok && p.callee(inner) != nil {
					share += p.below(p.callee(inner))
				}
				return true
			})
		}
		if share > 0 {
			return Finding{Share: share, Evidence: []Evidence{p.at(call.Pos(), fmt.Sprintf("%s is given values that become interfaces for it", types.ExprString(call.Fun)))}}
		}
	}
	return f
}

// textForLog is about values whose method String is called for a logger which may not want them.
func (p *Line) textForLog(call *ast.CallExpr) (f Finding) {
	fn := p.callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() == "fmt" || !takesAny(fn) || !isLogName(fn.Name()) {
		return f
	}
	for _, arg := range call.Args {
		inner, ok := ast.Unparen(arg).(*ast.CallExpr)
		if !ok || len(inner.Args) > 0 {
			continue
		}
		text := p.callee(inner)
		if text == nil || text.Name() != "String" || text.Signature().Recv() == nil || !isString(p.typeOf(inner)) || isBuilderMethod(profiled(text)) { // which has it
			continue
		}
		f.Share += p.below(text)
		f.Evidence = append(f.Evidence, p.at(inner.Pos(), fmt.Sprintf("%s makes its text before %s can drop it: given the value itself, %%v and %%s call String when the text is wanted", types.ExprString(inner), fn.Name())))
	}
	if f.Share == 0 {
		return Finding{}
	}
	return f
}

// isLogName reports whether a function that takes values of all types is one of a logger, by its name.
func isLogName(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"print", "log", "info", "warn", "debug", "trace", "verbose"}, func(part string) bool { return strings.Contains(name, part) })
}

// takesAny reports whether the last parameter of a function is any number of interfaces.
func takesAny(fn *types.Func) bool {
	sig := fn.Signature()
	if !sig.Variadic() {
		return false
	}
	last, ok := sig.Params().At(sig.Params().Len() - 1).Type().(*types.Slice)
	return ok && types.IsInterface(last.Elem())
}

// logs reports whether a call is one of a logger, of a level that is off as a rule.
func (p *Line) logs(call *ast.CallExpr) bool {
	fn := p.callee(call)
	if fn == nil || len(call.Args) == 0 {
		return false
	}
	if !takesAny(fn) || fn.Signature().Recv() == nil && (fn.Pkg() == nil || !strings.Contains(strings.ToLower(fn.Pkg().Name()), "log")) {
		return false
	}
	name := strings.ToLower(fn.Name())
	return strings.HasPrefix(name, "debug") || strings.HasPrefix(name, "trace") || strings.HasPrefix(name, "verbose")
}
