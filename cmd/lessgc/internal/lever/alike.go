package lever

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"lessgc/cmd/lessgc/internal/site"
)

// mostAlike is the number of statements, the same but for the names of variables, that one change is of, and mostInPlace that of those which no line
// is added for; mostAdded is the number of lines
// that it may add for each.
const (
	mostAlike   = 4
	mostInPlace = 12
	mostAdded   = 4
)

// mostCallsAlike is the number of calls of one form beside that a change is of: where there are more, it is of none of them.
const mostCallsAlike = 4

// ChangesAlike is the evidence of another statement that a change is of.
const ChangesAlike = "the same statement is changed here, too"

// otherCalls is what levers that replace a call by another expression say of others.
const otherCalls = " Up to four calls in the file that have the same form, with operands of the same types, change with it, if all of this holds there, too; where there are more, none does."

// otherStatements is what levers with changes of several statements say of these.
const otherStatements = " Up to three statements that are the same, but for the names of variables, or up to eleven where no line is added, change with it, if all of this holds there, too: those of the function, and of other functions of the package whose names share a word."

// alike adds to a change of a statement that of others, which are the same but for the names of variables and which the profile does
// not have: a reader would ask why these are left. again makes the edits of one of them, if all that the lever proves holds there, too. apart
// says that the new text may declare names: then no two of the statements are in the same scope. Nothing more is predicted, as nothing was seen
// of them; what the profile has is found for itself. Changes that add many lines are of one statement.
func (p *Line) alike(f Finding, s ast.Stmt, apart bool, again func(other ast.Stmt) []Edit) Finding {
	if f.Edits == nil || s == nil || !p.isChanged(s, f.Edits) || p.linesAdded(s, f.Edits) > mostAdded || p.generated(p.unit) {
		return f
	}
	if here := p.lineAt(s.Pos()); here == nil || !here.mayChange() {
		return f
	}
	alone, taken := f.Edits, []ast.Stmt{s}
	most := mostAlike
	if p.linesAdded(s, f.Edits) <= 0 {
		most = mostInPlace
	}
	home := p.top(p.unit, s.Pos()).node
	like := p.statementsLike(s)
	slices.SortStableFunc(like, func(a, b ast.Stmt) int { // those of the function first
		outside := func(s ast.Stmt) int {
			if home.Pos() <= s.Pos() && s.Pos() < home.End() {
				return 0
			}
			return 1
		}
		return outside(a) - outside(b)
	})
	for _, other := range like {
		line := p.lineAt(other.Pos())
		if other == s || len(taken) == most || line == nil || !line.mayChange() || p.measured(other, s) {
			continue
		}
		more := slices.DeleteFunc(slices.Clone(again(other)), func(e Edit) bool { return slices.Contains(f.Edits, e) })
		if len(more) == 0 || !p.isChanged(other, more) || p.linesAdded(other, more) > mostAdded || most > mostAlike && p.linesAdded(other, more) > 0 || conflict(f.Edits, more) ||
			apart && slices.ContainsFunc(taken, func(t ast.Stmt) bool { return p.sharesScope(t, other) }) {
			continue
		}
		taken = append(taken, other)
		f.Edits = slices.Concat(f.Edits, more)
		f.Evidence = append(f.Evidence, p.at(other.Pos(), ChangesAlike))
	}
	if len(taken) > 1 {
		for _, t := range taken {
			f.Edits = p.lineAt(t.Pos()).reimported(f.Edits)
		}
		slices.SortStableFunc(f.Edits, byPlace)
		f.Alone = alone
	}
	return f
}

