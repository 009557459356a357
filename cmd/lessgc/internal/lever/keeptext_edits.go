package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A textual rewrites a variable that has a copy of a string as bytes, and all variables that get part of it, as
// strings. All uses of all of them are known, or there are no edits.
type textual struct {
	p       *Line
	vars    map[*types.Var]bool
	seen    map[ast.Node]bool
	edits   []Edit
	gone    map[ast.Node]string // nodes that name a package and are replaced, for unimport
	imports []string
	copies  []token.Pos // of the conversions that go
	whole   *types.Var  // the variable with the bytes, if the string's own takes its place
	name    string      // of the string
}

// keepEdits returns the edits that make the only []byte(s) on the line, the value of a new variable, the string itself,
// with that variable, and the places of all conversions that go: nil if it cannot be shown that nothing else changes.
func (p *Line) keepEdits() (v *types.Var, edits []Edit, copies []token.Pos) {
	var conversion *ast.CallExpr
	var stack []ast.Node
	for _, s := range p.spots() {
		call, ok := s.node.(*ast.CallExpr)
		if !ok || !p.copiesText(call) || !p.onSite(call.Pos()) {
			continue
		}
		if conversion != nil {
			return nil, nil, nil
		}
		conversion, stack = call, s.stack
	}
	if conversion == nil || p.jumps(conversion.Pos()) {
		return nil, nil, nil
	}
	assign, ok := innermost(stack).(*ast.AssignStmt)
	if !ok || assign.Tok != token.DEFINE || len(assign.Lhs) != 1 {
		return nil, nil, nil
	}
	v = p.local(assign.Lhs[0])
	t := &textual{p: p, vars: map[*types.Var]bool{}, seen: map[ast.Node]bool{}, gone: map[ast.Node]string{}}
	if v == nil || v.Pos() != assign.Lhs[0].Pos() {
		return nil, nil, nil
	}
	gone, merges := t.merge(v, assign, conversion.Args[0])
	if !t.add(v) {
		return nil, nil, nil
	}
	if edits = t.edits; merges {
		edits = append(slices.DeleteFunc(t.edits, func(e Edit) bool { return gone.Pos <= e.Pos && e.End <= gone.End }), gone)
	}
	for _, path := range t.imports {
		_, more, ok := p.importing(path)
		if !ok {
			return nil, nil, nil
		}
		edits = append(edits, more...)
	}
	edits = append(edits, p.unimport(t.gone, t.imports)...)
	slices.SortFunc(edits, byPlace)
	return v, slices.Compact(edits), t.copies
}

// merge has the string's own variable take the place of the one with its bytes, whose declaration goes: ok is false if one of them may
// change while the other is used, or a comment is about the declaration.
func (t *textual) merge(v *types.Var, made *ast.AssignStmt, from ast.Expr) (gone Edit, ok bool) {
	w := t.p.local(from)
	if w == nil || !types.Identical(w.Type(), types.Typ[types.String]) || !t.replaceable(w, v, made) {
		return Edit{}, false
	}
	for _, m := range t.p.mentions(t.p.unit, v) {
		if t.p.objectAt(w.Name(), m.id.Pos()) != w {
			return Edit{}, false
		}
	}
	start, end, ok := t.p.linesOf(made)
	if !ok || t.p.commentedBetween(made.Pos(), made.End()) || t.p.behind(made) != "" || t.p.linesAbove(made) != nil {
		return Edit{}, false
	}
	t.whole, t.name = v, w.Name()
	return t.p.edit(start, end, ""), true
}

// replaceable reports whether a string may take the place of its bytes, which a statement copies: neither changes, or nothing uses the
// string any more.
func (t *textual) replaceable(w, v *types.Var, made *ast.AssignStmt) bool {
	if t.p.setOnce(w) && t.p.setOnce(v) {
		return true
	}
	stack := stackOf(t.p.file, made)
	if len(loopsAround(stack, &ast.EmptyStmt{Semicolon: w.Pos()})) > 0 || within(stack, w.Pos()) != nil || t.addressed(w) || t.isResult(w) {
		return false
	}
	return !slices.ContainsFunc(t.p.mentions(t.p.unit, w), func(m mention) bool { return m.id.Pos() > made.End() })
}

