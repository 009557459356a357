package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/tools/go/ssa"
)

var concatenate = &Lever{
	Name:    "concatenate",
	Title:   "put the parts together by +, without a buffer",
	Subject: "concatenate the parts",
	Looks:   "a local bytes.Buffer or strings.Builder to which statements in a row write a few strings, in one place or in each branch of an if or switch, and whose String is all that is read.",
	Wrong:   "when writes in a loop are to come.",
	Before: `var buf bytes.Buffer
buf.WriteString("(?P<")
buf.WriteString(name)
buf.WriteString(">")
return buf.String()`,
	After: `return "(?P<" + name + ">"`,
	Model: "One allocation of the right size is left: that of the text. A buffer begins with 64 bytes, which String copies; a builder grows with its parts.",
	Risk:  NoRisk,
	Saves: Saves{Alloc: Range{0.2, 0.9}, Collect: Range{0.2, 0.9}},
	Rewrite: "The buffer is a variable of its own, empty at first, that no function literal has, and nothing but its methods WriteString, WriteByte, WriteRune and String is called. " +
		"On each way through the function there is one row of statements at most that write to it, of which nothing takes a result and in no loop since the declaration: a loop would copy what it has each time. A byte or rune is one in quotes. " +
		"A row has up to eight parts, one of which is a text in quotes that is not empty, so that the result is memory of its own. Calls among the parts stay in their order, what is no call is not changed by one, and nothing is received from a channel. " +
		"What is read before a row, or on a way without one, is empty, as the variable is.",
	find: findConcatenate,
}

// mostSummed is the number of parts up to which a sum is easy to read.
const mostSummed = 8

// GrowsToo is evidence at other lines that a change saves something on.
const GrowsToo = "the buffer grows here, too"

func findConcatenate(p *Line) (f Finding) {
	var m madeBuffer
	root, share := p.grownMost(func(root ssa.Value) bool {
		var ok bool
		if m, ok = p.makes(root); ok {
			f.Edits = m.asSum()
		}
		return f.Edits != nil
	})
	if root == nil {
		return Finding{}
	}
	f.Share, f.What = share, "concatenate the parts of "+m.v.Name()
	if m.kind == "bytes.Buffer" { // all that grows goes: the text is what String copies it to
		f.Saves = Saves{Alloc: Range{0.9, 1}, Collect: Range{0.9, 1}}
	}
	f.Evidence = []Evidence{p.at(root.Pos(), "a few strings are written to a "+m.kind+" one after the other, and then read as one text, which + makes with one allocation")}
	w := &wider{p: p, through: grows, most: math.MaxInt64}
	for _, x := range m.p.mentions(m.p.unit, m.v) {
		if call, name := m.methodCall(x); call != nil && name != "String" {
			w.at = append(w.at, call.Lparen)
		}
	}
	also, evidence := w.all(GrowsToo)
	f.Also, f.Evidence = also, append(f.Evidence, evidence...)
	return f
}

// concatenated reports whether the parts of the text in a builder or buffer can be put together without it.
func (p *Line) concatenated(root ssa.Value) bool {
	m, ok := p.makes(root)
	return ok && m.asSum() != nil
}

// variableConcatenated is concatenated of the buffer that a variable of the line's function holds.
func (p *Line) variableConcatenated(v *types.Var) bool {
	m, ok := p.makesVariable(v)
	return ok && m.asSum() != nil
}

// asSum are the edits that put the parts of the buffer's text together by +: nil if anything else is done with the buffer.
func (m madeBuffer) asSum() []Edit {
	s := summed{madeBuffer: m, writes: map[ast.Stmt]*ast.CallExpr{}, texts: map[ast.Node]string{}}
	for _, x := range m.p.mentions(m.p.unit, m.v) {
		call, name := m.methodCall(x)
		if call == nil || within(x.stack, m.v.Pos()) != nil {
			return nil
		}
		around := innermost(stackOf(m.p.file, call))
		stmt, alone := around.(*ast.ExprStmt)
		switch {
		case name != "String" && alone && stmt.X == call:
			s.writes[stmt] = call
		case name == "String" && !alone && !runsLater(around) && !m.p.hasComment(call):
			s.reads = append(s.reads, call)
		default:
			return nil
		}
	}
	rest := m.list.list[m.list.at+1:]
	if len(s.reads) == 0 || len(s.writes) == 0 || !s.rowsOf(rest) {
		return nil
	}
	written := 0
	for _, row := range s.rows {
		text := s.sum(row)
		if text == "" {
			return nil
		}
		written += len(row)
		s.texts[row[0]] = text
	}
	if written < len(s.writes) {
		return nil // one is in a loop, or in a statement that has no list
	}
	if edits := s.inPlace(rest); edits != nil {
		return edits
	}
	return s.inVariable(rest)
}