// alikeCalls adds to a change of calls, each replaced where it stands by another expression, those of the file that have the same form, or that beside
// says are like them, and that the profile does not have. again makes the edits of one of them, if all that the lever proves holds there, too.
func (p *Line) alikeCalls(f Finding, calls []called, beside func(other *ast.CallExpr) bool, again func(other *ast.CallExpr) []Edit) Finding {
	if here := p.lineAt(p.fn.body.Pos()); f.Edits == nil || here == nil || !here.mayChange() || p.generated(p.unit) {
		return f
	}
	forms := map[string]bool{}
	for _, c := range calls {
		forms[p.callForm(c.call)] = true
	}
	n := 0 // others
	for _, e := range f.Evidence {
		if e.Text == ChangesAlike {
			n++
		}
	}
	whole := f
	whole.Edits, whole.Evidence = slices.Clone(f.Edits), slices.Clone(f.Evidence)
	ast.Inspect(p.file, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok || !forms[p.callForm(call)] && !beside(call) {
			return true
		}
		line := p.lineAt(call.Pos())
		if line == nil || p.line(call.Pos()) != p.line(call.End()) || !line.mayChange() || p.isReplaced(call, whole.Edits) || p.profiled(call) {
			return true
		}
		more := slices.DeleteFunc(slices.Clone(again(call)), func(e Edit) bool { return slices.Contains(whole.Edits, e) })
		if !p.isReplaced(call, more) || conflict(whole.Edits, more) {
			return true
		}
		n++
		whole.Edits = slices.Concat(whole.Edits, more)
		whole.Evidence = append(whole.Evidence, p.at(call.Pos(), ChangesAlike))
		return true
	})
	if n > mostCallsAlike || len(whole.Evidence) == len(f.Evidence) {
		return f
	}
	if whole.Alone == nil {
		whole.Alone = f.Edits
	}
	whole.Edits = p.reimported(whole.Edits)
	slices.SortStableFunc(whole.Edits, byPlace)
	return whole
}

// onlyOfForm has alikeCalls take no other calls than those of the same form.
func onlyOfForm(*ast.CallExpr) bool { return false }

// callForm is what a call of a function reads like, with types in the place of operands that are not constant; "" if the function is not known.
func (p *Line) callForm(call *ast.CallExpr) string {
	fn := p.callee(call)
	if fn == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %t", fn.FullName(), call.Ellipsis.IsValid())
	for _, e := range call.Args {
		if v := p.pkg.TypesInfo.Types[e].Value; v != nil {
			b.WriteString(" " + v.ExactString())
		}
		b.WriteString(" " + types.TypeString(p.typeOf(e), nil))
	}
	return b.String()
}

// isReplaced reports whether edits take away part of an expression.
func (p *Line) isReplaced(x ast.Expr, edits []Edit) bool {
	at := p.edit(x.Pos(), x.End(), "")
	return slices.ContainsFunc(edits, func(e Edit) bool { return e.File == at.File && e.Pos < at.End && at.Pos < e.End })
}

// measured reports whether the profile has the line of a statement, or of what is beside it in another function than that of s: what becomes of it
// is known there, and is a change for itself.
func (p *Line) measured(other, s ast.Stmt) bool {
	from, end := other.Pos(), other.End()
	if top := p.top(p.unitOf(other.Pos()), other.Pos()); top != nil && s.Pos() < top.node.Pos() || top.node.End() <= s.Pos() {
		from, end = top.node.Pos(), top.node.End()
	}
	return p.profiledFrom(from, end)
}

// profiled reports whether the profile has a line of a node.
func (p *Line) profiled(n ast.Node) bool { return p.profiledFrom(n.Pos(), n.End()) }

func (p *Line) profiledFrom(from, end token.Pos) bool {
	first, last := p.frameOf(from), p.frameOf(end)
	return slices.ContainsFunc(p.Sites, func(s *site.Site) bool {
		return s.File == first.File && first.Line <= s.Line && s.Line <= last.Line
	})
}

// inOtherBranch reports whether two statements of a file are in different cases of a switch or select, or in the two branches of an if.
func (p *Line) inOtherBranch(a, b ast.Stmt) bool {
	x, y := stackOf(p.file, a), stackOf(p.file, b)
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	if n == 0 || n == len(x) || n == len(y) {
		return false
	}
	switch around := x[n-1].(type) {
	case *ast.IfStmt:
		return around.Else != nil && (x[n] == around.Body && y[n] == around.Else || x[n] == around.Else && y[n] == around.Body)
	case *ast.BlockStmt:
		_, ok := x[n].(*ast.CaseClause)
		_, comm := x[n].(*ast.CommClause)
		return ok || comm
	}
	return false
}

// lineAt is the line of a position in the package, as if the profile had there what it has at this one; nil if it is in no function.
func (p *Line) lineAt(pos token.Pos) *Line {
	s := *p.site
	s.Frame = p.frameOf(pos)
	fn := p.function(s.Frame)
	if fn == nil || p.top(fn.unit, fn.body.Pos()) == nil {
		return nil
	}
	return &Line{p.Program, fn.unit, &s, fn, nil}
}

