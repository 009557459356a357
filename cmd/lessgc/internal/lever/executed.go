package lever

import (
	"go/ast"
	"go/token"
	"path/filepath"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ssa"
)

// executed returns an upper bound on how often the benchmarks executed the statement around a
// position; ok is false if that is not known.
func (p *Program) executed(pos token.Pos) (n int64, ok bool) {
	if p.Executed == nil || !pos.IsValid() {
		return 0, false
	}
	u := p.unitOf(pos)
	if u == nil || p.generated(u) {
		return 0, false
	}
	path, _ := astutil.PathEnclosingInterval(u.file, pos, pos)
	for i, node := range path {
		switch s := node.(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause, *ast.LabeledStmt, *ast.EmptyStmt:
			continue
		case *ast.ForStmt:
			return p.inLoop(u, s, s.Body)
		case *ast.RangeStmt:
			if s.Body.Pos() <= pos {
				return p.inLoop(u, s, s.Body)
			}
			if s.Key == nil || pos < s.Key.Pos() || s.TokPos <= pos {
				return p.executedAt(u, s.Pos())
			}
			return p.inLoop(u, s, s.Body)
		case ast.Stmt:
			if loop, ok := path[i+1].(*ast.ForStmt); ok && loop.Post == s {
				continue
			}
			if n, ok := p.executedAt(u, s.Pos()); ok {
				return n, true
			}
		case *ast.FuncDecl:
			return 0, false
		}
	}
	return 0, false
}

// inLoop returns how often the header of a loop is executed: once for each iteration, and once
// more each time that the loop ends. It reports false if that is not known.
func (p *Program) inLoop(u *unit, loop ast.Stmt, body *ast.BlockStmt) (int64, bool) {
	before, ok := p.executedAt(u, loop.Pos())
	if len(body.List) == 0 {
		return before, false
	}
	each, known := p.executedAt(u, body.List[0].Pos())
	return before + each, ok && known
}

// executedAt is the count of the block that a position is in.
func (p *Program) executedAt(u *unit, pos token.Pos) (int64, bool) {
	at := p.fset.Position(pos)
	return p.Executed(u.pkg.PkgPath+"/"+filepath.Base(at.Filename), at.Line, at.Column)
}

// executedIn returns an upper bound on how often a block was executed. It reports false if
// that is not known.
func (p *Program) executedIn(b *ssa.BasicBlock) (int64, bool) {
	for _, in := range b.Instrs {
		switch in.(type) {
		case *ssa.Phi, *ssa.Alloc, *ssa.Next, *ssa.Range, *ssa.Extract, *ssa.DebugRef:
			continue // these stand where a variable is declared, or before a loop
		}
		if n, ok := p.executed(in.Pos()); ok {
			return n, true
		}
	}
	return 0, false
}
