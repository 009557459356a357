package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

var stringWriter = &Lever{
	Name:   "string-writer",
	Title:  "give the writer a method WriteString",
	Looks:  "io.WriteString to a writer of the program's own that has no method WriteString, as the copies in the profile show, when its Write does nothing with the bytes that it could not do with a string.",
	Wrong:  "when the writer passes the text on to another that has no WriteString either: then it is copied there.",
	Before: `func (c *counter) Write(p []byte) (int, error) { c.n += len(p); return c.w.Write(p) }`,
	After: `func (c *counter) Write(p []byte) (int, error) { c.n += len(p); return c.w.Write(p) }

func (c *counter) WriteString(s string) (int, error) { c.n += len(s); return io.WriteString(c.w, s) }`,
	Model: "The copy of each text goes whole, if the writer below takes strings.",
	Saves: Saves{Alloc: Range{0.5, 1}, Collect: Range{0.5, 1}},
	find:  findStringWriter,
}

func findStringWriter(p *Line) (f Finding) {
	share := p.leaves(copiedByWriteString)
	if share == 0 {
		return f
	}
	var calls []*ssa.Call
	for _, c := range p.callsOnLine() {
		if isCallOf(c, "io.WriteString") {
			calls = append(calls, c)
		}
	}
	if len(calls) != 1 {
		return f
	}
	for _, t := range p.copying(calls[0].Call.Args[0]) {
		e, edits, ok := p.takesStrings(t)
		if !ok {
			return Finding{}
		}
		if len(f.Edits) == 0 {
			f.Edits, f.Sketch = edits, true
		}
		if len(f.Evidence) < 3 {
			f.Evidence = append(f.Evidence, e)
		}
	}
	if len(f.Evidence) > 0 {
		f.Share = share
		f.Evidence = slices.Insert(f.Evidence, 0, p.at(calls[0].Pos(), "io.WriteString copies the text into a []byte: the writer has no WriteString"))
	}
	return f
}

// copiedByWriteString reports whether a leaf is the copy that io.WriteString, called on the line, makes of a text.
func copiedByWriteString(l site.Leaf) bool {
	return len(l.Path) > 0 && l.Path[0].Func == "io.WriteString" &&
		!slices.ContainsFunc(l.Path[1:], func(f prof.Frame) bool { return f.Package() != "runtime" })
}

// callsOnLine are the calls on the line.
func (p *Line) callsOnLine() (all []*ssa.Call) {
	for in := range p.instructions() {
		if c, ok := in.(*ssa.Call); ok {
			all = append(all, c)
		}
	}
	return all
}

// copying are the types without WriteString that a writer may have: those that it has in the calls which the profile
// shows, or else all that the program makes interfaces.
func (p *Line) copying(w ssa.Value) (all []types.Type) {
	from, ok := p.writers(w, 0)
	if !ok {
		from = p.boxedTypes
	}
	as, _ := w.Type().Underlying().(*types.Interface)
	for {
		c, ok := w.(*ssa.ChangeInterface)
		if !ok {
			break
		}
		w = c.X
		as, _ = w.Type().Underlying().(*types.Interface)
	}
	names := map[string]bool{}
	for _, t := range from {
		name := types.TypeString(t, nil)
		if as == nil || names[name] || !types.Implements(t, as) || types.NewMethodSet(t).Lookup(nil, "WriteString") != nil {
			continue
		}
		names[name] = true
		all = append(all, t)
	}
	return all
}

// callsUp bounds how many calls up a writer is looked for.
const callsUp = 6

// writers are the types of a writer; ok is false if they are not all known.
func (p *Line) writers(w ssa.Value, depth int) (all []types.Type, ok bool) {
	switch w := w.(type) {
	case *ssa.MakeInterface:
		return []types.Type{w.X.Type()}, true
	case *ssa.ChangeInterface:
		return p.writers(w.X, depth)
	case *ssa.Parameter:
		return p.givenWriters(w, depth)
	}
	return nil, false
}

