package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A writing is a call that writes text to a bytes.Buffer, strings.Builder or bufio.Writer, whose statement may become several.
type writing struct {
	p      *Line
	call   *ast.CallExpr
	stmt   ast.Stmt // that the writes take the place of, or stand before
	writer ast.Expr
	to     string          // the writer, to call methods of
	kind   string          // of the writer: see textTaker, and slicedBytes
	err    *ast.AssignStmt // that takes the error, which is nil; nil if nothing does
}

// writing finds out whether the statement of a call may become several: what it returns is not wanted but for the error, which is
// nil of a buffer. That of a bufio.Writer would come later where a text is longer than its room. The writer is the same before and after the operands are evaluated.
func (p *Line) writing(call *ast.CallExpr, writer ast.Expr, operands []ast.Expr) (w *writing, ok bool) {
	w = &writing{p: p, call: call, writer: ast.Unparen(writer)}
	stack := stackOf(p.file, call)
	switch n := innermost(stack).(type) {
	case *ast.ExprStmt:
		w.stmt = n
	case *ast.AssignStmt:
		if len(n.Lhs) != 2 || len(n.Rhs) != 1 || !isBlank(n.Lhs[0]) {
			return nil, false
		}
		w.stmt = n
		if !isBlank(n.Lhs[1]) {
			w.err = n
		}
	default:
		return nil, false
	}
	w.kind = p.textTaker(w.writer)
	if w.kind == "" || !p.simple(w.writer) || !inList(stack, w.stmt) || w.err != nil && (p.local(w.err.Lhs[1]) == nil || w.kind == "bufio.Writer") ||
		w.kind == "bufio.Writer" && !p.portionsOpen(w.writer) {
		return nil, false
	}
	w.to = p.operand(w.writer)
	if u, ok := w.writer.(*ast.UnaryExpr); ok {
		w.to = p.operand(u.X)
	}
	_, pointer := p.typeOf(w.writer).Underlying().(*types.Pointer)
	steady := p.settled(w.writer) || p.local(w.writer) != nil && !pointer || p.ownAddress(w.writer)
	return w, w.to != "" && (steady || !slices.ContainsFunc(operands, func(e ast.Expr) bool {
		return !p.constant(e) && (below(e, p.isForeign) || below(e, p.failsInWords))
	}))
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

// ownAddress reports whether an expression is the address of a local variable.
func (p *Line) ownAddress(e ast.Expr) bool {
	and, ok := e.(*ast.UnaryExpr)
	return ok && and.Op == token.AND && p.local(and.X) != nil
}

// edits writes pieces one after the other. nil if that may be seen: operands that could fail, or change, between two
// of the writes have variables that are set before the first.
func (w *writing) edits(pieces []piece) []Edit {
	lines, imports := w.lines(pieces)
	edits, _ := w.p.instead(map[ast.Node]string{w.stmt: lines}, imports...)
	return edits
}

// lines are the statements of edits, with the packages that they need; "" if there are none.
func (w *writing) lines(pieces []piece) (text string, imports []string) {
	p := w.p
	var operands []ast.Expr
	for _, x := range pieces {
		if x.arg {
			operands = append(operands, x.expr)
		}
	}
	if !w.inOrder(operands) || p.jumps(w.call.Pos()) {
		return "", nil
	}
	var lines []string
	for i, x := range pieces {
		if x.arg && !w.staysSame(x.expr, pieces, i) {
			name := p.newLocal(x.expr)
			src := p.oneLine(x.expr)
			if name == "" || src == "" {
				return "", nil
			}
			lines = append(lines, name+" := "+src)
			pieces[i] = x.as(name)
			pieces[i].expr = x.expr
		}
	}
	for i, x := range pieces {
		line, pkg := w.line(x)
		if line == "" {
			return "", nil
		}
		if pkg != "" && !slices.Contains(imports, pkg) {
			imports = append(imports, pkg)
		}
		if w.err != nil && i == len(pieces)-1 {
			line = w.takesError(line)
		} else if _, blank := w.stmt.(*ast.AssignStmt); blank {
			line = w.blank(line)
		}
		lines = append(lines, line)
	}
	text = strings.Join(lines, "\n")
	if len(lines) > 1 && p.directed(w.stmt) || !p.means(w.call.Pos(), text, "string", "bool", "int64", "uint64", "float64", "make", "rune", "append") || p.shadows("byte", w.call.Pos()) {
		return "", nil
	}
	return text, imports
}

// lintDirective is the beginning of a comment that a linter reads.
var lintDirective = regexp.MustCompile(`^//\s*(nolint\b|lint:|#nosec\b|[a-z]+:[a-z])`)

// directed reports whether a linter reads a comment for a statement, which stands behind it or above: it would be for one of several then.
func (p *Line) directed(s ast.Stmt) bool {
	return slices.ContainsFunc(p.file.Comments, func(c *ast.CommentGroup) bool {
		near := p.line(c.End()) == p.line(s.Pos())-1 || p.line(c.Pos()) == p.line(s.End())
		return near && slices.ContainsFunc(c.List, func(c *ast.Comment) bool { return lintDirective.MatchString(c.Text) })
	})
}

// mostParts is the number of writes from which on one text is easier to read.
const mostParts = 5

// fewParts reports whether pieces may take the place of one text without a variable before them: each operand can be evaluated between
// two writes.
func (w *writing) fewParts(pieces []piece) bool {
	if len(pieces) > mostParts {
		return false
	}
	for i, x := range pieces {
		if x.arg && !w.staysSame(x.expr, pieces, i) {
			return false
		}
	}
	return true
}

// blank drops what a write returns, as the statement did.
func (w *writing) blank(line string) string {
	if strings.HasPrefix(line, w.to+".WriteByte(") {
		return "_ = " + line
	}
	return "_, _ = " + line
}

// inOrder reports whether operands may be evaluated one by one, those that could panic first: see anyOrder.
func (w *writing) inOrder(operands []ast.Expr) bool {
	if w.p.anyOrder(operands) {
		return true
	}
	first := slices.DeleteFunc(slices.Clone(operands), func(e ast.Expr) bool { return w.staysSame(e, nil, -1) })
	return w.p.anyOrder(first) && !slices.ContainsFunc(operands, func(e ast.Expr) bool { return below(e, w.p.isForeign) })
}

// takesError assigns the error of the last write, which is nil as that of all.
func (w *writing) takesError(line string) string {
	left := w.p.oneLine(w.err.Lhs[1])
	if !strings.HasPrefix(line, w.to+".WriteByte(") {
		left = "_, " + left
	}
	return left + " " + w.err.Tok.String() + " " + line
}

// shadows reports whether a name does not mean what the language says.
func (p *Line) shadows(name string, pos token.Pos) bool {
	return !p.means(pos, name+"(", name)
}

// scratchSize is the memory on the stack for a number that is written to what lends none: of an integer all digits fit.
const scratchSize = "20"

// slicedBytes is the kind of a writing to a slice of bytes that takes the place of a buffer.
const slicedBytes = "[]byte"

// appends is line for a slice.
func (w *writing) appends(x piece) (text, pkg string) {
	add := func(fn, what string) string { return w.to + " = " + fn + "(" + w.to + ", " + what + ")" }
	switch {
	case x.char != "":
		return add(w.p.qualify("unicode/utf8")+".AppendRune", x.char), "unicode/utf8"
	case x.num != "":
		return w.to + " = " + w.p.qualify("strconv") + "." + strings.Replace(x.num, "%s", w.to, 1), "strconv"
	case x.arg && x.uses:
		return add("append", x.text+"..."), "strconv"
	case x.arg:
		return add("append", x.text+"..."), ""
	case len(x.text) == 1:
		return add("append", byteLiteral(x.text[0])), ""
	}
	return add("append", quoted(x.text)+"..."), ""
}

// line writes a piece, and is the package that it needs.
func (w *writing) line(x piece) (text, pkg string) {
	if w.kind == slicedBytes {
		return w.appends(x)
	}
	lends := w.kind == "bufio.Writer" && w.p.goes("1.18") || w.kind == "bytes.Buffer" && w.p.goes("1.21")
	room := "make([]byte, 0, " + scratchSize + ")"
	if lends {
		room = w.to + ".AvailableBuffer()"
	}
	if x.uses {
		pkg = "strconv"
	}
	switch {
	case x.char != "" && w.kind == "bufio.Writer" && lends:
		return w.to + ".Write(" + w.p.qualify("unicode/utf8") + ".AppendRune(" + room + ", " + x.char + "))", "unicode/utf8"
	case x.char != "" && w.kind == "bufio.Writer":
		return "", "" // WriteRune writes out a buffer that is not full
	case x.char != "":
		return w.to + ".WriteRune(" + x.char + ")", ""
	case x.bytes:
		return w.to + ".Write(" + x.text + ")", ""
	case x.byte:
		return w.to + ".WriteByte(" + x.text + ")", ""
	case x.num != "":
		return w.to + ".Write(" + w.p.qualify("strconv") + "." + strings.Replace(x.num, "%s", room, 1) + ")", pkg
	case x.arg:
		return w.to + ".WriteString(" + x.text + ")", pkg
	case len(x.text) == 1:
		return w.to + ".WriteByte(" + byteLiteral(x.text[0]) + ")", ""
	}
	return w.to + ".WriteString(" + quoted(x.text) + ")", ""
}

func byteLiteral(b byte) string {
	if b < 0x80 {
		return strconv.QuoteRune(rune(b))
	}
	return "0x" + strconv.FormatUint(uint64(b), 16)
}

// staysSame reports whether an operand may be evaluated between two writes: it cannot panic. Nothing else happens between them.
func (w *writing) staysSame(e ast.Expr, pieces []piece, i int) bool {
	p := w.p
	text := i == 0 && pieces[0].num == "" && pieces[0].char == "" // else the writer lends memory before a call, which may write to it
	if i == 0 && (!below(e, p.isCall) || text && !slices.ContainsFunc(pieces[1:], func(x piece) bool { return x.arg && !p.settled(x.expr) })) || p.constant(e) {
		return true // what comes first is evaluated before anything is written
	}
	all := func(list ...ast.Expr) bool {
		return !slices.ContainsFunc(list, func(e ast.Expr) bool { return !w.staysSame(e, pieces, -1) })
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		_, ok := p.object(e).(*types.Var)
		return ok
	case *ast.BinaryExpr:
		_, basic := p.typeOf(e.X).Underlying().(*types.Basic)
		return basic && !p.failsInWords(e) && all(e.X, e.Y)
	case *ast.SelectorExpr:
		return w.holds(e, pieces)
	case *ast.CallExpr:
		if p.ofValueAlone(e) {
			return all(e.Args[0])
		}
		fn := p.callee(e)
		return fn != nil && textFunctions[fn.FullName()] && all(e.Args...)
	}
	return false
}

// textFunctions are functions that make a text of texts, and neither fail nor look at anything else.
var textFunctions = map[string]bool{"html.EscapeString": true, "html.UnescapeString": true, "net/url.QueryEscape": true, "net/url.PathEscape": true, "strconv.Quote": true, "strconv.Itoa": true,
	"strings.ToLower": true, "strings.ToUpper": true, "strings.TrimSpace": true, "strings.Trim": true, "strings.TrimLeft": true, "strings.TrimRight": true, "strings.TrimPrefix": true,
	"strings.TrimSuffix": true, "strings.ReplaceAll": true, "strings.Replace": true, "path.Base": true, "path.Dir": true, "path.Clean": true}

// holds reports whether a field is that of a local variable, or of what one points to, which is no nil: it has been looked
// at before.
func (w *writing) holds(e *ast.SelectorExpr, pieces []piece) bool {
	p := w.p
	selection := p.pkg.TypesInfo.Selections[e]
	if selection == nil || selection.Kind() != types.FieldVal {
		return false
	}
	if !selection.Indirect() {
		return w.staysSame(e.X, pieces, -1)
	}
	v := p.local(e.X)
	if v == nil || len(selection.Index()) != 1 || !p.settled(e.X) || slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool { _, set := m.assigned(); return set }) {
		return false
	}
	if _, pointer := v.Type().Underlying().(*types.Pointer); !pointer {
		return false
	}
	return p.looksAt(w.writer, v) || len(pieces) > 0 && pieces[0].arg && p.looksAt(pieces[0].expr, v) || p.lookedAt(v, w.call)
}

