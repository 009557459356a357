package lever

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/site"
)

var plainFormat = &Lever{
	Name:    "plain-format",
	Title:   "put the text together with strconv and +, without fmt",
	Subject: "format without fmt",
	Looks:   "fmt.Sprint, Sprintf and Sprintln, and fmt.Fprint, Fprintf and Fprintln to a bytes.Buffer, bufio.Writer or strings.Builder, whose operands are strings, numbers, bools, characters, bytes of others than the buffer, or values with a method String, all with verbs that have neither flags nor width. Also fmt.Fprint and the like of one string to any writer. And a local buffer or builder that is on the heap because of such calls.",
	Wrong:   "when the text is that of an error or a rare log line: then clarity is worth more. A method String that panics is caught by fmt only.",
	Before: `key := fmt.Sprintf("%s:%d", name, id)
fmt.Fprintf(&buf, "%s=%d", name, id)`,
	After: `key := name + ":" + strconv.Itoa(id)
buf.WriteString(name)
buf.WriteByte('=')
buf.Write(strconv.AppendInt(buf.AvailableBuffer(), int64(id), 10))`,
	Model: "The boxed operands go; the text remains, unless it is written in parts. Reading the format and reflection take most of the rest of the call's time.",
	Saves: formatSaves,
	Rewrite: "The operands are strings, numbers, characters and bools, of types whose methods fmt does not call: a String may panic, which fmt catches. One of them at least is no constant. Calls among them stay in their order, and what is no call is not changed by one. " +
		"A text that is written in parts goes to a bytes.Buffer, a strings.Builder or a bufio.Writer that no type of the program is behind, which hand on the same bytes in the same order, a bufio.Writer by Flush; the number of bytes is not used, nor the error but of a buffer, which has none: of a bufio.Writer it is that of Flush, too. " +
		"So is the text of Sprint and the like in a statement that only writes it to such a writer, if it has five parts at most, and each operand behind the first write can be evaluated there: it has no effects, cannot panic, and neither sees nor changes the buffer. " +
		"Calls of Sprint and the like in other cases of a switch, and those of the function with another format, change with the one that the profile shows, if they may." + otherStatements + otherCalls + " " +
		"An operand that could panic or change between two of the parts is evaluated before the first: others are local variables and their fields, also by a pointer that has been followed before. Bytes are written to a buffer that lends none of its own. " +
		"A buffer or builder leaves the heap where all such calls that get it change, and nothing else is done with it but calls of its methods. To an interface one write stays one, for io.WriteString, as text-conversion says. The names of the types that numbers are converted to mean these.",
	find: findPlainFormat,
}

// formatSaves is what goes where the text remains.
var formatSaves = Saves{Alloc: Range{0.1, 0.6}, Collect: Range{0.1, 0.6}, Work: Range{0.4, 0.9}}

// formatters are functions of package fmt, and the number of the operand that is the format, or
// the first to be formatted.
var formatters = map[string]int{"fmt.Sprint": 0, "fmt.Sprintf": 0, "fmt.Sprintln": 0, "fmt.Fprint": 1, "fmt.Fprintf": 1, "fmt.Fprintln": 1}

func findPlainFormat(p *Line) Finding {
	if f := p.printedTo(); len(f.Edits) > 0 {
		return f
	}
	f, calls, apart := p.formatsPlainly(true)
	if len(calls) == 0 {
		return f
	}
	f = p.alike(f, stmtOf(calls[0].stack), apart, func(other ast.Stmt) []Edit {
		f, calls, _ := p.lineAt(other.Pos()).formatsPlainly(false)
		if len(calls) == 0 || stmtOf(calls[0].stack) != other {
			return nil
		}
		return f.Edits
	})
	if apart {
		return f
	}
	f.InPlace = true
	home := p.top(p.unit, calls[0].call.Pos()).node
	ofFunction := func(other *ast.CallExpr) bool { // a reader would ask why it is left, whatever the format
		fn := p.callee(other)
		return fn != nil && fn == calls[0].fn && home.Pos() <= other.Pos() && other.End() <= home.End() && !errorPath(stackOf(p.file, other))
	}
	return p.alikeCalls(f, calls, ofFunction, func(other *ast.CallExpr) []Edit {
		f, calls, apart := p.lineAt(other.Pos()).formatsPlainly(false)
		if len(calls) == 0 || calls[0].call != other || apart {
			return nil
		}
		return f.Edits
	})
}