// givenWriters are the types of a parameter in the calls that the profile shows, so many calls up.
func (p *Line) givenWriters(w *ssa.Parameter, depth int) (all []types.Type, ok bool) {
	i := slices.Index(w.Parent().Params, w)
	shown := map[prof.Frame]bool{}
	for _, l := range p.site.Leaves {
		if !copiedByWriteString(l) {
			continue
		}
		if depth >= min(len(l.Callers), callsUp) {
			return nil, false
		}
		shown[prof.Frame{File: l.Callers[depth].File, Line: l.Callers[depth].Line}] = true
	}
	for _, c := range p.callsOf(w.Parent()) {
		at := p.at(c.Pos(), "")
		frame := prof.Frame{File: at.File, Line: at.Line}
		if !shown[frame] {
			continue
		}
		more, ok := p.writers(c.Common().Args[i], depth+1)
		if !ok {
			return nil, false
		}
		all = append(all, more...)
		shown[frame] = false
	}
	for _, left := range shown {
		if left {
			return nil, false
		}
	}
	return all, len(all) > 0
}

// takesStrings returns the position of a type's method Write, and a stub of WriteString behind it. ok is false unless the type is
// one of the program, tests left out, whose Write could do with a string.
func (p *Line) takesStrings(t types.Type) (e Evidence, edits []Edit, ok bool) {
	elem, star := t, ""
	if pointer, is := t.Underlying().(*types.Pointer); is {
		elem, star = pointer.Elem(), "*"
	}
	named, is := types.Unalias(elem).(*types.Named)
	m := types.NewMethodSet(t).Lookup(nil, "Write")
	if !is || m == nil || named.TypeArgs() != nil || p.isEmbedded(named) || p.unitOf(named.Obj().Pos()) == nil || p.inTest(named.Obj().Pos()) {
		return e, nil, false
	}
	stub := fmt.Sprintf("\n\n// WriteString is Write without a copy of the text.\nfunc (w %s%s) WriteString(s string) (int, error) {\n\t// as Write, with s\n}\n", star, named.Obj().Name())
	write := p.declared(m.Obj())
	if write == nil { // of an interface in it
		field := embedded(named, "Write")
		if field == nil || !maybeStrings(field.Type()) {
			return e, nil, false
		}
		body := fmt.Sprintf("return io.WriteString(w.%s, s)", field.Name())
		return p.at(named.Obj().Pos(), fmt.Sprintf("%s has the Write of its %s, and no WriteString", named.Obj().Name(), field.Name())),
			[]Edit{p.behindType(named, strings.Replace(stub, "// as Write, with s", body, 1))}, true
	}
	if !write.onlyText() {
		return e, nil, false
	}
	return p.at(write.node.Pos(), fmt.Sprintf("%s has Write, and no WriteString", named.Obj().Name())),
		[]Edit{p.edit(write.node.End(), write.node.End(), strings.TrimSuffix(stub, "\n"))}, true
}

// isEmbedded reports whether a struct of a package embeds a type: a new method would be promoted past
// what that does by itself.
func (p *Program) isEmbedded(named *types.Named) bool {
	for _, pkg := range p.ssa.AllPackages() {
		scope := pkg.Pkg.Scope()
		for _, name := range scope.Names() {
			object, ok := scope.Lookup(name).(*types.TypeName)
			if !ok {
				continue
			}
			s, ok := object.Type().Underlying().(*types.Struct)
			if !ok {
				continue
			}
			for field := range s.Fields() {
				t := types.Unalias(field.Type())
				if pointer, ok := t.(*types.Pointer); ok {
					t = types.Unalias(pointer.Elem())
				}
				if inner, ok := t.(*types.Named); field.Embedded() && ok && sameName(inner, named) {
					return true
				}
			}
		}
	}
	return false
}

// behindType puts text behind the declaration of a type.
func (p *Line) behindType(named *types.Named, text string) Edit {
	pos := p.unitOf(named.Obj().Pos()).file.End()
	for _, d := range p.unitOf(named.Obj().Pos()).file.Decls {
		if d.Pos() <= named.Obj().Pos() && named.Obj().Pos() < d.End() {
			pos = d.End()
		}
	}
	return p.edit(pos, pos, strings.TrimSuffix(text, "\n"))
}