// looksAt reports whether evaluating an expression reads or finds a field of what a variable points to, or writes to that. The length of an
// array is a constant, for which nothing is evaluated.
func (p *Line) looksAt(e ast.Expr, v *types.Var) bool {
	if p.constant(e) {
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		return p.looksAt(e.X, v)
	case *ast.StarExpr:
		return p.looksAt(e.X, v)
	case *ast.BinaryExpr:
		return p.looksAt(e.X, v) || e.Op != token.LAND && e.Op != token.LOR && p.looksAt(e.Y, v)
	case *ast.SelectorExpr:
		selection := p.pkg.TypesInfo.Selections[e]
		if selection != nil && p.local(e.X) == v && v != nil {
			return selection.Kind() == types.FieldVal || p.textTaker(e.X) != "" && strings.HasPrefix(e.Sel.Name, "Write")
		}
		return selection != nil && p.looksAt(e.X, v)
	case *ast.IndexExpr:
		return p.looksAt(e.X, v) || p.looksAt(e.Index, v)
	case *ast.CallExpr:
		if p.looksAt(e.Fun, v) {
			return true
		}
		return slices.ContainsFunc(e.Args, func(arg ast.Expr) bool { return p.looksAt(arg, v) })
	}
	return false
}

// lookedAt reports whether something that is executed on each way to a node looks at what a variable points to.
func (p *Line) lookedAt(v *types.Var, node ast.Node) bool {
	stack := stackOf(p.file, node)
	if p.jumps(node.Pos()) {
		return false
	}
	for i, n := range slices.Backward(stack) {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		case *ast.IfStmt:
			if p.looksAt(n.Cond, v) && (i+1 >= len(stack) || stack[i+1] != ast.Node(n.Cond)) {
				return true
			}
		case *ast.RangeStmt:
			if p.rangeLooks(n, v) {
				return true
			}
		case *ast.FuncLit, *ast.FuncDecl:
			return false
		}
		for _, s := range list {
			if s.End() <= node.Pos() && p.statementLooks(s, v) {
				return true
			}
		}
	}
	return false
}

