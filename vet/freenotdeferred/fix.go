package freenotdeferred

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// fix defers the call that frees the arena to behind the statement that takes it. There is
// none where what the function returns may be memory of the arena.
func (s *scope) fix(free *ast.CallExpr, last int, u usage) []analysis.SuggestedFix {
	if !s.steady(free) {
		return nil
	}
	for _, r := range append(u.leaves[:len(u.leaves):len(u.leaves)], s.end()...) {
		if !s.plain(r) || s.works(r) {
			return nil
		}
	}
	taken := s.body.List[s.acquire]
	edits := []analysis.TextEdit{{Pos: taken.End(), End: taken.End(), NewText: []byte("\ndefer " + types.ExprString(free))}}
	for _, stmt := range append([]*ast.ExprStmt{s.body.List[last].(*ast.ExprStmt)}, u.early...) {
		start, end, ok := s.lines(stmt)
		if !ok {
			return nil
		}
		edits = append(edits, analysis.TextEdit{Pos: start, End: end})
	}
	return []analysis.SuggestedFix{{Message: "defer it where the arena is taken", TextEdits: edits}}
}

// steady reports whether a call means the same where the arena is taken.
func (s *scope) steady(free *ast.CallExpr) bool {
	same := true
	ast.Inspect(free, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr, *ast.SelectorExpr:
		case *ast.Ident:
			o := s.pass.TypesInfo.Uses[n]
			if v, ok := o.(*types.Var); ok && v != s.arena && !v.IsField() && v.Pos() > s.body.List[s.acquire].Pos() && v.Pos() < s.body.End() {
				same = false
			}
		case nil:
		default:
			same = false
		}
		return same
	})
	return same
}

// end is the return statement at the end of the function, if there is one.
func (s *scope) end() []*ast.ReturnStmt {
	if r, ok := s.body.List[len(s.body.List)-1].(*ast.ReturnStmt); ok {
		return []*ast.ReturnStmt{r}
	}
	return nil
}

// plain reports whether the results have no pointers, but for errors and constants.
func (s *scope) plain(r *ast.ReturnStmt) bool {
	for _, e := range r.Results {
		tv := s.pass.TypesInfo.Types[e]
		if tv.Value != nil || tv.IsNil() || types.Identical(tv.Type, types.Universe.Lookup("error").Type()) {
			continue
		}
		if b, ok := tv.Type.Underlying().(*types.Basic); !ok || b.Info()&(types.IsNumeric|types.IsBoolean) == 0 {
			return false
		}
	}
	return true
}

// lines are the whole lines of a statement; ok is false if there is something else in
// them than a comment.
func (s *scope) lines(stmt ast.Stmt) (start, end token.Pos, ok bool) {
	file := s.pass.Fset.File(stmt.Pos())
	first, last := file.PositionFor(stmt.Pos(), false).Line, file.PositionFor(stmt.End(), false).Line
	if last >= file.LineCount() {
		return 0, 0, false
	}
	start, end = file.LineStart(first), file.LineStart(last+1)
	data, err := s.pass.ReadFile(file.Name())
	if err != nil || file.Offset(end) > len(data) {
		return 0, 0, false
	}
	before := strings.TrimSpace(string(data[file.Offset(start):file.Offset(stmt.Pos())]))
	after := strings.TrimSpace(string(data[file.Offset(stmt.End()):file.Offset(end)]))
	return start, end, before == "" && (after == "" || strings.HasPrefix(after, "//"))
}
