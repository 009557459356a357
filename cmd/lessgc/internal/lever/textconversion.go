package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

var textConversion = &Lever{
	Name:    "text-conversion",
	Title:   "use the twin that takes what there is, a string or a []byte",
	Subject: "avoid a string conversion",
	Looks:   "a conversion between string and []byte that is the operand of a function which only reads it and has a twin for the other type: Write and WriteString, also of a constant, functions of strings and bytes, methods of regexp.Regexp, Write of an interface that may hold a type with WriteString, methods Write that only hand on to one, and readers of package bytes that are given to a parameter of type io.Reader.",
	Wrong:   "when a type whose Write and WriteString differ is written to. When an io.Writer has no WriteString, io.WriteString makes the same copy.",
	Before: `buf.WriteString(string(b))
if strings.Contains(string(line), "x") {
json.NewDecoder(bytes.NewReader([]byte(s)))`,
	After: `buf.Write(b)
if bytes.Contains(line, []byte("x")) {
json.NewDecoder(strings.NewReader(s))`,
	Model: "The copy goes whole, and the time to make it.",
	Saves: Saves{Alloc: Range{0.95, 1}, Collect: Range{0.95, 1}, Work: Range{0.8, 1}},
	Rewrite: "The twin is a function of the standard library, or of xxhash, that reads the same text the same way and keeps nothing, or a write to a strings.Builder, a file, or a buffer none of whose bytes anybody has. " +
		"A text goes to WriteString of a bufio.Writer if no type of the program is behind it: the bytes and their order are the same, and package bufio promises no portions for a text that is longer than the buffer; nothing takes the error, which comes with Flush, too. " +
		"A type of the program has a Write and a WriteString with the same statements, which mean the same of text and bytes. " +
		"Of an interface io.WriteString asks: no type that the program, or a package that it imports, is seen to have both methods from different places, or to have a WriteString of other statements, or one that leads to the changed function (unless it is that, and goes the way of Write); " +
		"of types that are not seen, package io promises that WriteString does what Write does. The writer is not changed by what is written. " +
		"A reader is given to a decoder that asks for bytes only, and a loop over characters does not count them." + otherCalls,
	find: findConversion,
}

// textCopies are the functions of the runtime that copy texts.
var textCopies = []string{"runtime.stringtoslicebyte", "runtime.slicebytetostring"}

func findConversion(p *Line) Finding {
	f, to := p.conversion()
	if to == nil {
		return f
	}
	f.InPlace = true
	return p.alikeCalls(f, []called{{call: to}}, onlyOfForm, func(other *ast.CallExpr) []Edit {
		f, to := p.lineAt(other.Pos()).conversion()
		if to != other {
			return nil
		}
		return f.Edits
	})
}

// conversion is about a conversion on the line, with the call that takes it; nil for a loop.
func (p *Line) conversion() (f Finding, to *ast.CallExpr) {
	for _, s := range p.spots() {
		conversion, ok := s.node.(*ast.CallExpr)
		if !ok || !p.copiesText(conversion) || p.constant(conversion.Args[0]) && !p.isWritten(s, conversion) {
			continue
		}
		share := p.alone(func(n ast.Node) bool { return n == conversion })
		if share == 0 {
			continue
		}
		var texts map[ast.Node]string
		var imports []string
		switch parent := s.parent().(type) {
		case *ast.CallExpr:
			texts, imports = p.twinOf(parent, conversion)
			if on, ok := p.handsOn(parent, conversion); ok {
				return Finding{Share: share, Calls: textCopies, Evidence: []Evidence{p.at(conversion.Pos(), types.ExprString(conversion)+" makes a copy that is only written"), on}}, nil
			}
			to = parent
		case *ast.RangeStmt:
			if id, ok := parent.Key.(*ast.Ident); ok && id.Name == "_" && parent.Value != nil && types.TypeString(p.typeOf(conversion).Underlying(), nil) == "[]rune" {
				texts = map[ast.Node]string{conversion: p.oneLine(conversion.Args[0])}
			}
		}
		if texts != nil {
			f = Finding{Share: share, Calls: textCopies, Evidence: []Evidence{p.at(conversion.Pos(), fmt.Sprintf("%s makes a copy that is only read here; %s can be used without one", types.ExprString(conversion), types.ExprString(conversion.Args[0])))}}
			if p.sameTwin(s, conversion) && !slices.ContainsFunc(slices.Collect(maps.Values(texts)), func(text string) bool { return !p.means(conversion.Pos(), text, "string", "byte") }) {
				f.Edits, _ = p.instead(texts, imports...)
				f.What = "avoid a " + types.TypeString(p.typeOf(conversion).Underlying(), nil) + " conversion"
			}
			return f, to
		}
	}
	return f, nil
}