// statementLooks reports whether a statement always looks at what a variable points to.
func (p *Line) statementLooks(s ast.Stmt, v *types.Var) bool {
	looks := func(e ast.Expr) bool { return p.looksAt(e, v) }
	switch s := s.(type) {
	case *ast.ExprStmt:
		return looks(s.X)
	case *ast.AssignStmt:
		return slices.ContainsFunc(s.Rhs, looks) || slices.ContainsFunc(s.Lhs, looks)
	case *ast.IncDecStmt:
		return looks(s.X)
	case *ast.IfStmt:
		return s.Init == nil && looks(s.Cond)
	case *ast.RangeStmt:
		return p.rangeLooks(s, v)
	}
	return false
}

// rangeLooks is looksAt of the operand of a loop. The elements of an array are not looked at where only their numbers are wanted.
func (p *Line) rangeLooks(loop *ast.RangeStmt, v *types.Var) bool {
	t := p.typeOf(loop.X).Underlying()
	if pointer, ok := t.(*types.Pointer); ok {
		t = pointer.Elem().Underlying()
	}
	_, array := t.(*types.Array)
	return (!array || loop.Value != nil) && p.looksAt(loop.X, v)
}

// newLocal returns a name for the value of an operand that nothing in the function, or the package, has, nor gets if other calls
// that write are changed, too; "" if there is none.
func (p *Line) newLocal(e ast.Expr) string {
	top := p.top(p.unit, e.Pos())
	if top == nil {
		return ""
	}
	base := p.valueName(e)
	before := 1
	ast.Inspect(top.node, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && p.writesText(call) {
			for _, arg := range call.Args {
				for _, x := range flat(arg) {
					if _, plain := ast.Unparen(x).(*ast.Ident); !plain && !p.constant(x) && x.End() <= e.Pos() && p.valueName(x) == base {
						before++
					}
				}
			}
		}
		return true
	})
	if p.taken(top.node, base) {
		before++
	}
	if name := numbered(base, before); !p.taken(top.node, name) {
		return name
	}
	return ""
}

