package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// stackedBuffer finds the bytes.Buffer to which the line writes most, if it can begin with memory on the stack that nearly all of the
// texts fit in the room. s declares it.
func (p *Line) stackedBuffer() (f Finding, s ast.Stmt, room stackRoom) {
	var m madeBuffer
	var plain token.Pos
	root, share := p.grownMost(func(root ssa.Value) bool {
		f.Edits = nil
		var ok bool
		if m, ok = p.makes(root); !ok || m.kind != "bytes.Buffer" || m.builderWithRoom() != nil || m.asSum() != nil {
			return false
		}
		if room, ok = p.stackRoom(m); ok {
			f.Edits, plain = m.onStack(room)
		}
		return f.Edits != nil
	})
	if root == nil {
		return Finding{}, nil, room
	}
	f.Share, f.What = share*room.saved, "start "+m.v.Name()+" on the stack"
	f.Evidence = []Evidence{
		p.at(p.callsOnLine()[0].Pos(), fmt.Sprintf("a bytes.Buffer grows here%s", p.inEach())), // grownMost has found one
		p.at(root.Pos(), fmt.Sprintf("the buffer does not leave %s, and nearly all of its texts fit in %d bytes, so it can begin with memory on the stack", nameOf(root.Parent()), room.bytes)),
	}
	if plain.IsValid() {
		f.Evidence = append(f.Evidence, p.at(plain, "fmt has the buffer on the heap, and writing the parts, which are plain, does not"))
	}
	// A buffer whose address fmt gets is on the heap itself, which nothing has the address of then.
	whole := &wider{p: p, at: []token.Pos{root.Pos()}, through: directly, most: math.MaxInt64}
	also, evidence := whole.all("the buffer itself need not be on the heap then, either")
	f.Also, f.Evidence = also, append(f.Evidence, evidence...)
	return f, m.list.list[m.list.at], room
}

// bufferAlike are the edits that have the buffer which a statement declares begin with as much memory on the stack as another one.
func (p *Line) bufferAlike(s ast.Stmt, room stackRoom) []Edit {
	m, ok := p.declaredBuffer(s)
	if !ok || m.builderWithRoom() != nil || m.asSum() != nil || len(p.growthOf(m.root)) > 0 {
		return nil
	}
	edits, _ := m.onStack(room)
	return edits
}

// declaredBuffer is the bytes.Buffer that a statement declares; ok is false if there is none.
func (p *Line) declaredBuffer(s ast.Stmt) (m madeBuffer, ok bool) {
	fn := p.fns[p.lineAt(s.Pos()).fn.node]
	for _, b := range p.blocksOf(fn) {
		for _, in := range b.Instrs {
			root, isValue := in.(ssa.Value)
			if !isValue || in.Pos() < s.Pos() || s.End() <= in.Pos() || bufferKind(root.Type()) != "bytes.Buffer" {
				continue
			}
			if m, ok = p.makes(root); ok && m.list.list[m.list.at] == s {
				return m, true
			}
		}
	}
	return m, false
}

// withoutPool reports whether a bytes.Buffer needs no pool: it can begin with memory on the stack, or be a builder with room for its text, or
// a sum of its parts.
func (p *Line) withoutPool(root ssa.Value) bool {
	m, ok := p.makes(root)
	if !ok || m.kind != "bytes.Buffer" {
		return false
	}
	if room, ok := p.stackRoom(m); ok {
		if edits, _ := m.onStack(room); edits != nil {
			return true
		}
	}
	return m.builderWithRoom() != nil || m.asSum() != nil
}

// A stackRoom is the memory that a buffer begins with.
type stackRoom struct {
	bytes int64
	saved float64 // share of the bytes of its growth that is not allocated then
}

// leastOnStack is the share of the bytes of its growth that a buffer has to have on the stack; a slice in its place, which grows by
// smaller steps than a buffer once it is large, leastInSlice.
const (
	leastOnStack = 0.5
	leastInSlice = 0.8
)