// methodCall is the call of a method that writes to the buffer or reads its text, whose receiver a mention of it is; nil if it is something
// else.
func (m madeBuffer) methodCall(x mention) (call *ast.CallExpr, name string) {
	sel, ok := x.parent().(*ast.SelectorExpr)
	if !ok || !slices.Contains([]string{"WriteString", "WriteByte", "WriteRune", "String"}, sel.Sel.Name) {
		return nil, ""
	}
	call, ok = innermost(stackOf(m.p.file, sel)).(*ast.CallExpr)
	if !ok || call.Fun != sel {
		return nil, ""
	}
	return call, sel.Sel.Name
}

// A summed is a buffer whose text can be a sum.
type summed struct {
	madeBuffer
	writes map[ast.Stmt]*ast.CallExpr // the statements that write, and their calls
	reads  []*ast.CallExpr
	rows   [][]ast.Stmt        // of statements that write, one for each way
	texts  map[ast.Node]string // the sums, by the first statement of their row
}

// rowsOf finds the rows of statements that write in a list: ok is false if there may be several on one way.
func (s *summed) rowsOf(list []ast.Stmt) (ok bool) {
	i := slices.IndexFunc(list, s.hasWrite)
	if i < 0 {
		return true
	}
	end := i
	for end < len(list) && s.writes[list[end]] != nil {
		end++
	}
	if end > i {
		s.rows = append(s.rows, list[i:end])
		return !slices.ContainsFunc(list[end:], s.hasWrite)
	}
	if slices.ContainsFunc(list[i+1:], s.hasWrite) {
		return false
	}
	var clauses *ast.BlockStmt
	switch b := list[i].(type) {
	case *ast.BlockStmt:
		return s.rowsOf(b.List)
	case *ast.IfStmt:
		return s.rowsOf(b.Body.List) && (b.Else == nil || s.rowsOf([]ast.Stmt{b.Else}))
	case *ast.SwitchStmt:
		clauses = b.Body
	case *ast.TypeSwitchStmt:
		clauses = b.Body
	}
	return clauses != nil && !below(clauses, isFallthrough) && !slices.ContainsFunc(clauses.List, func(c ast.Stmt) bool { return !s.rowsOf(statements(c)) })
}

// hasWrite reports whether a statement that writes is below a statement, or is it.
func (s *summed) hasWrite(in ast.Stmt) bool {
	return below(in, func(n ast.Node) bool { w, ok := n.(ast.Stmt); return ok && s.writes[w] != nil })
}

func isFallthrough(n ast.Node) bool {
	b, ok := n.(*ast.BranchStmt)
	return ok && b.Tok == token.FALLTHROUGH
}

// sum is the expression for what a row writes; "" if there is none.
func (s *summed) sum(row []ast.Stmt) string {
	var pieces []piece
	var operands []ast.Expr
	for _, stmt := range row {
		more, ok := s.piecesOf(s.writes[stmt])
		if !ok || s.p.directed(stmt) {
			return ""
		}
		pieces = append(pieces, more...)
	}
	var parts []string
	literal := false
	for _, x := range merged(pieces) {
		if x.arg {
			operands = append(operands, x.expr)
			parts = append(parts, x.text)
		} else if x.text != "" {
			parts, literal = append(parts, quoted(x.text)), true
		}
	}
	text := strings.Join(parts, " + ")
	indent, _ := s.p.indentOf(row[0])
	if !literal || len(parts) > mostSummed || slices.Contains(parts, "") || columns(indent+"return "+text) > lineColumns || !s.p.anyOrder(operands) ||
		slices.ContainsFunc(operands, receives) || s.p.commentedBetween(row[0].Pos(), row[len(row)-1].End()) || !s.p.means(row[0].Pos(), text, "string", "rune", "int64", "uint64") {
		return ""
	}
	return text
}

// receives reports whether an expression receives from a channel.
func receives(e ast.Expr) bool {
	return below(e, func(n ast.Node) bool { u, ok := n.(*ast.UnaryExpr); return ok && u.Op == token.ARROW })
}