// formatsPlainly is about a call on the line, and those in other cases of a switch if these are asked for. calls are those that it changes, the
// line's first, if others like it may change alike: apart from each other where it becomes several statements.
func (p *Line) formatsPlainly(cases bool) (f Finding, calls []called, apart bool) {
	for _, c := range p.called() {
		first, ok := formatters[c.name]
		if !ok || c.call.Ellipsis.IsValid() || errorPath(c.stack) || isErrorMethod(c.stack) {
			continue
		}
		share := p.alone(func(n ast.Node) bool { return n == c.call })
		if first == 0 {
			share += p.below(c.fn)
		}
		pieces, ok := p.pieces(c, c.call.Args[first:])
		if share == 0 || !ok || slices.ContainsFunc(pieces, func(x piece) bool { return x.bytes }) && (first == 0 || !p.ownBytes(c.call.Args[0])) {
			continue
		}
		f = Finding{Share: share, Calls: []string{profiled(c.fn)}}
		text, writer := "", ""
		var others []called
		var beside []Evidence
		if first == 1 {
			if writer = p.textWriter(c.call.Args[0]); writer == "" {
				if f = p.writesWhole(c, pieces); len(f.Evidence) > 0 {
					f.Share = share
					return f, nil, false
				}
				continue
			}
			f.Edits = p.writes(c, pieces)
			text = fmt.Sprintf("%s formats only %s, and a %s takes these without boxing them", c.name, p.operands(pieces), writer)
		} else {
			var made Finding
			made, others = p.formatted(c, pieces, cases)
			f.Edits, f.Also, f.Saves, beside = made.Edits, made.Also, made.Saves, made.Evidence
			text = fmt.Sprintf("%s formats only %s, so %s the same text without boxing the arguments", c.name, p.operands(pieces), makers(pieces))
			if f.Saves != (Saves{}) && f.Saves != formatSaves {
				text = fmt.Sprintf("%s formats only %s, and the result is only written to a buffer, so writing the parts saves the string and boxing the arguments", c.name, p.operands(pieces))
			}
		}
		f.Evidence = append([]Evidence{p.at(c.call.Pos(), text)}, beside...)
		return f, append([]called{c}, others...), first == 1 || f.Saves != formatSaves
	}
	return f, nil, false
}

// printedTo is about a builder or buffer that the line declares, and that is on the heap only because fmt gets it as an io.Writer, with plain
// operands.
func (p *Line) printedTo() (f Finding) {
	in, share := p.only()
	made, ok := in.(*ssa.Alloc)
	if !ok || bufferKind(made.Type()) == "" {
		return f
	}
	m, ok := p.makes(made)
	if !ok {
		return f
	}
	var calls []token.Pos
	for _, in := range *made.Referrers() {
		switch in := in.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if in.Val == made {
				return f
			}
		case *ssa.Call:
			if !isMethodOfBuffer(in) || in.Call.Args[0] != made || slices.Contains(in.Call.Args[1:], ssa.Value(made)) {
				return f
			}
		case *ssa.MakeInterface:
			for _, use := range *in.Referrers() {
				call, ok := use.(*ssa.Call)
				if _, debug := use.(*ssa.DebugRef); debug {
					continue
				}
				if !ok || call.Call.StaticCallee() == nil || printsAs[fullName(call.Call.StaticCallee())] == "" || call.Call.Args[0] != in {
					return f
				}
				calls = append(calls, call.Pos())
			}
		default:
			return f
		}
	}
	lines, imports, first := m.printedParts(calls, true)
	if len(calls) == 0 || len(lines) < len(calls) {
		return f
	}
	f.Share, f.Saves = share, Saves{Alloc: Range{0.9, 1}, Collect: Range{0.9, 1}}
	f.Evidence = []Evidence{
		p.at(made.Pos(), "the "+m.kind+" is on the heap only because fmt gets it as an interface"),
		p.at(first, "fmt formats only operands whose text its methods can write"),
	}
	f.Edits, _ = m.p.instead(lines, imports...)
	return f
}