// isResult reports whether a variable is the result of a function, which a return may mention without its name.
func (t *textual) isResult(v *types.Var) bool {
	return below(t.p.top(t.p.unit, v.Pos()).node, func(n ast.Node) bool {
		typ, ok := n.(*ast.FuncType)
		return ok && typ.Results != nil && typ.Results.Pos() <= v.Pos() && v.Pos() < typ.Results.End()
	})
}

// nameOf is the name that a variable gets.
func (t *textual) nameOf(v *types.Var) string {
	if v == t.whole {
		return t.name
	}
	return v.Name()
}

// replace puts text in the place of source that has no comment.
func (t *textual) replace(pos, end token.Pos, text string) bool {
	t.edits = append(t.edits, t.p.edit(pos, end, text))
	return !t.p.commentedBetween(pos, end)
}

// twin makes a call that of another function.
func (t *textual) twin(call *ast.CallExpr, path, name string) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || t.p.object(sel.X) == nil {
		return false
	}
	pkg, _, ok := t.p.importing(path)
	if !slices.Contains(t.imports, path) {
		t.imports = append(t.imports, path)
	}
	t.gone[sel] = pkg + "." + name
	return ok && t.replace(sel.Pos(), sel.End(), pkg+"."+name)
}

// add makes a variable one of the strings, with all that it is assigned and used for.
func (t *textual) add(v *types.Var) bool {
	if t.vars[v] {
		return true
	}
	t.vars[v] = true
	d, ok := t.p.define(t.p.unit, v)
	top := t.p.top(t.p.unit, v.Pos())
	if !ok || d.param || top == nil || v.Pos() < top.body.Pos() || !types.Identical(v.Type(), types.NewSlice(types.Typ[types.Byte])) || !t.declares(d, v) {
		return false
	}
	for _, m := range t.p.mentions(t.p.unit, v) {
		if t.p.captured(m, v) {
			return false
		}
		if v == t.whole {
			_, loop := m.parent().(*ast.RangeStmt)
			if slice, ok := m.parent().(*ast.SliceExpr); !loop && !(ok && t.empties(slice)) {
				t.edits = append(t.edits, t.p.edit(m.id.Pos(), m.id.End(), t.name))
			}
		}
		if value, ok := m.assigned(); ok {
			if value == nil || !t.source(value) {
				return false
			}
		} else if !t.climb(m.id, m.stack) {
			return false
		}
	}
	return true
}

// declares makes the declaration of a variable, and what it begins with, that of a string.
func (t *textual) declares(d definition, v *types.Var) bool {
	if d.value != nil && !t.source(d.value) {
		return false
	}
	ok := true
	ast.Inspect(t.p.file, func(n ast.Node) bool {
		spec, is := n.(*ast.ValueSpec)
		if !is || spec.Type == nil || !slices.ContainsFunc(spec.Names, func(id *ast.Ident) bool { return id.Pos() == v.Pos() }) {
			return ok
		}
		ok = len(spec.Names) == 1 && t.plain(v.Pos(), "string") && t.replace(spec.Type.Pos(), spec.Type.End(), "string")
		return false
	})
	return ok
}

// plain reports whether a name is that of the language at a position.
func (t *textual) plain(pos token.Pos, name string) bool {
	return t.p.means(pos, name+"(", name)
}

// source makes what a variable is assigned a string: part of another one, a conversion, or nil.
func (t *textual) source(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if t.p.isNil(e) {
			return t.replace(e.Pos(), e.End(), `""`)
		}
		v := t.p.local(e)
		return v != nil && t.add(v)
	case *ast.SliceExpr:
		if t.empties(e) {
			return t.source(e.X) && t.replace(e.Pos(), e.End(), `""`)
		}
		return t.source(e.X)
	case *ast.CallExpr:
		if t.p.copiesText(e) {
			return t.converted(e)
		}
		fn := t.p.callee(e)
		return fn != nil && trims[fn.FullName()] && t.source(e.Args[0])
	}
	return false
}

