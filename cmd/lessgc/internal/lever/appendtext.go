package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

var appendText = &Lever{
	Name:    "append-text",
	Title:   "append the text to where it goes, without a string in between",
	Subject: "append without a temporary string",
	Looks:   "a string that strconv, fmt, hex, base64, package big or time.Time's Format makes only for append, WriteString, Write or a conversion to []byte, when there is a function that appends or writes the same text.",
	Wrong:   "when a type whose Write and WriteString differ is written to.",
	Before: `b = append(b, strconv.Itoa(id)...)
buf.WriteString(t.Format(time.RFC3339))
w.Write([]byte(fmt.Sprintf("%d items", n)))
return []byte(fmt.Sprintf("user:%d", n))`,
	After: `b = strconv.AppendInt(b, int64(id), 10)
buf.Write(t.AppendFormat(buf.AvailableBuffer(), time.RFC3339))
fmt.Fprintf(w, "%d items", n)
return fmt.Appendf(nil, "user:%d", n)`,
	Model: "The string goes whole, and so does its copy. Operands of fmt are boxed as before.",
	Saves: Saves{Alloc: Range{0.9, 1}, Collect: Range{0.9, 1}},
	Rewrite: "What is appended to a slice comes in one append (a number without a sign does), so that the old memory is written to only if all of it has room. " +
		"What is written goes to a bytes.Buffer, a strings.Builder or a bufio.Writer that no type of the program is behind and whose error is not used, or, as bytes that fmt makes, to a file: these keep no bytes and take them as they take the text. What fmt writes to is on the heap anyway, as far as the source shows. " +
		"Bytes that are encoded are those of a local array that nothing else keeps a piece of, or a copy of a string, and not those of the target. " +
		"Where it comes in several, only the slice refers to its memory, and it stays in the function. " +
		"Bytes that are made of a text without a target are not empty, and so not nil; how much room they have, the language leaves open, and nothing in the function asks for it. The target is not changed by a call among the operands, and these cannot panic in words of their own where the target may be nil. Where a bytes.Buffer lends the room, numbers of other types in the file change, too." + otherCalls,
	find: findAppendText,
}

// A twin is a function that appends the text which another returns.
type twin struct {
	name  string // in its package, or among the methods of its type
	since string // the version of Go; Fprint and the like are older
}

var twins = map[string]twin{
	"strconv.Itoa": {"AppendInt", "1.0"}, "strconv.FormatInt": {"AppendInt", "1.0"}, "strconv.FormatUint": {"AppendUint", "1.0"},
	"strconv.FormatFloat": {"AppendFloat", "1.0"}, "strconv.Quote": {"AppendQuote", "1.0"}, "strconv.QuoteToASCII": {"AppendQuoteToASCII", "1.0"},
	"strconv.QuoteToGraphic": {"AppendQuoteToGraphic", "1.6"}, "strconv.QuoteRune": {"AppendQuoteRune", "1.0"}, "strconv.QuoteRuneToASCII": {"AppendQuoteRuneToASCII", "1.0"},
	"(*math/big.Int).String": {"Append", "1.6"}, "(*math/big.Int).Text": {"Append", "1.6"}, "(*math/big.Float).Text": {"Append", "1.5"},
	"(*encoding/base32.Encoding).EncodeToString": {"AppendEncode", "1.22"},
	"(time.Time).Format":                         {"AppendFormat", "1.5"},
	"encoding/hex.EncodeToString":                {"AppendEncode", "1.22"}, "(*encoding/base64.Encoding).EncodeToString": {"AppendEncode", "1.22"},
	"fmt.Sprintf": {"Appendf", "1.19"}, "fmt.Sprint": {"Append", "1.19"}, "fmt.Sprintln": {"Appendln", "1.19"},
}

// formatsNumbers are functions whose calls change together in a file. Itoa is not among them: below 100 it allocates nothing.
var formatsNumbers = []string{"strconv.FormatInt", "strconv.FormatUint", "strconv.FormatFloat"}

func findAppendText(p *Line) Finding {
	f, c := p.appendsText(true)
	if f.Edits == nil {
		return f
	}
	f.InPlace = true
	lent := slices.ContainsFunc(f.Edits, func(e Edit) bool { return strings.Contains(e.Text, ".AvailableBuffer()") })
	ofNumbers := func(other *ast.CallExpr) bool { // a reader would ask why a number of another type is left, where it takes no memory of its own
		fn := p.callee(other)
		return lent && fn != nil && slices.Contains(formatsNumbers, fn.FullName()) && slices.Contains(formatsNumbers, c.name) && !errorPath(stackOf(p.file, other))
	}
	return p.alikeCalls(f, []called{c}, ofNumbers, func(other *ast.CallExpr) []Edit {
		f, c := p.lineAt(other.Pos()).appendsText(false)
		if c.call != other {
			return nil
		}
		return f.Edits
	})
}