// stackRoom returns the room, a power of two from 64 to 512 bytes, that nine tenths of the buffers which are made there need no more than;
// ok is false if there is none, or if too few were sampled.
func (p *Line) stackRoom(m madeBuffer) (room stackRoom, ok bool) {
	o, ok := p.growthSeen(m)
	if !ok {
		return room, false
	}
	for room.bytes = smallestBuffer; room.bytes <= mostOnStack; room.bytes *= 2 {
		var fit, below, all int64
		for _, e := range o.ends {
			if e.Bytes <= room.bytes {
				fit += e.Objects
			}
		}
		for _, s := range o.steps {
			all += s.Bytes * s.Objects
			if s.Bytes <= room.bytes {
				below += s.Bytes * s.Objects
			}
		}
		if float64(fit) >= mostEnds*float64(o.runs) {
			room.saved = float64(below) / float64(all)
			return room, room.saved >= leastOnStack
		}
	}
	return room, false
}

// onStack are the edits that have the buffer begin with memory on the stack: nil if it is observable how much room it has, or if the
// compiler would not leave the memory there. WriteRune stores memory that it is given back, and what prints to the buffer has it in an
// interface: then they become writes of bytes and parts, or the buffer a slice. plain is the first call of fmt that becomes writes.
func (m madeBuffer) onStack(room stackRoom) (edits []Edit, plain token.Pos) {
	b := m.p.blindTo(m.root)
	if b.told || b.later || b.grown || m.p.leavesBy(m.root.Pos(), true) || !ofLanguage(m.p.objectAt("byte", m.v.Pos())) || m.p.declaredElsewhere("byte") {
		return nil, token.NoPos
	}
	for _, call := range b.bytes {
		if !m.onlyReads(call) {
			return nil, token.NoPos
		}
	}
	var moved []token.Pos // where the compiler has the memory on the heap
	for v := range b.seen {
		for _, in := range *v.Referrers() {
			here, inSlice := b.staysWith(v, in)
			if !inSlice {
				return nil, token.NoPos
			}
			if !here {
				moved = append(moved, in.Pos())
			}
		}
	}
	edits, plain = m.asNewBuffer(room.bytes, moved)
	lent := slices.ContainsFunc(edits, func(e Edit) bool { return strings.Contains(e.Text, ".AvailableBuffer()") })
	if (edits == nil || lent) && room.saved >= leastInSlice {
		if slice := m.asSlice(room.bytes); slice != nil {
			edits, plain = slice, token.NoPos
		}
	}
	if edits == nil || m.p.leadsBack(m.root.Parent()) {
		return nil, token.NoPos // each depth would have the memory in its frame
	}
	return edits, plain
}

// leavesOnStack are the methods of a bytes.Buffer that leave its memory where it is, as the compiler sees it.
var leavesOnStack = []string{"Write", "WriteString", "WriteByte", "String", "Len", "Bytes", "Reset", "Truncate"}

// printsAs maps functions that write to an io.Writer to those of the same package that append the same text.
var printsAs = map[string]string{"fmt.Fprint": "Append", "fmt.Fprintf": "Appendf", "fmt.Fprintln": "Appendln"}

// staysWith reports whether a use of the buffer leaves its memory where it is; and whether one of a slice in its place may.
func (b *roomBlind) staysWith(v ssa.Value, in ssa.Instruction) (asBuffer, asSlice bool) {
	switch in := in.(type) {
	case *ssa.DebugRef:
		return true, true
	case *ssa.MakeInterface:
		return true, true // what uses it follows
	case *ssa.Store:
		declares := in.Addr == b.root && b.isDeclared(in)
		return declares, declares
	case *ssa.Call:
		callee := in.Call.StaticCallee()
		switch {
		case callee == nil || in.Call.Args[0] != v && len(callee.Blocks) == 0:
		case bufferKind(v.Type()) == "":
			return false, printsAs[fullName(callee)] != ""
		case len(callee.Blocks) > 0:
			return true, true
		case callee.Signature.Recv() != nil:
			asBuffer = slices.Contains(leavesOnStack, callee.Name())
			return asBuffer, asBuffer || callee.Name() == "WriteRune"
		}
	}
	return false, false
}