// empties reports whether a variable is assigned its own first no bytes: a string is "", as long as the variable is used elsewhere.
func (t *textual) empties(e *ast.SliceExpr) bool {
	v := t.p.local(e.X)
	assign, ok := innermost(stackOf(t.p.file, e)).(*ast.AssignStmt)
	if v == nil || !ok || e.Low != nil || e.High == nil || !t.p.isZero(e.High) || e.Slice3 || len(assign.Lhs) != 1 || t.p.local(assign.Lhs[0]) != v {
		return false
	}
	return slices.ContainsFunc(t.p.mentions(t.p.unit, v), func(m mention) bool {
		slice, ok := m.parent().(*ast.SliceExpr)
		return !sets(m) && (!ok || slice.High == nil || !t.p.isZero(slice.High))
	})
}

// converted makes []byte(s) the string s.
func (t *textual) converted(e *ast.CallExpr) bool {
	if t.seen[e] {
		return true
	}
	t.seen[e] = true
	t.copies = append(t.copies, e.Lparen)
	from := e.Args[0]
	if !t.p.isBytes(e) || t.p.constant(from) || !isString(t.p.typeOf(from)) || hasTypeParameter(t.p.typeOf(from)) {
		return false
	}
	before, after := "", ""
	if binary, ok := ast.Unparen(from).(*ast.BinaryExpr); ok && binary == from {
		before, after = "(", ")"
	}
	if !types.Identical(t.p.typeOf(from), types.Typ[types.String]) {
		if before, after = "string(", ")"; !t.plain(e.Pos(), "string") {
			return false
		}
	}
	return t.replace(e.Pos(), from.Pos(), before) && t.replace(from.End(), e.End(), after) && t.climb(e, stackOf(t.p.file, e))
}

// trims are functions of package bytes that return part of their first operand, as those of package strings do.
var trims = map[string]bool{
	"bytes.Trim": true, "bytes.TrimLeft": true, "bytes.TrimRight": true, "bytes.TrimSpace": true, "bytes.TrimPrefix": true, "bytes.TrimSuffix": true,
	"bytes.TrimFunc": true, "bytes.TrimLeftFunc": true, "bytes.TrimRightFunc": true,
}

// climb follows an expression that becomes a string to what it is used for, and reports whether a string may be.
func (t *textual) climb(e ast.Expr, stack []ast.Node) bool {
	up := stack[:len(stack)-1]
	switch n := stack[len(stack)-1].(type) {
	case *ast.ParenExpr:
		return t.climb(n, up)
	case *ast.SliceExpr:
		return n.X == e && !n.Slice3 && t.inside(n, up) && t.climb(n, up)
	case *ast.IndexExpr:
		return n.X == e && !changes(n, up)
	case *ast.RangeStmt:
		id, ok := e.(*ast.Ident)
		return ok && n.X == e && t.plain(id.Pos(), "byte") && t.replace(id.Pos(), id.End(), "[]byte("+t.nameOf(t.p.local(id))+")")
	case *ast.AssignStmt:
		i := slices.Index(n.Rhs, e)
		if i < 0 || len(n.Lhs) != len(n.Rhs) || n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
			return false
		}
		if id, ok := n.Lhs[i].(*ast.Ident); ok && id.Name == "_" {
			return true
		}
		v := t.p.local(n.Lhs[i])
		return v != nil && t.add(v)
	case *ast.ValueSpec:
		i := slices.Index(n.Values, e)
		v := t.p.local(n.Names[max(i, 0)])
		return i >= 0 && len(n.Values) == len(n.Names) && v != nil && t.add(v)
	case *ast.CallExpr:
		return t.given(e, n, up)
	}
	return false
}

// changes reports whether an element is set, or has its address taken.
func changes(element ast.Expr, stack []ast.Node) bool {
	switch n := innermost(stack).(type) {
	case *ast.AssignStmt:
		return slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return ast.Unparen(e) == element })
	case *ast.IncDecStmt:
		return true
	case *ast.RangeStmt:
		return ast.Unparen(n.X) != element
	case *ast.UnaryExpr:
		return n.Op == token.AND
	}
	return false
}