// statementsLike returns the statements that are the same as another but for the names of variables, and this one, in
// the order of the source: in its function, and in those like it in its file and, if every build has it, the others of the package that every build
// has. None for one that takes several lines, or is more than a simple statement or the head of a loop.
func (p *Line) statementsLike(s ast.Stmt) (all []ast.Stmt) {
	form := p.form(s)
	if form == "" {
		return nil
	}
	beside := p.everyBuild(p.unit)
	home, ok := p.top(p.unit, s.Pos()).node.(*ast.FuncDecl)
	if !ok {
		return nil
	}
	for _, file := range p.pkg.Syntax {
		if u := p.unitOf(file.Package); file != p.file && (!beside || u == nil || u.pkg != p.pkg || p.inTest(file.Package) || p.generated(u) || !p.everyBuild(u)) {
			continue
		}
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn != home && !ShareWord(fn.Name.Name, home.Name.Name) {
				continue
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				if other, ok := n.(ast.Stmt); ok && (other == s || p.frameOf(other.Pos()) != p.frameOf(s.Pos()) && p.form(other) == form) {
					all = append(all, other)
				}
				return true
			})
		}
	}
	return all
}

// leastWord is the length of a word of a name from which on it says what a function does.
const leastWord = 4

// ShareWord reports whether two names have a word in common, as Commaf and BigCommaf do. Functions without one are not expected to
// change together, even if both begin with an empty buffer; nor are two methods of the same name, such as String.
func ShareWord(a, b string) bool {
	words := wordsOf(b)
	return a != b && slices.ContainsFunc(wordsOf(a), func(w string) bool { return len(w) >= leastWord && slices.Contains(words, w) })
}