// writesText reports whether a call writes something, by its name.
func (p *Line) writesText(call *ast.CallExpr) bool {
	fn := p.callee(call)
	return fn != nil && (strings.HasPrefix(fn.Name(), "Fprint") || strings.HasPrefix(fn.Name(), "Write"))
}

// taken reports whether a name means something in a function, or would hide what does.
func (p *Line) taken(fn ast.Node, name string) bool {
	return uses(fn, name) || types.Universe.Lookup(name) != nil || p.pkg.Types.Scope().Lookup(name) != nil || p.pkg.TypesInfo.Scopes[p.file].Lookup(name) != nil ||
		slices.Contains([]string{"strconv", "utf8", "io"}, name) || token.IsKeyword(name)
}

// uses reports whether a function has a name, other than of a field or method that is selected.
func uses(fn ast.Node, name string) bool {
	selected := map[*ast.Ident]bool{}
	return below(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			selected[n.Sel] = true
		case *ast.Ident:
			return n.Name == name && !selected[n]
		}
		return false
	})
}

// valueName is a plain name for what an expression is.
func (p *Line) valueName(e ast.Expr) string {
	if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok && p.pkg.TypesInfo.Selections[sel] != nil {
		return unexported(sel.Sel.Name)
	}
	if isString(p.typeOf(e)) {
		return "text"
	}
	return "value"
}