// operands names the kinds of operands that pieces are made of.
func (p *Line) operands(pieces []piece) string {
	var all []string
	for _, x := range pieces {
		if !x.arg {
			continue
		}
		kind := "strings"
		switch b, basic := types.Default(p.typeOf(x.expr)).Underlying().(*types.Basic); {
		case x.call:
			kind = "values with a String method"
		case x.char != "":
			kind = "characters"
		case x.num != "":
			kind = "numbers"
		case !basic:
			kind = "bytes"
		case b.Info()&types.IsBoolean != 0:
			kind = "bools"
		}
		if !slices.Contains(all, kind) {
			all = append(all, kind)
		}
	}
	if n := len(all); n > 1 {
		return strings.Join(all[:n-1], ", ") + " and " + all[n-1]
	}
	return cmp.Or(strings.Join(all, ""), "constants")
}

// makers names what makes the text of pieces without fmt, with a verb.
func makers(pieces []piece) string {
	numbers := slices.ContainsFunc(pieces, func(x piece) bool { return x.uses })
	switch {
	case len(pieces) == 1 && numbers:
		return "strconv makes"
	case len(pieces) == 1:
		return "a conversion makes"
	case numbers:
		return "strconv and concatenation make"
	}
	return "concatenation makes"
}

// textWriter is the type, of those that take text without an allocation, that an expression points
// to: "" for others.
func (p *Line) textWriter(e ast.Expr) string {
	if _, ok := p.typeOf(e).(*types.Pointer); !ok {
		return ""
	}
	return p.textTaker(e)
}

// A piece is text that fmt makes: a constant, or of an operand.
type piece struct {
	text string // the constant, or Go source of a string that is the operand's text
	arg  bool
	num  string // for numbers, the call of strconv.Append without its first argument
	uses bool   // package strconv
	call bool   // of a method of the operand

	char  string // for a character, Go source of the rune
	bytes bool   // text is a []byte, and not a string
	byte  bool   // text is one byte, and not a string

	expr ast.Expr                // the operand
	as   func(name string) piece // the same of a variable that has its value
}

// pieces splits the output of a call of package fmt; ok is false if a piece is not plain.
func (p *Line) pieces(c called, args []ast.Expr) (all []piece, ok bool) {
	if len(args) == 0 {
		return nil, false
	}
	if !strings.HasSuffix(c.name, "f") {
		return p.printed(args, strings.HasSuffix(c.name, "ln"))
	}
	format, ok := p.stringOf(args[0])
	ok = ok && p.writtenOut(args[0], 0) // on other systems, too
	args = args[1:]
	for ok && format != "" {
		literal, rest, verb := strings.Cut(format, "%")
		if literal != "" {
			all = append(all, piece{text: literal})
		}
		if !verb {
			break
		}
		n := len(rest) - len(strings.TrimLeft(rest, ".0123456789"))
		if n == len(rest) {
			return nil, false
		}
		format = rest[n+1:]
		if rest[n] == '%' && n == 0 {
			all = append(all, piece{text: "%"})
			continue
		}
		if len(args) == 0 {
			return nil, false
		}
		x, plain := p.plain(args[0], rest[n], rest[:n])
		if !plain {
			return nil, false
		}
		all, args = append(all, x), args[1:]
	}
	return merged(all), ok && len(args) == 0
}