// appendsText is about the first call on the line whose text can be appended or written by another: one that the profile has, if it is to be seen.
func (p *Line) appendsText(seen bool) (f Finding, _ called) {
	for _, c := range p.called() {
		to, ok := twins[c.name]
		if !ok {
			continue
		}
		if _, ok := ast.Unparen(c.call.Fun).(*ast.SelectorExpr); !ok || p.isExpression(c.call) {
			continue
		}
		share := p.below(c.fn)
		if !seen {
			share = max(share, 1)
		}
		outer, conversion := p.goesInto(c)
		if share == 0 || outer == nil && conversion == nil {
			continue
		}
		f = Finding{Share: share, Evidence: []Evidence{p.at(c.call.Pos(), fmt.Sprintf("%s makes a string that is only copied; %s appends the same text without one", c.name, to.name))}}
		if outer != nil {
			if conversion != nil {
				f.Share += p.alone(func(n ast.Node) bool { return n == conversion || n == c.call })
			}
			if text := p.appended(c, to, outer, conversion); text != "" {
				if p.sameWithout(c, outer, conversion) && p.means(outer.Pos(), text, "int64", "make") && !p.shadows("byte", outer.Pos()) {
					f.Edits, _ = p.instead(map[ast.Node]string{outer: text})
				}
				return f, c
			}
		}
		if text := p.asBytes(c, to, conversion); text != "" {
			f.Share = share
			if p.neverEmpty(c) && !slices.ContainsFunc(c.call.Args, p.shifts) && p.means(c.call.Pos(), text, "int64") && !p.shadows("nil", c.call.Pos()) {
				f.Edits, _ = p.instead(map[ast.Node]string{conversion: text})
			}
			return f, c
		}
	}
	return Finding{}, called{}
}

// goesInto is the call that the text of another is for, and the conversion in between, if there is
// one.
func (p *Line) goesInto(c called) (outer, conversion *ast.CallExpr) {
	outer, _ = c.parent().(*ast.CallExpr)
	if outer != nil && p.copiesText(outer) {
		conversion = outer
		outer, _ = innermost(stackOf(p.file, conversion)).(*ast.CallExpr)
	}
	return outer, conversion
}

// appended returns the replacement of a call that takes the text; "" if there is none.
func (p *Line) appended(c called, to twin, outer, conversion *ast.CallExpr) string {
	if runsLater(innermost(stackOf(p.file, outer))) {
		return "" // the text would be made at another time
	}
	if call := p.builtin(outer, "append"); call != nil {
		last := ast.Unparen(call.Args[len(call.Args)-1])
		if last != ast.Expr(c.call) && (conversion == nil || last != ast.Expr(conversion)) {
			return "" // it is what is appended to
		}
		if len(call.Args) != 2 || !call.Ellipsis.IsValid() || !p.isBytes(call.Args[0]) {
			return ""
		}
		return p.appendCall(c, to, p.oneLine(call.Args[0]))
	}
	fn := p.callee(outer)
	sel, ok := ast.Unparen(outer.Fun).(*ast.SelectorExpr)
	if fn == nil || !ok {
		return ""
	}
	fprint := strings.HasPrefix(c.name, "fmt.S")
	switch name := fn.FullName(); {
	case name == "io.WriteString" && conversion == nil && fprint:
		return p.fprints(c, p.oneLine(outer.Args[0]))
	case fn.Name() == "WriteString" && conversion == nil && len(outer.Args) == 1, fn.Name() == "Write" && conversion != nil && len(outer.Args) == 1:
		if p.asWriter(sel.X, fprint) == "" || fn.Name() == "WriteString" && p.textTaker(sel.X) == "" {
			return ""
		}
		if fprint {
			if p.onHeap(sel.X) {
				return p.fprints(c, p.asWriter(sel.X, true))
			}
			return ""
		}
		recv, room, lent := p.oneLine(sel.X), p.roomOf(sel.X, c), p.lendsRoom(sel.X, c)
		if p.simple(sel.X) && (!lent || p.quiet(c.call)) && room != "" {
			if text := p.appendCall(c, to, room); text != "" && recv != "" {
				return recv + ".Write(" + text + ")"
			}
		}
	}
	return ""
}

// digits is the room that numbers and times take at most, as a rule.
var digits = map[string]string{"strconv.Itoa": "20", "strconv.FormatInt": "64", "strconv.FormatUint": "64", "strconv.FormatFloat": "32", "(time.Time).Format": "64"}