// wordsOf splits a name at capital letters, digits and underscores, and returns its words in lower case.
func wordsOf(name string) []string {
	var b strings.Builder
	lower := false
	for _, r := range name {
		if unicode.IsUpper(r) && lower {
			b.WriteByte(' ')
		}
		if !unicode.IsLetter(r) {
			r = ' '
		}
		lower = unicode.IsLower(r)
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.Fields(b.String())
}

// everyBuild reports whether a file is for no systems or tags, but for versions of Go.
func (p *Line) everyBuild(u *unit) bool {
	every := !p.byName(u)
	for _, c := range u.file.Comments {
		for _, line := range c.List {
			if x, err := constraint.Parse(line.Text); err == nil && c.Pos() < u.file.Package {
				x.Eval(func(tag string) bool { // is asked for each tag
					every = every && strings.HasPrefix(tag, "go1.")
					return true
				})
			}
		}
	}
	return every
}

// form is what a statement reads like, with types in the place of variables; "" if that is not compared.
func (p *Line) form(s ast.Stmt) string {
	end := s.End()
	switch s := s.(type) {
	case *ast.AssignStmt, *ast.DeclStmt, *ast.ExprStmt, *ast.ReturnStmt, *ast.SendStmt:
	case *ast.RangeStmt:
		end = s.X.End()
	default:
		return ""
	}
	if p.line(s.Pos()) != p.line(end) {
		return ""
	}
	var b strings.Builder
	plain := true
	ast.Inspect(s, func(n ast.Node) bool {
		if n == nil {
			b.WriteString(") ")
			return true
		}
		if n.Pos() >= end {
			return false // the body of a loop
		}
		fmt.Fprintf(&b, "%T ", n)
		switch n := n.(type) {
		case *ast.FuncLit:
			plain = false
		case *ast.Ident:
			b.WriteString(p.meaning(n))
		case *ast.BasicLit:
			b.WriteString(n.Value)
		case *ast.AssignStmt:
			b.WriteString(n.Tok.String())
		case *ast.RangeStmt:
			b.WriteString(n.Tok.String())
		case *ast.GenDecl:
			b.WriteString(n.Tok.String())
		case *ast.UnaryExpr:
			b.WriteString(n.Op.String())
		case *ast.BinaryExpr:
			b.WriteString(n.Op.String())
		case *ast.SliceExpr:
			fmt.Fprint(&b, n.Low != nil, n.High != nil, n.Max != nil)
		case *ast.ChanType:
			fmt.Fprint(&b, n.Dir)
		case *ast.CallExpr:
			fmt.Fprint(&b, n.Ellipsis.IsValid())
		}
		return plain
	})
	if !plain {
		return ""
	}
	return b.String()
}

// meaning is the type of a variable, and the place where anything else is declared that has a name.
func (p *Line) meaning(id *ast.Ident) string {
	if id.Name == "_" {
		return id.Name // declared where it stands, and nothing
	}
	switch o := p.pkg.TypesInfo.ObjectOf(id).(type) {
	case nil:
		return id.Name
	case *types.PkgName:
		return "package " + o.Imported().Path()
	case *types.Var:
		if p.local(id) != nil {
			return "variable " + types.TypeString(o.Type(), nil)
		}
		return fmt.Sprint(id.Name, " ", o.Pos())
	default:
		return fmt.Sprint(id.Name, " ", o.Pos())
	}
}

// isChanged reports whether edits take away part of a statement, or of the head of a loop.
func (p *Line) isChanged(s ast.Stmt, edits []Edit) bool {
	end := s.End()
	if loop, ok := s.(*ast.RangeStmt); ok {
		end = loop.X.End()
	}
	at := p.edit(s.Pos(), end, "")
	return slices.ContainsFunc(edits, func(e Edit) bool { return e.File == at.File && e.Pos < e.End && e.Pos < at.End && at.Pos < e.End })
}

// mayChange reports whether the line's function may be changed: it has no directive, assembly does not refer to it, and its file is
// neither generated nor depends on the layout of memory or on C.
func (p *Line) mayChange() bool {
	decl, ok := p.top(p.unit, p.fn.body.Pos()).node.(*ast.FuncDecl)
	if !ok {
		return false
	}
	fn, ok := p.pkg.TypesInfo.Defs[decl.Name].(*types.Func)
	return ok && !directive(decl.Doc) && !p.linkedElsewhere(fn) && !ast.IsGenerated(p.file) && !slices.ContainsFunc(p.file.Imports, func(spec *ast.ImportSpec) bool {
		return spec.Path.Value == `"unsafe"` || spec.Path.Value == `"C"`
	})
}

// linesAdded is the number of lines that edits of a statement make its file longer.
func (p *Line) linesAdded(s ast.Stmt, edits []Edit) (n int) {
	file := p.fset.File(s.Pos())
	for _, e := range edits {
		n += strings.Count(e.Text, "\n") - (file.Line(file.Pos(e.End)) - file.Line(file.Pos(e.Pos)))
	}
	return n
}

// sharesScope reports whether names that may be declared in the place of one statement are seen in the place of another.
func (p *Line) sharesScope(a, b ast.Stmt) bool {
	x, y := p.scopeAround(a), p.scopeAround(b)
	return x.Pos() < y.End() && y.Pos() < x.End()
}

// scopeAround is the block or clause that a statement stands in, or the statement that it begins; a loop is one by itself.
func (p *Line) scopeAround(s ast.Stmt) ast.Node {
	if loop, ok := s.(*ast.RangeStmt); ok {
		return loop
	}
	file := p.unitOf(s.Pos()).file
	for _, n := range slices.Backward(stackOf(file, s)) {
		switch n.(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause, *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt:
			return n
		}
	}
	return file
}

// conflict reports whether one of some edits and one of others change the same text, or stand at the same place.
func conflict(some, others []Edit) bool {
	return slices.ContainsFunc(some, func(a Edit) bool {
		return slices.ContainsFunc(others, func(b Edit) bool {
			return a.File == b.File && (a.Pos == b.Pos || a.Pos < b.End && b.Pos < a.End)
		})
	})
}

// reimported has edits, which were made one by one, remove the imports of the line's file that nothing uses after all of them, and no others.
func (p *Line) reimported(edits []Edit) []Edit {
	name := p.frameOf(p.file.Package).File
	edits = slices.DeleteFunc(edits, func(e Edit) bool {
		return e.Text == "" && slices.ContainsFunc(p.file.Imports, func(spec *ast.ImportSpec) bool {
			at := p.edit(spec.Pos(), spec.End(), "")
			return e.File == name && e.Pos <= at.Pos && at.End <= e.End
		})
	})
	return append(edits, p.unused(func(id *ast.Ident) bool {
		at := p.edit(id.Pos(), id.End(), "")
		return slices.ContainsFunc(edits, func(e Edit) bool { return e.File == name && e.Pos <= at.Pos && at.End <= e.End }) &&
			!slices.ContainsFunc(edits, func(e Edit) bool { return e.File == name && selectsFrom(e.Text, id.Name) })
	}, nil)...)
}