// printed are the pieces of operands without a format: with a space between two that are no
// strings, or between all and the end of a line behind them.
func (p *Line) printed(args []ast.Expr, line bool) (all []piece, ok bool) {
	for i, arg := range args {
		if i > 0 && (line || !isString(p.typeOf(arg)) && !isString(p.typeOf(args[i-1]))) {
			all = append(all, piece{text: " "})
		}
		x, ok := p.plain(arg, 'v', "")
		if !ok {
			return nil, false
		}
		all = append(all, x)
	}
	if line {
		all = append(all, piece{text: "\n"})
	}
	return merged(all), true
}

// merged has one constant where there were several in a row.
func merged(all []piece) (out []piece) {
	for _, x := range all {
		if n := len(out); n > 0 && !x.arg && !out[n-1].arg {
			out[n-1].text += x.text
		} else {
			out = append(out, x)
		}
	}
	return out
}

// plain returns how to format an operand without fmt, as a verb does; ok is false if that takes fmt.
func (p *Line) plain(e ast.Expr, verb byte, precision string) (x piece, ok bool) {
	x, ok = p.plainFrom(e, p.oneLine(e), verb, precision)
	x.expr = e
	x.as = func(name string) piece {
		y, _ := p.plainFrom(e, name, verb, precision)
		return y
	}
	return x, ok
}

// plainFrom is plain of an operand whose value the source e0 has, too.
func (p *Line) plainFrom(e ast.Expr, e0 string, verb byte, precision string) (x piece, ok bool) {
	t := types.Default(p.typeOf(e))
	if isTypeParameter(t) || formats(t) || types.TypeString(t, nil) == "reflect.Value" || e0 == "" {
		return x, false
	}
	x.arg = true
	if strings.IndexByte("vsxq", verb) >= 0 && precision == "" && (hasMethod(t, "Error") || hasMethod(t, "String")) {
		_, pointer := t.Underlying().(*types.Pointer)
		x.text, x.call = p.operand(e)+".String()", true
		return x, (verb == 'v' || verb == 's') && !pointer && !types.IsInterface(t) && !hasMethod(t, "Error") && stringer(t)
	}
	if types.TypeString(t, nil) == "[]byte" || verb == 'q' { // fmt copies the bytes once, and quotes in place
		return piece{arg: true, text: e0, bytes: true}, verb == 's' && precision == ""
	}
	if b, ok := t.Underlying().(*types.Basic); ok {
		return p.basic(e0, t, b, verb, precision)
	}
	return x, false
}

// basic returns how to format a string, number or bool without fmt, as a verb does.
func (p *Line) basic(e string, t types.Type, b *types.Basic, verb byte, precision string) (x piece, ok bool) {
	x.arg = true
	strconvs := p.qualify("strconv") + "."
	switch {
	case b.Info()&types.IsFloat != 0:
		return float(e, t == types.Typ[types.Float64], b, verb, precision, strconvs)
	case precision != "":
		return x, false
	case b.Info()&types.IsString != 0 && (verb == 's' || verb == 'v' || verb == 'q'):
		if x.text = e; t != types.Typ[types.String] {
			x.text = "string(" + e + ")"
		}
		if verb == 'q' {
			x.text, x.uses = strconvs+"Quote("+x.text+")", true
		}
		return x, true
	case b.Info()&types.IsBoolean != 0 && (verb == 't' || verb == 'v'):
		if x.text, x.uses = strconvs+"FormatBool("+e+")", true; t != types.Typ[types.Bool] {
			x.text = strconvs + "FormatBool(bool(" + e + "))"
		}
		return x, true
	case verb == 'c' && (b.Kind() == types.Rune || b.Kind() == types.UntypedRune || b.Kind() == types.Byte):
		if x.char = e; !types.Identical(t, types.Typ[types.Rune]) {
			x.char = "rune(" + e + ")"
		}
		x.text = "string(" + x.char + ")"
		return x, true
	case b.Info()&types.IsInteger != 0 && b.Kind() != types.Uintptr && (verb == 'd' || verb == 'v' || verb == 'x'):
		return integer(e, t, b, verb, strconvs), true
	}
	return x, false
}