// given reports whether a call may be given a string, and makes it one of the function for strings.
func (t *textual) given(e ast.Expr, call *ast.CallExpr, stack []ast.Node) bool {
	if t.p.builtin(call, "len") != nil {
		return true
	}
	if t.p.builtin(call, "append") != nil || t.p.builtin(call, "copy") != nil {
		return len(call.Args) == 2 && call.Args[1] == e
	}
	if t.p.pkg.TypesInfo.Types[call.Fun].IsType() {
		return isString(t.p.typeOf(call)) && (t.seen[call] || t.unconverted(call, stack))
	}
	fn := t.p.callee(call)
	if fn == nil || t.seen[call] {
		return fn != nil
	}
	t.seen[call] = true
	name := fn.FullName()
	switch {
	case name == "bytes.Equal":
		return t.equal(call, stack)
	case trims[name]:
		return t.bothTexts(call) && t.twin(call, "strings", fn.Name()) && t.climb(call, stack)
	case strings.HasPrefix(name, "bytes.") && readers[fn.Name()]:
		return t.bothTexts(call) && t.twin(call, "strings", fn.Name())
	case runeTwins[name] != "":
		return t.twin(call, "unicode/utf8", runeTwins[name])
	case name == "(*bytes.Buffer).Write" || name == "(*strings.Builder).Write":
		sel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		return writesBoth(t.p.typeOf(sel.X)) && t.replace(sel.Sel.Pos(), sel.Sel.End(), "WriteString")
	}
	return false
}

// runeTwins are functions of package utf8 for bytes, and those for strings.
var runeTwins = map[string]string{
	"unicode/utf8.DecodeRune": "DecodeRuneInString", "unicode/utf8.DecodeLastRune": "DecodeLastRuneInString", "unicode/utf8.FullRune": "FullRuneInString",
	"unicode/utf8.RuneCount": "RuneCountInString", "unicode/utf8.Valid": "ValidString",
}

// bothTexts makes all operands of a call that are bytes strings.
func (t *textual) bothTexts(call *ast.CallExpr) bool {
	for _, arg := range call.Args {
		if !isBytes(t.p.typeOf(arg)) {
			continue
		}
		if constant, ok := ast.Unparen(arg).(*ast.CallExpr); ok && t.p.copiesText(constant) && t.p.constant(constant.Args[0]) {
			from := constant.Args[0]
			if constant != arg || !t.replace(arg.Pos(), from.Pos(), "") || !t.replace(from.End(), arg.End(), "") {
				return false
			}
		} else if !t.source(arg) {
			return false
		}
	}
	return true
}

// equal makes bytes.Equal(a, b) the comparison a == b.
func (t *textual) equal(call *ast.CallExpr, stack []ast.Node) bool {
	from, op := call.Pos(), " == "
	around := stack[len(stack)-1]
	if not, ok := around.(*ast.UnaryExpr); ok {
		from, op, around = not.Pos(), " != ", stack[len(stack)-2]
	}
	if binary, ok := around.(*ast.BinaryExpr); ok && binary.Op != token.LAND && binary.Op != token.LOR {
		return false
	}
	a, b := call.Args[0], call.Args[1]
	if constant, ok := b.(*ast.CallExpr); ok && t.p.copiesText(constant) && t.p.constant(constant.Args[0]) {
		b = constant.Args[0]
	} else if _, ok := b.(*ast.Ident); !ok || !t.source(b) {
		return false
	}
	if _, ok := a.(*ast.Ident); !ok || !t.source(a) { // its own edit would begin there
		return false
	}
	t.gone[call.Fun] = op
	return t.replace(from, a.Pos(), "") && t.replace(a.End(), b.Pos(), op) && t.replace(b.End(), call.End(), "")
}