// isWritten reports whether bytes are given to a method Write.
func (p *Line) isWritten(s spot, conversion *ast.CallExpr) bool {
	call, ok := s.parent().(*ast.CallExpr)
	if !ok || !p.isBytes(conversion) {
		return false
	}
	fn := p.callee(call)
	return fn != nil && fn.Name() == "Write" && fn.Signature().Recv() != nil
}

// readers holds functions of packages strings and bytes that only look at their operands.
var readers = map[string]bool{
	"Contains": true, "ContainsAny": true, "ContainsRune": true, "Count": true, "EqualFold": true, "HasPrefix": true, "HasSuffix": true,
	"Index": true, "IndexAny": true, "IndexByte": true, "IndexRune": true, "LastIndex": true, "LastIndexAny": true, "LastIndexByte": true,
}

// textTwins are functions that only read their operand, and those for the other type.
var textTwins = map[string]string{
	"(*regexp.Regexp).MatchString": "Match", "(*regexp.Regexp).FindStringIndex": "FindIndex", "(*regexp.Regexp).FindStringSubmatchIndex": "FindSubmatchIndex",
	"(*regexp.Regexp).FindAllStringIndex": "FindAllIndex", "(*regexp.Regexp).FindAllStringSubmatchIndex": "FindAllSubmatchIndex",
	"(*regexp.Regexp).Match": "MatchString", "(*regexp.Regexp).FindIndex": "FindStringIndex", "(*regexp.Regexp).FindSubmatchIndex": "FindStringSubmatchIndex",
	"(*regexp.Regexp).FindAllIndex": "FindAllStringIndex", "(*regexp.Regexp).FindAllSubmatchIndex": "FindAllStringSubmatchIndex",
	"unicode/utf8.Valid": "ValidString", "unicode/utf8.ValidString": "Valid", "unicode/utf8.RuneCount": "RuneCountInString", "unicode/utf8.RuneCountInString": "RuneCount",
	"hash/maphash.String": "Bytes", "hash/maphash.Bytes": "String",
	"github.com/cespare/xxhash/v2.Sum64": "Sum64String", "github.com/cespare/xxhash/v2.Sum64String": "Sum64",
}

// twinOf returns replacements of parts of a call that takes a conversion, and the packages that
// they need; nil if there is no twin.
func (p *Line) twinOf(call, conversion *ast.CallExpr) (texts map[ast.Node]string, imports []string) {
	fn := p.callee(call)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if fn == nil || !ok || call.Ellipsis.IsValid() {
		return nil, nil
	}
	from := conversion.Args[0]
	text := p.oneLine(from)
	if text == "" {
		return nil, nil
	}
	isText := p.isBytes(conversion) // the string is turned into bytes
	if t := types.TypeString(p.typeOf(from), nil); isText && t != "string" && text != "" {
		text = "string(" + text + ")"
	} else if !isText && t != "[]byte" {
		return nil, nil
	}
	name := fn.FullName()
	switch {
	case name == "io.WriteString" && !isText && call.Args[1] == conversion:
		return map[ast.Node]string{call: p.operand(call.Args[0]) + ".Write(" + text + ")"}, nil
	case len(call.Args) == 1 && (fn.Name() == "WriteString" && !isText || fn.Name() == "Write" && isText) && (writesBoth(p.typeOf(sel.X)) || isText && p.ownTwins(sel.X)):
		return map[ast.Node]string{sel.Sel: map[bool]string{true: "WriteString", false: "Write"}[isText], conversion: text}, nil
	case isText && fn.Name() == "Write" && len(call.Args) == 1 && p.hasTexts(sel.X):
		return map[ast.Node]string{sel.Sel: "WriteString", conversion: text}, nil
	case isText && fn.Name() == "Write" && len(call.Args) == 1 && p.isWriter(sel.X):
		return map[ast.Node]string{call: p.qualify("io") + ".WriteString(" + p.oneLine(sel.X) + ", " + text + ")"}, []string{"io"}
	case textTwins[name] != "":
		return map[ast.Node]string{sel.Sel: textTwins[name], conversion: text}, nil
	case (name == "bytes.NewReader" || name == "bytes.NewBuffer") && isText && p.readOnly(call):
		return map[ast.Node]string{call: p.qualify("strings") + ".NewReader(" + text + ")"}, []string{"strings"}
	case fn.Pkg() != nil && fn.Pkg().Path() == "strings" && !isText && fn.Signature().Recv() == nil && readers[fn.Name()]:
		return p.inBytes(call, conversion, fn.Name(), text)
	}
	return nil, nil
}