// embedded is the interface in a struct that gives it a method; nil if there is none.
func embedded(named *types.Named, method string) *types.Var {
	s, ok := named.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for field := range s.Fields() {
		if field.Embedded() && types.IsInterface(field.Type()) && types.NewMethodSet(field.Type()).Lookup(nil, method) != nil {
			return field
		}
	}
	return nil
}

// maybeStrings reports whether io.WriteString to a type may do without a copy. Of an interface that is not known, but for
// those whose types have no WriteString.
func maybeStrings(t types.Type) bool {
	if types.NewMethodSet(t).Lookup(nil, "WriteString") != nil {
		return true
	}
	switch types.TypeString(t, nil) {
	case "io.Writer", "io.WriteCloser", "io.ReadWriter", "net/http.ResponseWriter":
		return true
	}
	if _, pointer := t.Underlying().(*types.Pointer); !pointer && !types.IsInterface(t) {
		return types.NewMethodSet(types.NewPointer(t)).Lookup(nil, "WriteString") != nil
	}
	return false
}

// onlyText reports whether a Write does with its bytes what it may do with a string.
func (f *function) onlyText() bool {
	params := f.typ.Params.List
	if len(params) != 1 || len(params[0].Names) != 1 {
		return false
	}
	v := f.pkg.TypesInfo.Defs[params[0].Names[0]]
	if v == nil {
		return false
	}
	ok, used := true, false
	ast.PreorderStack(f.body, nil, func(n ast.Node, stack []ast.Node) bool {
		if id, is := n.(*ast.Ident); is && f.pkg.TypesInfo.Uses[id] == v {
			used = true
			ok = ok && f.asText(id, stack)
		}
		return ok
	})
	return ok && used
}

// asText reports whether bytes are used in a way that a string may be.
func (f *function) asText(e ast.Expr, stack []ast.Node) bool {
	around := innermost(stack)
	switch n := around.(type) {
	case *ast.AssignStmt: // made shorter
		return len(n.Lhs) == 1 && n.Lhs[0] == e && n.Tok == token.ASSIGN && f.object(e) == f.rootOf(n.Rhs[0])
	case *ast.IndexExpr:
		up, _ := innermost(stack[:slices.Index(stack, around)]).(*ast.UnaryExpr)
		switch outer := innermost(stack[:slices.Index(stack, around)]).(type) {
		case *ast.AssignStmt:
			if slices.Contains(outer.Lhs, ast.Expr(n)) {
				return false
			}
		case *ast.IncDecStmt:
			return false
		}
		return n.X == e && (up == nil || up.Op != token.AND)
	case *ast.SliceExpr:
		up := stack[:slices.Index(stack, around)]
		assign, ok := innermost(up).(*ast.AssignStmt)
		return n.X == e && (ok && len(assign.Lhs) == 1 && f.object(assign.Lhs[0]) == f.object(e) || f.asText(n, up))
	case *ast.CallExpr:
		if f.builtin(n, "len") != nil || f.pkg.TypesInfo.Types[n.Fun].IsType() && isString(f.typeOf(n)) {
			return true
		}
		if f.builtin(n, "append") != nil || f.builtin(n, "copy") != nil {
			return len(n.Args) == 2 && n.Args[1] == e
		}
		if fn := f.callee(n); fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "bytes" && fn.Signature().Recv() == nil && n.Args[0] == e {
			assign, _ := innermost(stack[:slices.Index(stack, around)]).(*ast.AssignStmt)
			return readers[fn.Name()] || strings.HasPrefix(fn.Name(), "Trim") && assign != nil && f.object(assign.Lhs[0]) == f.object(e)
		}
		sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
		return ok && sel.Sel.Name == "Write" && len(n.Args) == 1 && f.pkg.TypesInfo.Selections[sel] != nil && maybeStrings(f.typeOf(sel.X))
	}
	return false
}

// rootOf is the variable that an expression is part of, or what package bytes has trimmed it to; nil if it is nothing such.
func (f *function) rootOf(e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.SliceExpr:
		return f.rootOf(e.X)
	case *ast.CallExpr:
		if fn := f.callee(e); fn != nil && strings.HasPrefix(fn.FullName(), "bytes.Trim") {
			return f.rootOf(e.Args[0])
		}
	}
	return f.object(e)
}