// unconverted makes string(b) the string itself where it is used at once, and elsewhere a copy: what is kept keeps no
// more alive than it did.
func (t *textual) unconverted(call *ast.CallExpr, stack []ast.Node) bool {
	t.seen[call] = true
	arg := call.Args[0]
	passing := t.passing(call, stack)
	if passing {
		t.copies = append(t.copies, call.Lparen)
	}
	if !types.Identical(t.p.typeOf(call), types.Typ[types.String]) {
		return passing
	}
	if passing {
		return t.replace(call.Pos(), arg.Pos(), "") && t.replace(arg.End(), call.End(), "")
	}
	pkg, _, ok := t.p.importing("strings")
	if !slices.Contains(t.imports, "strings") {
		t.imports = append(t.imports, "strings")
	}
	return ok && t.p.goes("1.20") && t.replace(call.Pos(), arg.Pos(), pkg+".Clone(")
}

// passing reports whether a string is used at once: compared, looked up, or given to a function that parses it.
func (t *textual) passing(e ast.Expr, stack []ast.Node) bool {
	switch n := innermost(stack).(type) {
	case *ast.BinaryExpr:
		return n.Op != token.ADD
	case *ast.SwitchStmt:
		return ast.Unparen(n.Tag) == e
	case *ast.CaseClause:
		return true
	case *ast.IndexExpr:
		_, isMap := t.p.typeOf(n.X).Underlying().(*types.Map)
		return isMap && !changes(n, stack[:slices.Index(stack, ast.Node(n))])
	case *ast.CallExpr:
		if t.p.builtin(n, "len") != nil {
			return true
		}
		fn := t.p.callee(n)
		return fn != nil && (parsers[fn.FullName()] || strings.HasPrefix(fn.FullName(), "strings.") && readers[fn.Name()])
	}
	return false
}

// parsers are functions that keep nothing of a text, but what they return of it.
var parsers = map[string]bool{
	"strconv.Atoi": true, "strconv.ParseInt": true, "strconv.ParseUint": true, "strconv.ParseFloat": true, "strconv.ParseBool": true,
	"net/url.QueryUnescape": true, "net/url.PathUnescape": true, "time.ParseDuration": true,
}

// inside reports whether a slice of bytes ends within their length: with a string it would panic beyond, and with
// bytes it need not.
func (t *textual) inside(n *ast.SliceExpr, stack []ast.Node) bool {
	if n.High == nil || t.p.isZero(n.High) {
		return true
	}
	v := t.p.local(n.X)
	if v == nil {
		return false
	}
	if length := t.p.builtin(ast.Unparen(n.High), "len"); length != nil {
		return t.p.local(length.Args[0]) == v
	}
	if minus, ok := ast.Unparen(n.High).(*ast.BinaryExpr); ok && minus.Op == token.SUB && t.p.constantInt(minus.Y) >= 0 {
		length := t.p.builtin(ast.Unparen(minus.X), "len")
		return length != nil && t.p.local(length.Args[0]) == v
	}
	i := t.p.local(n.High)
	return i != nil && !t.addressed(i) && (t.foundIn(i, v, n, stack) || t.countedIn(i, v, n, stack))
}

// addressed reports whether the address of a variable is taken, or a function literal has it.
func (t *textual) addressed(v *types.Var) bool {
	return slices.ContainsFunc(t.p.mentions(t.p.unit, v), func(m mention) bool {
		u, ok := m.parent().(*ast.UnaryExpr)
		return ok && u.Op == token.AND || t.p.captured(m, v)
	})
}

// foundIn reports whether a number is what bytes.Index or the like returned of a variable, and neither is set until
// the slice.
func (t *textual) foundIn(i, v *types.Var, at *ast.SliceExpr, stack []ast.Node) bool {
	d, ok := t.p.define(t.p.unit, i)
	if !ok || d.value == nil {
		return false
	}
	call, ok := ast.Unparen(d.value).(*ast.CallExpr)
	if !ok || len(call.Args) == 0 || t.p.local(call.Args[0]) != v {
		return false
	}
	fn := t.p.callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "bytes" || !strings.Contains(fn.Name(), "Index") {
		return false
	}
	return sameLoop(stackOf(t.p.file, call), stack) && !t.setBetween(i, d.value.End(), at) && !t.setBetween(v, d.value.End(), at)
}