// piecesOf are the parts of what a call writes; ok is false if they are not known.
func (s *summed) piecesOf(call *ast.CallExpr) (all []piece, ok bool) {
	if len(call.Args) != 1 || s.p.hasBelow(call.Args[0], s.v) {
		return nil, false
	}
	arg := ast.Unparen(call.Args[0])
	switch name := call.Fun.(*ast.SelectorExpr).Sel.Name; name {
	case "WriteString":
		return s.p.textPieces(arg)
	case "WriteByte", "WriteRune":
		lit, ok := arg.(*ast.BasicLit)
		if !ok || lit.Kind != token.CHAR || name == "WriteByte" && !isASCII(arg) {
			return nil, false
		}
		r, _, _, err := strconv.UnquoteChar(lit.Value[1:len(lit.Value)-1], '\'')
		return []piece{{text: string(r)}}, err == nil && r != utf8.RuneError
	}
	return nil, false
}

// inPlace has the sum where the text is read, if that is the only place, the whole value of the statement behind the only row.
func (s *summed) inPlace(list []ast.Stmt) []Edit {
	if len(s.rows) != 1 || len(s.reads) != 1 {
		return nil
	}
	row, i := s.rows[0], slices.Index(list, s.rows[0][0])
	if i < 0 || i+len(row) >= len(list) {
		return nil
	}
	next := list[i+len(row)]
	var value ast.Expr
	switch n := next.(type) {
	case *ast.ReturnStmt:
		if len(n.Results) == 1 {
			value = n.Results[0]
		}
	case *ast.AssignStmt:
		if len(n.Lhs) == 1 && len(n.Rhs) == 1 && (n.Tok == token.ASSIGN || n.Tok == token.DEFINE) {
			if _, variable := n.Lhs[0].(*ast.Ident); variable {
				value = n.Rhs[0]
			}
		}
	}
	text := s.texts[row[0]]
	if value != s.reads[0] || s.p.commentedBetween(row[0].Pos(), next.Pos()) || columns(text)+columns(s.p.text(next)) > lineColumns {
		return nil
	}
	decl, ok := s.withoutDeclaration()
	if !ok {
		return nil
	}
	return s.withImports(decl, s.p.edit(row[0].Pos(), next.Pos(), ""), s.p.edit(value.Pos(), value.End(), text))
}

// inVariable has a variable for the text: where the buffer is, or where the only row is.
func (s *summed) inVariable(list []ast.Stmt) []Edit {
	name := s.nameOfText()
	if name == "" || !s.declaredAlone() {
		return nil
	}
	is := " = "
	decl, ok := s.p.edit(s.list.list[s.list.at].Pos(), s.list.list[s.list.at].End(), "var "+name+" string"), ofLanguage(s.p.objectAt("string", s.v.Pos())) && !s.p.declaredElsewhere("string")
	if len(s.rows) == 1 && slices.Contains(list, s.rows[0][0]) && !slices.ContainsFunc(s.reads, func(c *ast.CallExpr) bool { return c.Pos() < s.rows[0][0].Pos() }) {
		is = " := "
		decl, ok = s.withoutDeclaration()
	}
	if !ok {
		return nil
	}
	edits := []Edit{decl}
	for _, row := range s.rows {
		edits = append(edits, s.p.edit(row[0].Pos(), row[len(row)-1].End(), name+is+s.texts[row[0]]))
	}
	for _, read := range s.reads {
		edits = append(edits, s.p.edit(read.Pos(), read.End(), name))
	}
	return s.withImports(edits...)
}

// nameOfText is a name for the text that nothing in the function has, nor gets where other buffers are changed, too; "" if there is none.
func (s *summed) nameOfText() string {
	others := below(s.p.top(s.p.unit, s.v.Pos()).node, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return false
		}
		v, ok := s.p.pkg.TypesInfo.Defs[id].(*types.Var)
		return ok && v != s.v && (bufferKind(v.Type()) != "" || bufferKind(types.NewPointer(v.Type())) != "")
	})
	if !others {
		return s.p.freeName("text", s.v.Name()+"Text")
	}
	if !s.p.onlyName(s.v) {
		return ""
	}
	return s.p.freeName(s.v.Name() + "Text")
}

// withoutDeclaration takes the lines of the declaration away, if no comment is beside it.
func (s *summed) withoutDeclaration() (Edit, bool) {
	decl := s.list.list[s.list.at]
	start, end, ok := s.p.linesOf(decl)
	return s.p.edit(start, end, ""), ok && s.declaredAlone() && s.p.behind(decl) == ""
}

// withImports adds to edits those that take imports away which nothing else uses.
func (s *summed) withImports(edits ...Edit) []Edit {
	texts := map[ast.Node]string{s.list.list[s.list.at]: ""}
	for _, row := range s.rows {
		for _, stmt := range row {
			texts[stmt] = s.texts[row[0]]
		}
	}
	return append(edits, s.p.unimport(texts, nil)...)
}