func integer(e string, t types.Type, b *types.Basic, verb byte, strconvs string) piece {
	x := piece{arg: true, uses: true}
	as, base, kind := "int64", "10", "Int"
	if b.Info()&types.IsUnsigned != 0 {
		as, kind = "uint64", "Uint"
	}
	if verb == 'x' {
		base = "16"
	}
	value := as + "(" + e + ")"
	if types.TypeString(t, nil) == as {
		value = e
	}
	x.num = "Append" + kind + "(%s, " + value + ", " + base + ")"
	x.text = strconvs + "Format" + kind + "(" + value + ", " + base + ")"
	if t == types.Typ[types.Int] && base == "10" {
		x.text = strconvs + "Itoa(" + e + ")"
	}
	return x
}

// float returns how strconv formats a number as fmt does.
func float(e string, is64 bool, b *types.Basic, verb byte, precision, strconvs string) (x piece, ok bool) {
	format, digits, bits := string(verb), "-1", "64"
	switch {
	case verb == 'v' && precision == "":
		format = "g"
	case verb == 'f' || verb == 'e':
		digits = "6"
	case verb != 'g':
		return x, false
	}
	if precision != "" {
		n, err := strconv.Atoi(strings.TrimPrefix(precision, "."))
		if err != nil || !strings.HasPrefix(precision, ".") {
			return x, false
		}
		digits = strconv.Itoa(n)
	}
	if b.Kind() == types.Float32 {
		bits = "32"
	}
	if !is64 {
		e = "float64(" + e + ")"
	}
	args := e + ", '" + format + "', " + digits + ", " + bits + ")"
	return piece{arg: true, uses: true, text: strconvs + "FormatFloat(" + args, num: "AppendFloat(%s, " + args}, true
}

// hasMethod reports whether a value, or a pointer to it, has a method.
func hasMethod(t types.Type, name string) bool {
	object, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	_, ok := object.(*types.Func)
	return ok
}

// formats reports whether fmt leaves it to a type to format itself.
func formats(t types.Type) bool {
	object, _, _ := types.LookupFieldOrMethod(t, true, nil, "Format")
	f, ok := object.(*types.Func)
	return ok && f.Signature().Params().Len() == 2
}

// stringer reports whether a value itself, not only a pointer to it nor a field, has the method
// String that fmt calls.
func stringer(t types.Type) bool {
	m := types.NewMethodSet(t).Lookup(nil, "String")
	if m == nil || len(m.Index()) > 1 {
		return false
	}
	sig := m.Type().(*types.Signature)
	return sig.Params().Len() == 0 && sig.Results().Len() == 1 && types.Identical(sig.Results().At(0).Type(), types.Typ[types.String])
}

// quoted is a string literal, with as few backslashes as it can have.
func quoted(text string) string {
	if strings.ContainsAny(text, "\"\\") && strconv.CanBackquote(text) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}

// formatted replaces a call of Sprint, and those like it in the other cases of a switch if these are asked for: a reader would ask why they are
// left. Its Also are their lines.
func (p *Line) formatted(c called, pieces []piece, cases bool) (f Finding, changed []called) {
	way := p.withoutFormat(c, pieces)
	if way.text == "" {
		return f, nil
	}
	texts, imports := map[ast.Node]string{way.node: way.text}, way.imports
	var others []called
	if cases {
		others = p.inOtherCases(c)
	}
	for _, other := range others {
		pieces, ok := p.pieces(other, other.call.Args)
		if !ok || slices.ContainsFunc(pieces, func(x piece) bool { return x.bytes }) {
			continue
		}
		o := p.withoutFormat(other, pieces)
		if o.text == "" || p.hasComment(o.node) || !parses(o.node, o.text) {
			continue
		}
		texts[o.node] = o.text
		changed = append(changed, other)
		imports = append(imports, o.imports...)
		f.Evidence = append(f.Evidence, p.at(other.call.Pos(), "the call in another case of the switch is changed here, too"))
		f.Also = append(f.Also, Also{p.frameOf(other.call.Pos()), func(s *site.Site) Range {
			line := p.lineOf(s)
			if line == nil {
				return Range{}
			}
			f, _, _ := line.formatsPlainly(false)
			share, of := f.Share, func(r, rest float64) float64 { return min(1, r/rest) }
			return Range{share * of(o.saves.Alloc.Lo, way.saves.Alloc.Lo), share * of(o.saves.Alloc.Hi, way.saves.Alloc.Hi)}
		}})
	}
	slices.Sort(imports)
	if f.Edits, _ = p.instead(texts, slices.Compact(imports)...); f.Edits == nil {
		return Finding{}, nil
	}
	f.Saves = way.saves
	return f, changed
}