// setBetween reports whether a variable is set from a position to an expression, whose statement is left out: it
// is set there only when the expression has been evaluated.
func (t *textual) setBetween(v *types.Var, from token.Pos, to ast.Expr) bool {
	return slices.ContainsFunc(t.p.mentions(t.p.unit, v), func(m mention) bool {
		if !sets(m) || m.id.Pos() < from || m.id.Pos() > to.End() {
			return false
		}
		assign, ok := m.parent().(*ast.AssignStmt)
		return !ok || to.Pos() < assign.Pos() || assign.End() < to.End()
	})
}

// sets reports whether a mention of a variable sets it.
func sets(m mention) bool {
	if _, ok := m.assigned(); ok {
		return true
	}
	switch n := m.parent().(type) {
	case *ast.IncDecStmt:
		return true
	case *ast.RangeStmt:
		return ast.Unparen(n.X) != m.id
	}
	return false
}

// sameLoop reports whether a definition stands in the body of the innermost loop around a use, or both in none: what
// stands before a loop, or begins it, is not evaluated again with each iteration.
func sameLoop(definition, use []ast.Node) bool {
	return innermostLoop(definition, true) == innermostLoop(use, false)
}

// innermostLoop is the innermost loop or function literal around a node, or of loops only one with the node in its body.
func innermostLoop(stack []ast.Node, inBody bool) ast.Node {
	for i, n := range slices.Backward(stack) {
		if body := loopBody(n); body != nil && (!inBody || i+1 < len(stack) && stack[i+1] == body) {
			return n
		}
		if _, ok := n.(*ast.FuncLit); ok {
			return n
		}
	}
	return nil
}

// countedIn reports whether a number is that of a loop over a variable, by range or up to its length, and neither is
// set in the loop.
func (t *textual) countedIn(i, v *types.Var, at *ast.SliceExpr, stack []ast.Node) bool {
	for _, n := range slices.Backward(stack) {
		body := loopBody(n)
		if body == nil || at.Pos() < body.Pos() {
			continue
		}
		counts := false
		switch n := n.(type) {
		case *ast.RangeStmt:
			counts = n.Key != nil && n.Tok == token.DEFINE && n.Key.Pos() == i.Pos() && t.p.local(n.X) == v
		case *ast.ForStmt:
			counts = n.Cond != nil && t.bounded(n.Cond, i, v)
		}
		if counts {
			return !t.setIn(body, i) && !t.setIn(n, v)
		}
	}
	return false
}

// bounded reports whether a condition says that a number is less than the length of a variable.
func (t *textual) bounded(cond ast.Expr, i, v *types.Var) bool {
	e, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return false
	}
	if e.Op == token.LAND {
		return t.bounded(e.X, i, v) || t.bounded(e.Y, i, v)
	}
	length := t.p.builtin(ast.Unparen(e.Y), "len")
	return (e.Op == token.LSS || e.Op == token.LEQ) && length != nil && t.p.local(e.X) == i && t.p.local(length.Args[0]) == v
}

// setIn reports whether a variable is set inside of a node.
func (t *textual) setIn(in ast.Node, v *types.Var) bool {
	return slices.ContainsFunc(t.p.mentions(t.p.unit, v), func(m mention) bool {
		return sets(m) && in.Pos() <= m.id.Pos() && m.id.Pos() < in.End()
	})
}

// keptWhole returns the finding of a line whose only copy of a string, in a variable, can be left out.
func (p *Line) keptWhole() (f Finding) {
	in, share := p.only()
	made, ok := in.(*ssa.Convert)
	if !ok || share == 0 || !isString(made.X.Type()) {
		return f
	}
	v, edits, copies := p.keepEdits()
	if edits == nil {
		return f
	}
	also, more := p.alsoCopies(copies)
	return Finding{Share: share, Also: also, Calls: textCopies, Edits: edits, Evidence: append([]Evidence{
		p.at(made.Pos(), fmt.Sprintf("strings of %.0f bytes on average are copied to []byte%s", p.objectSize(), p.inEach())),
		p.at(v.Pos(), fmt.Sprintf("%s and its parts do not leave the function, which only reads them, so they can be strings", v.Name())),
	}, more...)}
}