// handsOn returns the position at which a method Write of the program passes its argument to an io.Writer, and does
// nothing else with it.
func (p *Line) handsOn(call, conversion *ast.CallExpr) (e Evidence, ok bool) {
	fn := p.callee(call)
	if fn == nil || fn.Name() != "Write" || len(call.Args) != 1 || !p.isBytes(conversion) || p.declared(fn) == nil {
		return e, false
	}
	method := p.fns[p.declared(fn).node]
	if method == nil || len(method.Params) != 2 {
		return e, false
	}
	var write *ssa.Call
	for _, in := range *method.Params[1].Referrers() {
		switch in := in.(type) {
		case *ssa.DebugRef:
		case *ssa.Call:
			if callsBuiltin(in, "len") {
				continue
			}
			if write != nil || !in.Call.IsInvoke() || in.Call.Method.FullName() != "(io.Writer).Write" {
				return e, false
			}
			write = in
		default:
			return e, false
		}
	}
	if write == nil || !p.stringWriters(write.Call.Value.Type().Underlying().(*types.Interface)) {
		return e, false
	}
	return p.at(write.Pos(), nameOf(method)+" only passes the bytes to a writer: io.WriteString makes no copy if the writer has WriteString"), true
}

// stringWriters reports whether the program makes an interface of a type that has WriteString, too.
func (p *Program) stringWriters(writer *types.Interface) bool {
	return slices.ContainsFunc(p.boxedTypes, func(t types.Type) bool {
		return types.Implements(t, writer) && types.NewMethodSet(t).Lookup(nil, "WriteString") != nil
	})
}

// isWriter reports whether an expression is an interface to write to that may hold a type with WriteString: one of package io
// or net/http, or one that the program makes of such a type.
func (p *Line) isWriter(e ast.Expr) bool {
	t := p.typeOf(e)
	return types.IsInterface(t) && !isTypeParameter(t) && isWriter(t) && (maybeStrings(t) || p.stringWriters(t.Underlying().(*types.Interface)))
}

// hasTexts reports whether an expression is an interface that has WriteString, too.
func (p *Line) hasTexts(e ast.Expr) bool {
	t := p.typeOf(e)
	if !types.IsInterface(t) || isTypeParameter(t) || !isWriter(t) {
		return false
	}
	text := methodOf(t, "WriteString")
	return text != nil && isStringWriter(text)
}

// onlyReads are functions that take a reader as any other, and read bytes from it.
var onlyReads = map[string]bool{"encoding/json.NewDecoder": true, "encoding/xml.NewDecoder": true, "encoding/csv.NewReader": true, "bufio.NewScanner": true, "io.ReadAll": true}

// sameTwin reports whether it is unobservable which of two twins was called with what a conversion converts.
func (p *Line) sameTwin(s spot, conversion *ast.CallExpr) bool {
	call, ok := s.parent().(*ast.CallExpr)
	if !ok {
		return true // a loop
	}
	fn := p.callee(call)
	if fn == nil || runsLater(innermost(stackOf(p.file, call))) || p.promoted(call) && textTwins[fn.FullName()] != "" {
		return false // a conversion is made at once, also for a call that is deferred; and a type may have a twin of its own
	}
	switch name := fn.FullName(); {
	case textTwins[name] != "":
		return true
	case name == "bytes.NewReader" || name == "bytes.NewBuffer":
		outer, ok := innermost(stackOf(p.file, call)).(*ast.CallExpr)
		return ok && p.callee(outer) != nil && onlyReads[p.callee(outer).FullName()]
	case name == "io.WriteString":
		return p.writesSame(call.Args[0], conversion)
	case fn.Name() == "Write" || fn.Name() == "WriteString":
		w := ast.Unparen(call.Fun).(*ast.SelectorExpr).X
		if types.IsInterface(p.typeOf(w)) {
			return p.takesText(w, call) && p.sameOrder(w, call)
		}
		return p.writesSame(w, conversion)
	}
	return fn.Pkg().Path() == "strings" && readers[fn.Name()]
}

// promoted reports whether a call is of a method that is promoted from an embedded field.
func (p *Line) promoted(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	selection := p.pkg.TypesInfo.Selections[sel]
	return selection != nil && len(selection.Index()) > 1
}