// An unformatted is what takes the place of a call of Sprint, or of the statement that writes its text.
type unformatted struct {
	node    ast.Node
	text    string
	imports []string
	saves   Saves
}

// withoutFormat is what a call of Sprint becomes: parts that are written, or a concatenation. Its text is "" if there is nothing.
func (p *Line) withoutFormat(c called, pieces []piece) unformatted {
	if w, lines, imports := p.writesInstead(c, pieces); lines != "" && !p.hasComment(w.stmt) {
		return unformatted{w.stmt, lines, imports, savedInParts(pieces)}
	}
	text, imports := p.concatenation(c, pieces)
	if assign, ok := c.parent().(*ast.AssignStmt); ok && text != "" && assign.Tok == token.ASSIGN && len(assign.Lhs) == 1 && !p.commentedBetween(assign.Pos(), c.call.Pos()) {
		if to, ok := assign.Lhs[0].(*ast.Ident); ok && p.local(to) != nil && p.local(pieces[0].expr) == p.local(to) {
			if rest, ok := strings.CutPrefix(text, to.Name+" + "); ok {
				return unformatted{assign, to.Name + " += " + rest, imports, formatSaves}
			}
		}
	}
	return unformatted{c.call, text, imports, formatSaves}
}

// inOtherCases are the calls of the same function in the other cases of the innermost switch around a call.
func (p *Line) inOtherCases(c called) (all []called) {
	at := -1
	for i, n := range c.stack {
		switch n.(type) {
		case *ast.CaseClause:
			at = i
		case *ast.FuncLit:
			at = -1 // the names of the other cases are not its own
		}
	}
	if at < 1 {
		return nil
	}
	for _, clause := range c.stack[at-1].(*ast.BlockStmt).List {
		if clause == c.stack[at] {
			continue
		}
		ast.PreorderStack(clause, slices.Clone(c.stack[:at]), func(n ast.Node, stack []ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				_, within := n.(*ast.FuncLit)
				return !within
			}
			if fn := p.callee(call); fn != nil && fn == c.fn && !call.Ellipsis.IsValid() && !errorPath(stack) {
				all = append(all, called{spot{node: call, stack: slices.Clone(stack)}, call, fn, c.name})
				return false // of two edits, one may not be part of the other
			}
			return true
		})
	}
	return all
}

// concatenation is the expression that makes the text of a call, with the packages that it needs; "" if there is none.
func (p *Line) concatenation(c called, pieces []piece) (text string, imports []string) {
	var parts []string
	if !p.plainly(c, pieces) || !p.anyOrder(c.call.Args) || slices.ContainsFunc(c.call.Args, hasLiteral) { // a header of a statement may not begin with a literal
		return "", nil
	}
	for _, x := range pieces {
		if x.text == "" {
			return "", nil
		}
		if !x.arg {
			x.text = quoted(x.text)
		}
		if x.uses && len(imports) == 0 {
			imports = []string{"strconv"}
		}
		parts = append(parts, x.text)
	}
	text = strings.Join(parts, " + ")
	if !hasUse(c.parent()) {
		return "", nil
	}
	switch parent := c.parent().(type) {
	case *ast.IndexExpr:
		if parent.X == c.call {
			text = "(" + text + ")"
		}
	case *ast.SliceExpr, *ast.SelectorExpr:
		text = "(" + text + ")"
	}
	return text, imports
}