// lendsRoom reports whether a writer lends memory to append to, which the next write ends. A buffer of the function may have none yet.
func (p *Line) lendsRoom(writer ast.Expr, c called) bool {
	kind := p.textTaker(writer)
	if kind == "bytes.Buffer" && digits[c.name] != "" {
		if v := p.local(writer); v != nil {
			if d, ok := p.define(p.unit, v); ok && !d.param {
				return false
			}
		}
	}
	return kind != "strings.Builder" && p.goes("1.21")
}

// roomOf is the memory that a writer lends for the text of a call, or what is on the stack if it lends none; "" if there is none.
func (p *Line) roomOf(writer ast.Expr, c called) string {
	if p.lendsRoom(writer, c) {
		return p.oneLine(writer) + ".AvailableBuffer()"
	}
	if p.textTaker(writer) == "bufio.Writer" {
		return "" // what it is given may go on to another writer, and be on the heap
	}
	room := digits[c.name]
	if strings.HasPrefix(c.name, "strconv.Format") && room == "64" && p.constantInt(c.call.Args[1]) == 10 {
		room = "20"
	}
	if room == "" {
		return ""
	}
	return "make([]byte, 0, " + room + ")"
}

// ofOthers reports whether the bytes that an encoding is given are of no buffer: those of a local array, or a copy of a string.
func (p *Line) ofOthers(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.SliceExpr:
		v := p.local(e.X)
		if v == nil {
			return false
		}
		_, array := v.Type().Underlying().(*types.Array)
		return array
	case *ast.CallExpr:
		return p.copiesText(e)
	}
	return false
}

// ownArray reports whether nothing but calls of package encoding/binary, of functions that copy, and of encodings has a piece of the local array that
// an operand is a piece of: no target of a text is in its memory.
func (p *Line) ownArray(e ast.Expr) bool {
	cut, ok := ast.Unparen(e).(*ast.SliceExpr)
	if !ok {
		return true // a copy of a string
	}
	return !slices.ContainsFunc(p.mentions(p.unit, p.local(cut.X)), func(m mention) bool {
		switch parent := m.parent().(type) {
		case *ast.SliceExpr:
			call, ok := innermost(m.stack[:slices.Index(m.stack, ast.Node(parent))]).(*ast.CallExpr)
			return !ok || parent.X != m.id || !p.readsPiece(call)
		case *ast.UnaryExpr:
			return parent.Op == token.AND
		case *ast.SelectorExpr:
			return true
		}
		return false
	})
}

// readsPiece reports whether a call reads or sets the bytes of a piece that it is given, and returns nothing that refers to them.
func (p *Line) readsPiece(call *ast.CallExpr) bool {
	if p.builtin(call, "copy") != nil || p.builtin(call, "len") != nil {
		return true
	}
	fn := p.callee(call)
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	path := fn.Pkg().Path()
	return path == "encoding/binary" && !strings.HasPrefix(fn.Name(), "Append") || strings.HasPrefix(fn.Name(), "EncodeToString") && strings.HasPrefix(path, "encoding/") || path == "crypto/rand" || path == "io" && fn.Name() == "ReadFull"
}

// cutsArray reports whether a node is a piece of a local array with constant bounds, which the compiler has checked.
func (p *Line) cutsArray(n ast.Node) bool {
	cut, ok := n.(*ast.SliceExpr)
	if !ok || !p.ofOthers(cut) {
		return false
	}
	return !slices.ContainsFunc([]ast.Expr{cut.Low, cut.High, cut.Max}, func(e ast.Expr) bool { return e != nil && !p.constant(e) })
}

// oneAppend are the functions whose twins append all of the text at once. Others write part of it into the memory that
// there is, also if the rest has no room.
var oneAppend = map[string]bool{"strconv.FormatUint": true, "fmt.Sprint": true, "fmt.Sprintf": true, "fmt.Sprintln": true,
	"encoding/hex.EncodeToString": true, "(*encoding/base64.Encoding).EncodeToString": true, "(*encoding/base32.Encoding).EncodeToString": true,
	"(*math/big.Int).String": true, "(*math/big.Int).Text": true}

// withoutSign reports whether a text is that of a number that is not negative: a sign comes in an append of its own.
func (p *Line) withoutSign(c called) bool {
	if c.name != "strconv.Itoa" && c.name != "strconv.FormatInt" {
		return false
	}
	e := c.call.Args[0]
	for {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok || !p.pkg.TypesInfo.Types[call.Fun].IsType() || !p.widens(call) {
			break
		}
		e = call.Args[0]
	}
	b, ok := p.typeOf(e).Underlying().(*types.Basic)
	return p.notNegative(e) || ok && b.Info()&types.IsUnsigned != 0
}

