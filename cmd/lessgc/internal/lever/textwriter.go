package lever

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A textWriter is a type that has both Write and WriteString.
type textWriter struct {
	t     types.Type
	agree bool        // WriteString is seen, or promised by package io, to do what Write does
	same  bool        // both have the same statements
	fn    *types.Func // its WriteString
}

// textWriters returns the types that packages declare, as far as they are loaded, and those that the program makes
// interfaces, if they have both Write and WriteString.
func (p *Program) textWriters() []textWriter {
	if p.writers != nil {
		return p.writers
	}
	p.writers = []textWriter{}
	seen := map[string]bool{}
	add := func(t types.Type) {
		write, text := methodOf(t, "Write"), methodOf(t, "WriteString")
		if name := types.TypeString(t, nil); write != nil && text != nil && !seen[name] && isWriter(t) && isStringWriter(text) {
			seen[name] = true
			w, s := p.declared(write.Obj()), p.declared(text.Obj())
			same := w != nil && s != nil && p.sameStatements(w, s)
			p.writers = append(p.writers, textWriter{t, p.agrees(write, text), same, text.Obj().(*types.Func)})
		}
	}
	for _, pkg := range p.ssa.AllPackages() {
		scope := pkg.Pkg.Scope()
		for _, name := range scope.Names() {
			object, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || types.IsInterface(object.Type()) {
				continue
			}
			add(object.Type())
			add(types.NewPointer(object.Type()))
		}
	}
	for _, t := range p.boxedTypes {
		add(t)
	}
	return p.writers
}

// methodOf is a method of a type; nil if it has none of the name.
func methodOf(t types.Type, name string) *types.Selection {
	return types.NewMethodSet(t).Lookup(nil, name)
}

// isStringWriter reports whether a method is that of an io.StringWriter.
func isStringWriter(m *types.Selection) bool {
	sig := m.Type().(*types.Signature)
	return sig.Params().Len() == 1 && sig.Results().Len() == 2 && types.Identical(sig.Params().At(0).Type(), types.Typ[types.String]) &&
		types.Identical(sig.Results().At(0).Type(), types.Typ[types.Int]) && isError(sig.Results().At(1).Type())
}

// agrees reports whether a type's WriteString does what its Write does: both are promoted from the same field, one calls
// the other, or they have the same statements. Of methods whose source is not here package io promises it.
func (p *Program) agrees(write, text *types.Selection) bool {
	i, j := write.Index(), text.Index()
	if len(i) > 1 && len(j) > 1 {
		return slices.Equal(i[:len(i)-1], j[:len(j)-1])
	}
	if len(i) > 1 || len(j) > 1 {
		w, s := p.declared(write.Obj()), p.declared(text.Obj())
		return len(j) == 1 && s != nil && s.hands("Write") || len(i) == 1 && w != nil && w.hands("WriteString")
	}
	w, s := p.declared(write.Obj()), p.declared(text.Obj())
	return w == nil && s == nil || w != nil && s != nil && (s.hands("Write") || w.hands("WriteString") || p.sameStatements(w, s))
}

// hands reports whether all that a method does is to call another of the same receiver with its argument, converted.
func (f *function) hands(to string) bool {
	decl, ok := f.node.(*ast.FuncDecl)
	if !ok || len(decl.Body.List) != 1 {
		return false
	}
	recv, param := ownerName(decl), onlyParam(decl)
	ret, ok := decl.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 || recv == "" || param == "" {
		return false
	}
	text := types.ExprString(ret.Results[0])
	return text == recv+"."+to+"([]byte("+param+"))" || text == recv+"."+to+"(string("+param+"))"
}

func ownerName(decl *ast.FuncDecl) string {
	if decl.Recv == nil || len(decl.Recv.List) != 1 || len(decl.Recv.List[0].Names) != 1 {
		return ""
	}
	return decl.Recv.List[0].Names[0].Name
}

func onlyParam(decl *ast.FuncDecl) string {
	params := decl.Type.Params.List
	if len(params) != 1 || len(params[0].Names) != 1 {
		return ""
	}
	return params[0].Names[0].Name
}

// writesText finds io.WriteString of a text in the tokens of a function: see statements.
var writesText = regexp.MustCompile(`io \. WriteString \( ([^(),]+) , § \)`)

// sameStatements reports whether two methods have the same statements, but for the names of the receiver and the parameter, and
// only do with bytes what means the same of a string. What they hand on goes to a buffer or file of the standard library, or to
// an interface, of which package io promises it.
func (p *Program) sameStatements(write, text *function) bool {
	if !write.onlyText() {
		return false
	}
	known := true
	ast.Inspect(write.body, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "Write" {
			known = known && (writesAtOnce(write.typeOf(sel.X)) || types.IsInterface(write.typeOf(sel.X)))
		}
		return known
	})
	body := strings.ReplaceAll(p.statements(text), "[ ] byte ( § )", "§")
	body = writesText.ReplaceAllString(body, "$1 . Write ( § )")
	body = strings.ReplaceAll(body, ". WriteString ( § )", ". Write ( § )")
	return known && body != "" && body == p.statements(write)
}