// writes replaces a statement that calls Fprint by others.
func (p *Line) writes(c called, pieces []piece) []Edit {
	if !p.plainly(c, pieces) {
		return nil
	}
	w, ok := p.writing(c.call, c.call.Args[0], c.call.Args[1:])
	if !ok {
		return nil
	}
	return w.edits(pieces)
}

// writesInstead returns the lines that write each part of a text for a statement that does nothing but write it: "" if a concatenation
// says it better, as of many parts or of operands that need variables.
func (p *Line) writesInstead(c called, pieces []piece) (w *writing, lines string, imports []string) {
	outer, _ := p.goesInto(c)
	if outer == nil || p.callee(outer) == nil || !p.plainly(c, pieces) {
		return nil, "", nil
	}
	fn := p.callee(outer)
	writer, text := p.writeOf(called{call: outer, fn: fn, name: fn.FullName()})
	if text != c.call {
		return nil, "", nil
	}
	w, ok := p.writing(outer, writer, c.call.Args)
	pieces = slices.Clone(pieces)
	for i := range pieces {
		pieces[i].num = "" // a number is written as one would by hand
	}
	if !ok || w.err != nil || !w.fewParts(pieces) {
		return nil, "", nil
	}
	lines, imports = w.lines(pieces)
	return w, lines, imports
}

// savedInParts is what goes when the parts of a text are written: the operands are not boxed, and the text is not made. That of a
// number, or one that is quoted, is still made for itself.
func savedInParts(pieces []piece) Saves {
	s := formatSaves
	s.Alloc = Range{0.9, 1}
	if slices.ContainsFunc(pieces, func(x piece) bool { return x.uses }) {
		s.Alloc.Lo = 0.3
	}
	s.Collect = s.Alloc
	return s
}

// writesWhole is about a call of Fprint that only writes one string to an interface or file: one write stays one.
func (p *Line) writesWhole(c called, pieces []piece) (f Finding) {
	to := c.call.Args[0]
	file := types.TypeString(p.typeOf(to), nil) == "*os.File"
	if len(pieces) != 1 || !pieces[0].arg || pieces[0].call || pieces[0].bytes || !isString(p.typeOf(pieces[0].expr)) || pieces[0].num != "" || !file && !p.isWriter(to) {
		return f
	}
	f = Finding{Calls: []string{profiled(c.fn)}, Evidence: []Evidence{p.at(c.call.Pos(), c.name+" boxes the only string that it writes, and io.WriteString takes a string as it is")}}
	whole := &ast.CallExpr{Fun: c.call.Fun, Lparen: c.call.Lparen, Args: []ast.Expr{pieces[0].expr}, Rparen: c.call.Rparen}
	if runsLater(c.parent()) || !file && !p.takesText(to, c.call) || !p.sameOrder(to, whole) || !p.plainly(c, pieces) {
		return f
	}
	imports := []string{"io"}
	if pieces[0].uses {
		imports = append(imports, "strconv")
	}
	f.Edits, _ = p.instead(map[ast.Node]string{c.call: p.qualify("io") + ".WriteString(" + p.oneLine(to) + ", " + pieces[0].text + ")"}, imports...)
	return f
}

// plainly reports whether pieces, of which one is no constant, are made by strconv and conversions, and the names of
// types mean these.
func (p *Line) plainly(c called, pieces []piece) bool {
	var text strings.Builder
	for _, x := range pieces {
		if x.call {
			return false
		}
		text.WriteString(x.text + x.num + x.char)
	}
	return slices.ContainsFunc(c.call.Args, func(e ast.Expr) bool { return !p.constant(e) && !isWriter(p.typeOf(e)) }) &&
		p.means(c.call.Pos(), text.String(), "string", "bool", "int64", "uint64", "float64", "rune")
}

// inList reports whether a statement stands in a list of statements: several may take its place.
func inList(stack []ast.Node, stmt ast.Stmt) bool {
	for i, n := range stack {
		if n == stmt && i > 0 {
			switch stack[i-1].(type) {
			case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
				return true
			}
		}
	}
	return false
}