// widens reports whether a conversion keeps each value, on any system: to int64, or of what is no larger than an int of 32 bits.
func (p *Line) widens(call *ast.CallExpr) bool {
	to, ok := p.typeOf(call).Underlying().(*types.Basic)
	of, known := p.typeOf(call.Args[0]).Underlying().(*types.Basic)
	if !ok || !known {
		return false
	}
	switch of.Kind() {
	case types.Int8, types.Int16, types.Int32, types.Uint8, types.Uint16:
		return to.Kind() == types.Int || to.Kind() == types.Int64
	case types.Int, types.Int64, types.Uint32:
		return to.Kind() == types.Int64
	}
	return false
}

// shifts reports whether an operand is a shift that is no constant: its type is that of where it stands.
func (p *Line) shifts(e ast.Expr) bool {
	return !p.constant(e) && below(e, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		return ok && b.Op == token.SHL
	})
}

// sameWithout reports whether it is unobservable that a text goes where it belongs without a string in between.
func (p *Line) sameWithout(c called, outer, conversion *ast.CallExpr) bool {
	to := outer.Args[0]
	if strings.HasPrefix(c.name, "encoding/") || strings.HasPrefix(c.name, "(*encoding/") {
		if !p.ofOthers(c.call.Args[0]) || !p.ownArray(c.call.Args[0]) {
			return false
		}
	}
	if p.builtin(outer, "append") != nil {
		if !oneAppend[c.name] && !p.withoutSign(c) && !p.ownMemory(outer) {
			return false
		}
	} else {
		if p.callee(outer).FullName() != "io.WriteString" {
			to = ast.Unparen(outer.Fun).(*ast.SelectorExpr).X
		}
		kind := p.textTaker(to)
		if kind == "bufio.Writer" && (!p.portionsOpen(to) || conversion == nil && !p.unheard(outer)) {
			return false // a type of the program may keep the memory, which is that of fmt
		}
		if kind != "bytes.Buffer" && kind != "strings.Builder" && kind != "bufio.Writer" && (conversion == nil || kind == "" && short(p.typeOf(to)) != "*os.File") {
			return false
		}
	}
	_, pointer := p.typeOf(to).Underlying().(*types.Pointer)
	steady := p.settled(to) || p.local(to) != nil && p.textTaker(to) != "" && !pointer // what is at an address of its own
	operands := c.call.Args
	if c.fn.Signature().Recv() != nil {
		operands = append([]ast.Expr{ast.Unparen(c.call.Fun).(*ast.SelectorExpr).X}, operands...)
	}
	return !slices.ContainsFunc(operands, func(e ast.Expr) bool {
		if !steady && c.fn.Pkg() != nil && c.fn.Pkg().Path() == "fmt" && !p.plainValue(e) {
			return true // package fmt may call a method of it
		}
		return p.shifts(e) || !p.constant(e) && below(e, func(n ast.Node) bool {
			return !steady && p.isCall(n) || (!steady || pointer) && p.failsInWords(n) && !p.cutsArray(n)
		})
	})
}

// onHeap reports whether what Fprintf is given would be on the heap anyway: else its memory, on each way through the function, takes the place of the
// string's. A local variable, one that it is a field of, or what a local variable is made to point to, is there if an interface, a result or another variable has its address.
func (p *Line) onHeap(e ast.Expr) bool {
	e = ast.Unparen(e)
	for {
		sel, ok := e.(*ast.SelectorExpr)
		if !ok {
			break
		}
		if selection := p.pkg.TypesInfo.Selections[sel]; selection == nil || selection.Indirect() {
			return true
		}
		e = ast.Unparen(sel.X)
	}
	v := p.local(e)
	if v == nil {
		return true
	}
	_, pointer := v.Type().Underlying().(*types.Pointer)
	if pointer && !p.pointsToNew(v) {
		return true // the memory is another's
	}
	return slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool {
		at := ast.Node(m.id)
		up := m.stack
		if u, ok := m.parent().(*ast.UnaryExpr); ok && u.Op == token.AND {
			at, up = u, m.stack[:slices.Index(m.stack, ast.Node(u))]
		} else if !pointer {
			return false
		}
		switch around := innermost(up).(type) {
		case *ast.ReturnStmt, *ast.KeyValueExpr, *ast.CompositeLit, *ast.SendStmt:
			return true
		case *ast.AssignStmt:
			return slices.ContainsFunc(around.Rhs, func(x ast.Expr) bool { return ast.Unparen(x) == at })
		case *ast.CallExpr:
			i := slices.IndexFunc(around.Args, func(x ast.Expr) bool { return ast.Unparen(x) == at })
			sig, ok := types.Unalias(p.typeOf(around.Fun)).Underlying().(*types.Signature)
			return ok && i >= 0 && i < sig.Params().Len() && types.IsInterface(sig.Params().At(i).Type())
		}
		return false
	})
}