// writesSame reports whether a writer writes a text as it writes bytes: a buffer may not be written bytes that are its own.
func (p *Line) writesSame(w ast.Expr, conversion *ast.CallExpr) bool {
	switch strings.TrimPrefix(types.TypeString(p.typeOf(w), nil), "*") {
	case "strings.Builder", "os.File":
		return true
	case "bufio.Writer", "bufio.ReadWriter":
		call, ok := innermost(stackOf(p.file, conversion)).(*ast.CallExpr)
		return ok && p.isBytes(conversion) && p.portionsOpen(w) && p.unheard(call)
	case "bytes.Buffer":
		return p.isBytes(conversion) || p.ownBytes(w)
	}
	return p.isBytes(conversion) && (writesBoth(p.typeOf(w)) || p.ownTwins(w))
}

// unheard reports whether nothing takes what a call returns: the error of a long text may come later.
func (p *Line) unheard(call *ast.CallExpr) bool {
	switch n := innermost(stackOf(p.file, call)).(type) {
	case *ast.ExprStmt:
		return true
	case *ast.AssignStmt:
		return !slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return !isBlank(e) })
	}
	return false
}

// ownBytes reports whether no code has bytes of the memory of a strings.Builder or bytes.Buffer.
func (p *Line) ownBytes(w ast.Expr) bool {
	if u, ok := ast.Unparen(w).(*ast.UnaryExpr); ok && u.Op == token.AND {
		w = u.X
	}
	switch strings.TrimPrefix(types.TypeString(p.typeOf(w), nil), "*") {
	case "strings.Builder":
		return true
	case "bytes.Buffer":
		v := p.local(w)
		if v == nil {
			return false
		}
		d, ok := p.define(p.unit, v)
		return ok && !d.param && (d.value == nil || p.newBuffer(d.value)) && p.onlyWritten(v)
	}
	return false
}

// sameOrder reports whether a writer may as well be an argument, and no receiver: it is the same before and after what is
// written is evaluated, and at once.
func (p *Line) sameOrder(w ast.Expr, call *ast.CallExpr) bool {
	if runsLater(innermost(stackOf(p.file, call))) {
		return false // a nil would be found later
	}
	return p.settled(w) || !below(call.Args[0], p.isForeign) && !below(call.Args[0], p.failsInWords)
}

// isForeign is isCall, but for functions of the standard library that only compute a text or number.
func (p *Line) isForeign(n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok || !p.isCall(n) {
		return p.isCall(n)
	}
	fn := p.callee(call)
	return fn == nil || !onlyComputes(fn.FullName()) || strings.HasPrefix(fn.FullName(), "fmt.") || slices.ContainsFunc(call.Args, func(e ast.Expr) bool {
		_, function := p.typeOf(e).Underlying().(*types.Signature)
		return function || types.IsInterface(p.typeOf(e))
	})
}

// readOnly reports whether a reader is given to a parameter of type io.Reader.
func (p *Line) readOnly(reader *ast.CallExpr) bool {
	call, ok := innermost(stackOf(p.file, reader)).(*ast.CallExpr)
	if !ok {
		return false
	}
	sig, ok := p.typeOf(call.Fun).Underlying().(*types.Signature)
	for i, arg := range call.Args {
		if ok && ast.Unparen(arg) == reader && i < fixed(sig) {
			return types.TypeString(sig.Params().At(i).Type(), nil) == "io.Reader"
		}
	}
	return false
}

// inBytes is a call of a function of package strings by its twin of package bytes.
func (p *Line) inBytes(call, conversion *ast.CallExpr, name, text string) (map[ast.Node]string, []string) {
	sel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	texts := map[ast.Node]string{sel.X: p.qualify("bytes")}
	for i, arg := range call.Args {
		inner, ok := ast.Unparen(arg).(*ast.CallExpr)
		switch {
		case arg == conversion:
			texts[arg] = text
		case ok && p.copiesText(inner) && p.isBytes(inner.Args[0]):
			texts[arg] = p.oneLine(inner.Args[0])
		case !isString(p.typeOf(arg)) || i == 1 && strings.HasSuffix(name, "Any"):
		case types.TypeString(types.Default(p.typeOf(arg)), nil) == "string":
			if !p.constant(arg) {
				return nil, nil // it would be copied instead
			}
			texts[arg] = "[]byte(" + p.oneLine(arg) + ")"
		default:
			return nil, nil
		}
	}
	if call.Args[0] != conversion && strings.HasSuffix(name, "Any") {
		return nil, nil // the set stays a string
	}
	return texts, []string{"bytes"}
}
