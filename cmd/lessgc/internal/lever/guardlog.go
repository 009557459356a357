package lever

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

var guardLog = &Rule{
	Name:   "guard-log",
	Title:  "ask for the level before the arguments are made",
	Looks:  "a call of a method Debug, Debugf, Trace or alike, of a logger, whose arguments become interfaces or text for it on a line that allocates.",
	Wrong:  "when the level is on where the program runs, or the logger takes typed fields that allocate nothing.",
	Before: `c.log.Debugf("read %d bytes from %s", n, src)`,
	After: `if c.log.Enabled(ctx, slog.LevelDebug) { // or whatever says that the level is on
	c.log.Debugf("read %d bytes from %s", n, src)
}`,
	Model: "Arguments are made before the logger can say that it does not want them; all of that goes where the level is off.",
	Risk:  NoRisk,
	Asks:  "Is this level off where the program runs, and can the logger be asked?",
	Saves: Saves{Alloc: Range{0.9, 1}, Collect: Range{0.9, 1}},
	find:  findGuardLog,
}

func findGuardLog(p *Place) (f Finding) {
	for _, s := range p.spots() {
		call, ok := s.node.(*ast.CallExpr)
		if !ok || !p.logs(call) {
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

// logs reports whether a call is one of a logger, of a level that is off as a rule.
func (p *Place) logs(call *ast.CallExpr) bool {
	fn := p.callee(call)
	if fn == nil || len(call.Args) == 0 {
		return false
	}
	sig := fn.Signature()
	if !sig.Variadic() || sig.Recv() == nil && (fn.Pkg() == nil || !strings.Contains(strings.ToLower(fn.Pkg().Name()), "log")) {
		return false
	}
	last, _ := sig.Params().At(sig.Params().Len() - 1).Type().(*types.Slice)
	if last == nil || !types.IsInterface(last.Elem()) {
		return false
	}
	name := strings.ToLower(fn.Name())
	return strings.HasPrefix(name, "debug") || strings.HasPrefix(name, "trace") || strings.HasPrefix(name, "verbose")
}