// onlyReads reports whether what Bytes returns is read by the function, and by what the compiler knows not to keep it.
func (m madeBuffer) onlyReads(call *ssa.Call) bool {
	u := &unasked{p: m.p, writers: true, seen: map[ssa.Value]bool{}}
	u.push(call)
	u.run()
	for v := range u.seen {
		if _, joined := v.(*ssa.Phi); joined {
			return false // a variable of the loop around may have it in the next iteration
		}
	}
	return !u.asked && !u.given && !u.lent && !u.outside && !u.wrote
}

// stackNote is the comment on memory for n elements of a slice that begins with an array on the stack.
func stackNote(n int64, slice types.Type) string {
	unit := "elements"
	if elem := slice.Underlying().(*types.Slice).Elem(); types.Identical(elem, types.Typ[types.Byte]) {
		unit = "bytes"
	}
	return fmt.Sprintf("up to %d %s stay on the stack", n, unit)
}

// asNewBuffer has the variable point to a buffer that begins with memory of some bytes, and writes bytes and parts instead of the calls at
// some positions: nil if one of these stays.
func (m madeBuffer) asNewBuffer(n int64, calls []token.Pos) (edits []Edit, plain token.Pos) {
	pkg, imports, ok := m.p.importing("bytes")
	if !ok || len(imports) > 0 {
		return nil, token.NoPos
	}
	runes, rest := m.runesAsBytes(calls)
	parts, pkgs, plain := m.printedParts(rest, false) // WriteRune has the memory on the heap, too
	if len(parts) < len(rest) {
		return nil, token.NoPos
	}
	edits = m.declared(fmt.Sprintf("%s.NewBuffer(make([]byte, 0, %d))", pkg, n), n)
	if edits == nil {
		return nil, token.NoPos
	}
	edits = append(edits, runes...)
	if len(parts) > 0 {
		written, ok := m.p.instead(parts, pkgs...)
		if !ok {
			return nil, token.NoPos
		}
		edits = append(edits, written...)
	}
	if bufferKind(m.v.Type()) == "" {
		uses, ok := m.p.pointerUses(m.v, parts)
		if !ok {
			return nil, token.NoPos
		}
		edits = append(edits, uses...)
	}
	return edits, plain
}

// printedParts are the lines that write the parts of what fmt prints to the buffer, for the statements of the calls at some positions, with
// the packages that they need: characters among them if these are wanted. The first of those calls is at plain.
func (m madeBuffer) printedParts(calls []token.Pos, characters bool) (lines map[ast.Node]string, imports []string, plain token.Pos) {
	lines = map[ast.Node]string{}
	for _, x := range m.p.mentions(m.p.unit, m.v) {
		call, fn := m.printedBy(x)
		if fn == nil || call.Ellipsis.IsValid() || !slices.Contains(calls, call.Lparen) {
			continue
		}
		c := called{call: call, fn: fn, name: fn.FullName()}
		pieces, ok := m.p.pieces(c, call.Args[1:])
		if !ok || slices.ContainsFunc(pieces, func(x piece) bool {
			return x.call || x.char != "" && !characters || x.bytes && !m.p.ownBytes(call.Args[0])
		}) {
			continue
		}
		w, ok := m.p.writing(call, call.Args[0], call.Args[1:])
		if !ok {
			continue
		}
		text, more := w.lines(pieces)
		if text == "" {
			continue
		}
		lines[w.stmt] = text
		imports = append(imports, more...)
		if !plain.IsValid() {
			plain = call.Pos()
		}
	}
	slices.Sort(imports)
	return lines, slices.Compact(imports), plain
}

// printedBy is the call of fmt that a mention of the buffer is the writer of; fn is nil if there is none.
func (m madeBuffer) printedBy(x mention) (call *ast.CallExpr, fn *types.Func) {
	arg, around := ast.Expr(x.id), x.parent()
	if and, is := around.(*ast.UnaryExpr); is && and.Op == token.AND {
		arg, around = and, innermost(stackOf(m.p.file, and))
	}
	call, ok := around.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 || call.Args[0] != arg {
		return nil, nil
	}
	if fn = m.p.callee(call); fn == nil || printsAs[fn.FullName()] == "" {
		return nil, nil
	}
	return call, fn
}

