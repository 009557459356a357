package events

import (
	"fmt"
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"

	"lessgc/vet/internal/rule"
)

// Subject returns the name of the origin of e in a message: its variable if it has one.
func (e *Event) Subject() string {
	switch o := e.Origin; {
	case o.Name != "" && o.Name != "_":
		return o.Name
	case o.Arena != nil:
		return "memory of the arena"
	case o.Kind.Arena():
		return "the arena"
	case o.Pool != "":
		return "the value from " + o.Pool
	}
	return "the pooled value"
}

// Line names the line of a place.
func Line(pass *analysis.Pass, pos token.Pos) string {
	return fmt.Sprintf("line %d", pass.Fset.Position(pos).Line)
}

// Related are the acquiring call and the release of e.
func (e *Event) Related() []analysis.RelatedInformation {
	var all []analysis.RelatedInformation
	o := e.Origin
	if o.Arena != nil {
		o = o.Arena
	}
	if o.Pos.IsValid() && o.Pos != e.Pos {
		what := "%s is acquired here"
		if o.Param {
			what = "%s comes from here"
		}
		all = append(all, rule.Related(o.Pos, what, (&Event{Origin: o}).Subject()))
	}
	if e.Release.IsValid() {
		what := "released here"
		if e.Deferred && e.Kind != Double {
			what = "released here, when the function ends"
		}
		all = append(all, rule.Related(e.Release, "%s", what))
	}
	if e.Stored.IsValid() && e.Stored != e.Pos {
		all = append(all, rule.Related(e.Stored, "stored here"))
	}
	return all
}

// statement returns the start of the statement around pos.
//
// Two keeps of a request in one statement are one mistake.
func (s *search) statement(pos token.Pos) token.Pos {
	for _, n := range enclosing(s.pass, pos) {
		if stmt, ok := n.(ast.Stmt); ok {
			return stmt.Pos()
		}
	}
	return pos
}

// enclosing are the nodes of the source around pos, innermost first.
func enclosing(pass *analysis.Pass, pos token.Pos) []ast.Node {
	for _, file := range pass.Files {
		if file.FileStart <= pos && pos < file.FileEnd {
			path, _ := astutil.PathEnclosingInterval(file, pos, pos+1)
			return path
		}
	}
	return nil
}

// Around is the innermost node of type T around pos.
func Around[T ast.Node](pass *analysis.Pass, pos token.Pos) (node T, ok bool) {
	for _, n := range enclosing(pass, pos) {
		if n, ok := n.(T); ok {
			return n, true
		}
	}
	return node, false
}

// End is the end of the smallest expression or statement at pos.
func End(pass *analysis.Pass, pos token.Pos) token.Pos {
	for _, n := range enclosing(pass, pos) {
		switch n := n.(type) {
		case *ast.CallExpr, *ast.SelectorExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr, ast.Stmt:
			if n.Pos() <= pos {
				return n.End()
			}
		}
	}
	return token.NoPos
}

// When says when the release of e is: in which line, and whether the function must end for
// it.
func (e *Event) When(pass *analysis.Pass) string {
	switch {
	case !e.Release.IsValid():
		return ""
	case e.Deferred:
		return fmt.Sprintf(" (%s, deferred)", Line(pass, e.Release))
	}
	return fmt.Sprintf(" (%s)", Line(pass, e.Release))
}

// Used says when the bad use of e is: after the release, which verb names, or on one of several paths
// that lead there.
func (e *Event) Used(pass *analysis.Pass, verb, release string) string {
	if e.Perhaps {
		return fmt.Sprintf("used when perhaps released, as a path leads here from its %s%s", release, e.When(pass))
	}
	return fmt.Sprintf("used after %s%s", verb, e.When(pass))
}

// First says where the release was that e is a second one to.
func (e *Event) First(pass *analysis.Pass) string {
	switch {
	case !e.Release.IsValid():
		return ""
	case e.Deferred:
		return fmt.Sprintf(" when the function ends, after %s", Line(pass, e.Release))
	case e.Perhaps:
		return fmt.Sprintf(", after %s, as a path leads here from there", Line(pass, e.Release))
	}
	return fmt.Sprintf(", after %s", Line(pass, e.Release))
}