// pointsToNew reports whether a local pointer has the address of what its declaration makes: by & of a literal, or new.
func (p *Line) pointsToNew(v *types.Var) bool {
	d, ok := p.define(p.unit, v)
	if !ok || d.param || d.value == nil {
		return false
	}
	switch x := ast.Unparen(d.value).(type) {
	case *ast.UnaryExpr:
		return x.Op == token.AND
	case *ast.CallExpr:
		return p.builtin(x, "new") != nil
	}
	return false
}

// isBytes reports whether an expression is a []byte.
func (u *unit) isBytes(e ast.Expr) bool { return types.TypeString(u.typeOf(e), nil) == "[]byte" }

// asWriter is an expression as an io.Writer, with & before a variable; "" if it is none, or, unless
// any will do, none of those that take text.
func (p *Line) asWriter(e ast.Expr, any bool) string {
	text := p.oneLine(e)
	t := p.typeOf(e)
	if p.textTaker(e) == "" && !any || text == "" {
		return ""
	}
	if isWriter(t) {
		return text
	}
	if isWriter(types.NewPointer(t)) && p.pkg.TypesInfo.Types[ast.Unparen(e)].Addressable() {
		return "&" + text
	}
	return ""
}

// textTaker is the type of a bytes.Buffer, bufio.Writer or strings.Builder, or of what points
// to one.
func (p *Line) textTaker(e ast.Expr) string {
	switch t := strings.TrimPrefix(types.TypeString(p.typeOf(e), nil), "*"); t {
	case "bytes.Buffer", "bufio.Writer", "strings.Builder":
		return t
	}
	return ""
}

// isWriter reports whether a type has the method of an io.Writer.
func isWriter(t types.Type) bool {
	m := types.NewMethodSet(t).Lookup(nil, "Write")
	if m == nil {
		return false
	}
	sig := m.Type().(*types.Signature)
	return sig.Params().Len() == 1 && sig.Results().Len() == 2 && types.TypeString(sig.Params().At(0).Type(), nil) == "[]byte" && isError(sig.Results().At(1).Type())
}

// quiet reports whether a call's operands call nothing else.
func (p *Line) quiet(call *ast.CallExpr) bool {
	quiet := true
	ast.Inspect(call, func(n ast.Node) bool {
		if wait, ok := n.(*ast.UnaryExpr); ok && wait.Op == token.ARROW {
			quiet = false
		}
		if inner, ok := n.(*ast.CallExpr); ok && inner != call && !p.pkg.TypesInfo.Types[inner.Fun].IsType() && p.builtin(inner, "len") == nil {
			quiet = false
		}
		return quiet
	})
	return quiet
}

// appendCall is a call that appends the text of another to something.
func (p *Line) appendCall(c called, to twin, b string) string {
	fun := ast.Unparen(c.call.Fun).(*ast.SelectorExpr)
	args := p.list(c.call)
	if !p.goes(to.since) || b == "" || args == "" && len(c.call.Args) > 0 || p.promoted(c.call) { // who embeds a type may have an append of its own
		return ""
	}
	switch c.name {
	case "strconv.Itoa":
		args = "int64(" + args + "), 10"
	case "(*math/big.Int).String":
		args = "10"
	}
	if args != "" {
		args = ", " + args
	}
	return p.oneLine(fun.X) + "." + to.name + "(" + b + args + ")"
}

// fprints is a call of fmt that writes the text of another.
func (p *Line) fprints(c called, w string) string {
	fun := ast.Unparen(c.call.Fun).(*ast.SelectorExpr)
	args := p.list(c.call)
	if w == "" || args == "" {
		return ""
	}
	return p.oneLine(fun.X) + ".F" + strings.TrimPrefix(c.fn.Name(), "S") + "(" + w + ", " + args + ")"
}

// list is the arguments of a call as they stand in the source.
func (p *Line) list(call *ast.CallExpr) string {
	var all []string
	for _, e := range call.Args {
		text := p.oneLine(e)
		if _, several := p.typeOf(e).(*types.Tuple); several || text == "" {
			return ""
		}
		all = append(all, text)
	}
	text := strings.Join(all, ", ")
	if call.Ellipsis.IsValid() {
		text += "..."
	}
	return text
}