// runesAsBytes are the edits of calls of WriteRune, for a character of ASCII, which become ones of WriteByte; rest are those of some positions
// that none of them is at.
func (m madeBuffer) runesAsBytes(calls []token.Pos) (edits []Edit, rest []token.Pos) {
	rest = slices.Clone(calls)
	for _, x := range m.p.mentions(m.p.unit, m.v) {
		sel, ok := x.parent().(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "WriteRune" {
			continue
		}
		call, ok := innermost(stackOf(m.p.file, sel)).(*ast.CallExpr)
		if !ok || call.Fun != sel || !isASCII(call.Args[0]) {
			continue
		}
		if _, alone := innermost(stackOf(m.p.file, call)).(*ast.ExprStmt); alone {
			edits = append(edits, m.p.edit(sel.Sel.Pos(), sel.Sel.End(), "WriteByte"))
			rest = slices.DeleteFunc(rest, func(at token.Pos) bool { return at == call.Lparen })
		}
	}
	return edits, rest
}

// isASCII reports whether an expression is a character of ASCII in quotes.
func isASCII(e ast.Expr) bool {
	lit, ok := ast.Unparen(e).(*ast.BasicLit)
	if !ok || lit.Kind != token.CHAR {
		return false
	}
	r, _, _, err := strconv.UnquoteChar(lit.Value[1:len(lit.Value)-1], '\'')
	return err == nil && r < 0x80
}

// declaredAlone reports whether the statement that declares the variable declares nothing else, and has no comment in it.
func (m madeBuffer) declaredAlone() bool {
	alone := false
	s := m.list.list[m.list.at]
	switch s := s.(type) {
	case *ast.AssignStmt:
		alone = s.Tok == token.DEFINE && len(s.Lhs) == 1
	case *ast.DeclStmt:
		_, decl := m.p.declares(m.v)
		alone = decl == s && len(s.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Names) == 1
	}
	return alone && !m.p.commentedBetween(s.Pos(), s.End())
}

// declared has the statement that declares the variable, and nothing else, declare it with another value, which has n bytes on the stack: nil
// if it declares more, or names a type.
func (m madeBuffer) declared(value string, n int64) []Edit {
	s := m.list.list[m.list.at]
	if !m.declaredAlone() || !m.p.means(s.Pos(), value, "make") {
		return nil
	}
	e := m.p.edit(s.Pos(), s.End(), m.v.Name()+" := "+value)
	e.Stack = e.Text
	if noted := m.p.noted(m.p.unit, []Edit{e}, stackNote(n, types.NewSlice(types.Typ[types.Byte]))); noted != nil && strings.HasPrefix(noted[0].Text, e.Text) {
		return noted
	}
	return []Edit{e} // another comment stands there
}

// asSlice makes a slice of the buffer, to which append adds what was written: nil if a use is not a call of a method for which there is
// such a form, or if one that writes is in a loop: append grows a long slice by smaller steps than a buffer, and allocates more.
func (m madeBuffer) asSlice(n int64) []Edit {
	value := fmt.Sprintf("make([]byte, 0, %d)", n)
	edits := m.declared(value, n)
	if _, more, ok := m.p.importing("bytes"); edits == nil || !ok || len(more) > 0 || !m.p.since(18) { // utf8.AppendRune
		return nil
	}
	if m.p.jumps(m.v.Pos()) {
		return nil
	}
	imported := false
	parts, pkgs := map[ast.Node]string{}, []string{}
	for _, x := range m.p.mentions(m.p.unit, m.v) {
		if within(x.stack, m.v.Pos()) != nil || m.writesAgain(x) {
			return nil
		}
		if stmt, lines, more := m.appendedParts(x); lines != "" {
			parts[stmt] = lines
			pkgs = append(pkgs, more...)
			continue
		}
		if e, ok := m.appended(x); ok {
			edits = append(edits, e)
			continue
		}
		sel, ok := x.parent().(*ast.SelectorExpr)
		if !ok {
			return nil
		}
		call, ok := innermost(stackOf(m.p.file, sel)).(*ast.CallExpr)
		if !ok || call.Fun != sel || m.p.hasComment(call) {
			return nil
		}
		head, tail, ok := m.sliceForm(sel.Sel.Name, call)
		if !ok || !m.p.means(call.Pos(), head, "append", "string", "len") {
			return nil
		}
		made := m.madeFor(sel, call)
		if !imported && (strings.Contains(head, ".AppendRune(") || slices.ContainsFunc(made, func(e Edit) bool { return strings.Contains(e.Text, ".AppendRune(") })) {
			_, more, ok := m.p.importing("unicode/utf8")
			if !ok {
				return nil
			}
			edits, imported = append(edits, more...), true
		}
		if made != nil {
			edits = append(edits, made...)
			continue
		}
		if len(call.Args) == 0 {
			edits = append(edits, m.p.edit(call.Pos(), call.End(), head))
			continue
		}
		edits = append(edits, m.p.edit(call.Pos(), call.Args[0].Pos(), head), m.p.edit(call.Args[0].End(), call.End(), tail))
	}
	if len(parts) > 0 {
		slices.Sort(pkgs)
		written, ok := m.p.instead(parts, slices.Compact(pkgs)...)
		if !ok {
			return nil
		}
		for _, e := range written {
			if !slices.Contains(edits, e) { // what imports a package
				edits = append(edits, e)
			}
		}
	}
	edits = append(edits, m.p.unimport(map[ast.Node]string{m.list.list[m.list.at]: m.v.Name() + " := " + value}, nil)...)
	slices.SortStableFunc(edits, byPlace)
	return slices.Compact(edits)
}

// appendedParts are the lines that append the parts of what fmt prints to the buffer, in the place of the statement; "" if it takes fmt.
func (m madeBuffer) appendedParts(x mention) (stmt ast.Stmt, lines string, imports []string) {
	call, fn := m.printedBy(x)
	if fn == nil || call.Ellipsis.IsValid() || slices.ContainsFunc(call.Args[1:], func(e ast.Expr) bool { return m.p.hasBelow(e, m.v) }) {
		return nil, "", nil
	}
	pieces, ok := m.p.pieces(called{call: call, fn: fn, name: fn.FullName()}, call.Args[1:])
	if !ok || slices.ContainsFunc(pieces, func(x piece) bool { return x.call || x.bytes || x.byte }) {
		return nil, "", nil
	}
	w, ok := m.p.writing(call, call.Args[0], call.Args[1:])
	if !ok || w.err != nil {
		return nil, "", nil
	}
	if _, alone := w.stmt.(*ast.ExprStmt); !alone {
		return nil, "", nil
	}
	w.kind, w.to = slicedBytes, m.v.Name()
	lines, imports = w.lines(pieces)
	return w.stmt, lines, imports
}

// writesAgain reports whether the buffer may be written to in a loop, which does not hold its declaration.
func (m madeBuffer) writesAgain(x mention) bool {
	if sel, ok := x.parent().(*ast.SelectorExpr); ok && slices.Contains([]string{"Len", "String", "Bytes", "Reset"}, sel.Sel.Name) {
		return false
	}
	return slices.ContainsFunc(x.stack, func(n ast.Node) bool {
		return loopBody(n) != nil && (m.v.Pos() < n.Pos() || n.End() <= m.v.Pos())
	})
}

// appended is the edit of a statement that prints to the buffer, which appends to the slice then.
func (m madeBuffer) appended(x mention) (e Edit, ok bool) {
	call, fn := m.printedBy(x)
	if fn == nil {
		return e, false
	}
	stmt, alone := innermost(stackOf(m.p.file, call)).(*ast.ExprStmt)
	pkg, qualified := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if arg := call.Args[0]; !qualified || !alone || stmt.X != call || !m.p.since(19) || m.p.commentedBetween(call.Pos(), arg.End()) {
		return e, false
	}
	v := m.v.Name()
	return m.p.edit(call.Pos(), call.Args[0].End(), v+" = "+m.p.text(pkg.X)+"."+printsAs[fn.FullName()]+"("+v), true
}

// sliceForm returns the texts around the argument of a method call on the buffer that do the same to a slice. What writes is a
// statement by itself.
func (m madeBuffer) sliceForm(method string, call *ast.CallExpr) (head, tail string, ok bool) {
	v, around := m.v.Name(), innermost(stackOf(m.p.file, call))
	stmt, alone := around.(*ast.ExprStmt)
	if alone && stmt.X != call || alone != (method != "String" && method != "Bytes" && method != "Len") || runsLater(around) {
		return "", "", false
	}
	switch method {
	case "String":
		return "string(" + v + ")", "", true
	case "Bytes":
		return v, "", true
	case "Len":
		return "len(" + v + ")", "", true
	case "Reset":
		return v + " = " + v + "[:0]", "", true
	}
	if len(call.Args) != 1 || call.Ellipsis.IsValid() {
		return "", "", false
	}
	arg := ast.Unparen(call.Args[0])
	switch method {
	case "Write":
		return v + " = append(" + v + ", ", "...)", !m.p.isNil(arg)
	case "WriteString":
		return v + " = append(" + v + ", ", "...)", true
	case "WriteByte":
		return v + " = append(" + v + ", ", ")", true
	case "WriteRune":
		if isASCII(arg) {
			return v + " = append(" + v + ", ", ")", true
		}
		return v + " = " + m.p.qualify("unicode/utf8") + ".AppendRune(" + v + ", ", ")", true
	}
	return "", "", false
}

// madeFor are the edits of a statement that writes a text which is made for it: its parts are appended one by one, as far as they can be,
// and a number without a string in between. nil if the text is appended as it is.
func (m madeBuffer) madeFor(sel *ast.SelectorExpr, call *ast.CallExpr) []Edit {
	if sel.Sel.Name != "WriteString" {
		return nil
	}
	switch arg := ast.Unparen(call.Args[0]).(type) {
	case *ast.BinaryExpr:
		pieces, known := m.p.textPieces(arg)
		w, ok := m.p.writing(call, sel.X, []ast.Expr{arg})
		if !known || !ok || below(arg, func(n ast.Node) bool { id, ok := n.(*ast.Ident); return ok && m.p.object(id) == m.v }) {
			return nil
		}
		w.kind, w.to = slicedBytes, m.v.Name()
		if pieces = merged(pieces); !w.fewParts(pieces) {
			return nil
		}
		if lines, _ := w.lines(pieces); lines != "" {
			return []Edit{m.p.edit(call.Pos(), call.End(), lines)}
		}
	case *ast.CallExpr:
		fn := m.p.callee(arg)
		if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "strconv" || slices.ContainsFunc(arg.Args, m.p.shifts) {
			return nil
		}
		to, ok := twins[fn.FullName()]
		pkg, qualified := ast.Unparen(arg.Fun).(*ast.SelectorExpr)
		if !ok || !m.p.goes(to.since) || !qualified || len(arg.Args) != fn.Signature().Params().Len() {
			return nil
		}
		v := m.v.Name()
		head, tail := v+" = "+m.p.text(pkg.X)+"."+to.name+"("+v+", ", ")"
		if fn.Name() == "Itoa" {
			head, tail = head+"int64(", "), 10)"
		}
		if m.p.means(arg.Pos(), head, "int64") {
			return []Edit{m.p.edit(call.Pos(), arg.Args[0].Pos(), head), m.p.edit(arg.Args[len(arg.Args)-1].End(), call.End(), tail)}
		}
	}
	return nil
}

// pointerUses makes the uses of a struct variable ones of a pointer to it, but for those in nodes that are replaced: ok is false if one is a
// copy, or a method that is not called.
func (p *Line) pointerUses(v *types.Var, replaced map[ast.Node]string) (edits []Edit, ok bool) {
	for _, m := range p.mentions(p.unit, v) {
		if slices.ContainsFunc(m.stack, func(n ast.Node) bool { return replaced[n] != "" }) {
			continue
		}
		switch n := m.parent().(type) {
		case *ast.UnaryExpr:
			if p.commentedBetween(n.Pos(), n.End()) {
				return nil, false
			}
			edits = append(edits, p.edit(n.Pos(), n.End(), v.Name()))
		case *ast.SelectorExpr:
			call, is := innermost(stackOf(p.file, n)).(*ast.CallExpr)
			if !is || ast.Unparen(call.Fun) != n {
				return nil, false
			}
		default:
			return nil, false
		}
	}
	return edits, true
}