// statements are the tokens of a method's body, in which § is its parameter and ® its receiver; "" if they are not known.
func (p *Program) statements(f *function) string {
	decl, ok := f.node.(*ast.FuncDecl)
	if !ok || ownerName(decl) == "" || onlyParam(decl) == "" {
		return ""
	}
	text := []byte(p.text(decl.Body))
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(text)), text, nil, 0)
	var all []string
	before := token.ILLEGAL
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return strings.ReplaceAll(strings.Join(all, " "), "; }", "}")
		case tok == token.SEMICOLON:
			lit = ";"
		case tok == token.IDENT && before != token.PERIOD && lit == onlyParam(decl):
			lit = "§"
		case tok == token.IDENT && before != token.PERIOD && lit == ownerName(decl):
			lit = "®"
		case lit == "":
			lit = tok.String()
		}
		all, before = append(all, lit), tok
	}
}

// takesText reports whether io.WriteString may take the place of Write in a call, whose writer is an interface: every type that
// may be in it, as far as it is known, has no WriteString or one that does what its Write does, and does not lead to this call.
func (p *Line) takesText(w ast.Expr, call *ast.CallExpr) bool {
	as, ok := p.typeOf(w).Underlying().(*types.Interface)
	if !ok || isTypeParameter(p.typeOf(w)) || !isWriter(p.typeOf(w)) {
		return false
	}
	top := p.top(p.unit, call.Pos())
	if top == nil || p.fns[top.node] == nil {
		return false
	}
	edited := p.fns[top.node]
	return p.allAgree() && !slices.ContainsFunc(p.textWriters(), func(t textWriter) bool {
		fn := p.ssa.FuncValue(t.fn)
		if t.same && fn == edited {
			return false // it goes the way that Write goes: one that leads back to it has no end now
		}
		return types.Implements(t.t, as) && p.reachesCall(fn, edited)
	})
}

// reachesCall reports whether a function is another one, or calls it, possibly as a method of an interface.
func (p *Program) reachesCall(fn, to *ssa.Function) bool {
	seen := map[*ssa.Function]bool{}
	var leads func(fn *ssa.Function) bool
	leads = func(fn *ssa.Function) bool {
		if fn == nil || seen[fn] {
			return false
		}
		seen[fn] = true
		if fn == to || fn.Syntax() != nil && fn.Syntax() == to.Syntax() {
			return true
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if made, ok := in.(*ssa.MakeClosure); ok && leads(made.Fn.(*ssa.Function)) {
					return true
				}
				call, ok := in.(ssa.CallInstruction)
				if !ok {
					continue
				}
				c := call.Common()
				if c.IsInvoke() && to.Signature.Recv() != nil && c.Method.Name() == to.Name() || leads(c.StaticCallee()) {
					return true
				}
				if _, builtin := c.Value.(*ssa.Builtin); !builtin && !c.IsInvoke() && c.StaticCallee() == nil && sameSignature(c.Signature(), to.Signature) {
					return true
				}
			}
		}
		return false
	}
	return leads(fn)
}

// ownTwins reports whether the type of an expression is one of the program whose Write and WriteString do the same, and whose
// WriteString does not copy the text.
func (p *Line) ownTwins(e ast.Expr) bool {
	t := p.typeOf(e)
	if types.IsInterface(t) {
		return false
	}
	if _, pointer := t.Underlying().(*types.Pointer); !pointer && p.pkg.TypesInfo.Types[ast.Unparen(e)].Addressable() {
		t = types.NewPointer(t)
	}
	write, text := methodOf(t, "Write"), methodOf(t, "WriteString")
	if write == nil || text == nil || !isWriter(t) || !isStringWriter(text) {
		return false
	}
	if len(write.Index()) > 1 && len(text.Index()) > 1 {
		return p.agrees(write, text) && writesAtOnce(write.Obj().(*types.Func).Signature().Recv().Type())
	}
	w, s := p.declared(write.Obj()), p.declared(text.Obj())
	return w != nil && s != nil && len(write.Index()) == 1 && len(text.Index()) == 1 && p.sameStatements(w, s) && (!w.writesOn() || p.allAgree())
}

// writesOn reports whether a method writes to an interface, which may have any type in it.
func (f *function) writesOn() bool {
	return below(f.body, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		return ok && sel.Sel.Name == "Write" && types.IsInterface(f.typeOf(sel.X))
	})
}

// allAgree reports whether all types that have WriteString do in it what they do in Write: any may be behind a writer.
func (p *Program) allAgree() bool {
	return !slices.ContainsFunc(p.textWriters(), func(t textWriter) bool { return !t.agree })
}

// writesAtOnce reports whether a type writes both the same, and in the same portions. A bufio.Writer hands on long bytes as they
// are, and copies of long texts.
func writesAtOnce(t types.Type) bool {
	return writesBoth(t) && !strings.HasPrefix(strings.TrimPrefix(types.TypeString(t, nil), "*"), "bufio.")
}

// writesBoth reports whether a type of the standard library has methods Write and WriteString that write the same.
func writesBoth(t types.Type) bool {
	switch strings.TrimPrefix(types.TypeString(t, nil), "*") {
	case "bytes.Buffer", "bufio.Writer", "strings.Builder", "os.File", "bufio.ReadWriter", "net/http/httptest.ResponseRecorder", "hash/maphash.Hash":
		return true
	}
	return false
}
