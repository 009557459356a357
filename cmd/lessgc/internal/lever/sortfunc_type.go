package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/site"
)

// A sortType is a slice type of the package that sort.Sort takes, with the methods that this asks for and plain ones: Len returns the length, Swap
// exchanges two elements and Less compares the same part of both.
type sortType struct {
	name    *types.TypeName
	order   order
	methods []*function
}

// sortMethods are the methods of sort.Interface.
var sortMethods = []string{"Len", "Less", "Swap"}

// sortTypeOf returns a type as a sortType; nil if it is none, or another build may have another one.
func (p *Line) sortTypeOf(t types.Type) *sortType {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.TypeArgs().Len() > 0 || named.Obj().Pkg() != p.pkg.Types || p.builtElsewhere(named.Obj()) {
		return nil
	}
	s := &sortType{name: named.Obj()}
	for _, name := range sortMethods {
		object, _, _ := types.LookupFieldOrMethod(named, true, p.pkg.Types, name)
		fn := p.declared(object)
		if fn == nil || p.builtElsewhere(object) {
			return nil
		}
		decl, ok := fn.node.(*ast.FuncDecl)
		if _, value := types.Unalias(object.(*types.Func).Signature().Recv().Type()).(*types.Named); !ok || !value || len(decl.Recv.List[0].Names) != 1 {
			return nil
		}
		recv := decl.Recv.List[0].Names[0].Name
		switch name {
		case "Len":
			ok = p.returnsLength(fn.body, recv)
		case "Less":
			s.order = p.orderOf(fn.typ, fn.body, recv)
			ok = s.order != nil
		case "Swap":
			ok = p.exchanges(fn.typ, fn.body, recv)
		}
		if !ok {
			return nil
		}
		s.methods = append(s.methods, fn)
	}
	return s
}

// returnsLength reports whether a function only returns the length of a slice.
func (p *Line) returnsLength(body *ast.BlockStmt, slice string) bool {
	result := returned(body)
	if result == nil {
		return false
	}
	call := p.builtin(ast.Unparen(result), "len")
	return call != nil && p.text(call.Args[0]) == slice
}

// exchanges reports whether a function only exchanges two elements of a slice, whose indexes it has.
func (p *Line) exchanges(typ *ast.FuncType, body *ast.BlockStmt, slice string) bool {
	i, j, ok := twoParams(typ)
	if !ok || len(body.List) != 1 {
		return false
	}
	assign, ok := body.List[0].(*ast.AssignStmt)
	if !ok || assign.Tok != token.ASSIGN || len(assign.Lhs) != 2 || len(assign.Rhs) != 2 {
		return false
	}
	if i, j = slice+"["+i+"]", slice+"["+j+"]"; p.text(assign.Lhs[0]) == j {
		i, j = j, i
	}
	return p.text(assign.Lhs[0]) == i && p.text(assign.Lhs[1]) == j && p.text(assign.Rhs[0]) == j && p.text(assign.Rhs[1]) == i
}

// sortsAs makes a call of a function of package slices of one of sort.Sort or sort.Stable, for a slice that is a variable or a field of one, and
// is converted to a type or has it: nil if the call has to stay.
func (p *Line) sortsAs(s *sortType, call *ast.CallExpr) []Edit {
	x := ast.Unparen(call.Args[0])
	if conversion, ok := x.(*ast.CallExpr); ok {
		if len(conversion.Args) != 1 || !p.pkg.TypesInfo.Types[conversion.Fun].IsType() {
			return nil
		}
		x = ast.Unparen(conversion.Args[0])
	}
	slice, ok := p.typeOf(x).Underlying().(*types.Slice) // of a string it would be a copy
	if !ok || !p.simple(x) || p.isNil(x) || !p.goes("1.21") {
		return nil
	}
	return p.sortedBy(call, x, slice.Elem(), s.order)
}

// convertsAlone is the share of the bytes of the line that a call of sort.Sort makes an interface with.
func (p *Line) convertsAlone(call *ast.CallExpr) float64 {
	conversion, _ := ast.Unparen(call.Args[0]).(*ast.CallExpr)
	return p.alone(func(n ast.Node) bool { return n == call || n == conversion })
}

// withSortType adds the change of a call of sort.Sort or sort.Stable to a finding, with that of the other calls for the type. If these are all that
// uses it, it goes with its methods, or no call changes.
func (p *Line) withSortType(f *Finding, c called) {
	s := p.sortTypeOf(p.typeOf(c.call.Args[0]))
	if s == nil {
		return
	}
	own := p.sortsAs(s, c.call)
	if own == nil {
		return
	}
	if f.What = "sort with slices." + sorters[c.fn.Name()]; s.order.natural() {
		f.What = "sort with slices.Sort"
	}
	calls, used := p.sortCalls(s)
	if !slices.ContainsFunc(calls, func(o sortCall) bool { return o.call == c.call }) {
		return // it may be all that uses the type
	}
	others := slices.DeleteFunc(slices.Clone(calls), func(o sortCall) bool { return o.call == c.call || used && p.profiled(o.call) })
	switch {
	case len(others) > mostCallsAlike || used && len(others) == 0:
		f.Edits = own
		return
	case used:
		f.Edits, f.Alone, f.InPlace = p.sortedTogether(append(others, sortCall{p, c.call, own}), nil), own, true
	default:
		if f.Edits = p.withoutType(s, calls); f.Edits == nil {
			return
		}
		if what := f.What + " and remove " + s.name.Name(); len(what) <= mostWhat {
			f.What = what
		}
	}
	for _, o := range others {
		f.Evidence = append(f.Evidence, p.at(o.call.Pos(), ChangesAlike))
		if line := p.frameOf(o.call.Pos()); !used && (line.Line != p.site.Line || line.File != p.site.File) {
			f.Also = append(f.Also, Also{line, o.share})
		}
	}
}

// A sortCall is a call of sort.Sort or sort.Stable, with its change.
type sortCall struct {
	p     *Line
	call  *ast.CallExpr
	edits []Edit
}

// share is the share of the bytes of a site that the call makes an interface with.
func (c sortCall) share(s *site.Site) Range {
	share := 0.0
	if line := c.p.lineOf(s); line != nil {
		share = line.convertsAlone(c.call)
	}
	return Range{share, share}
}

// sortCalls are the calls of sort.Sort and sort.Stable for a type that can change. used reports whether something else may use the type: the rest of
// the package, a test, or another package if it is exported. Files that are not loaded do not, see sortTypeOf.
func (p *Line) sortCalls(s *sortType) (calls []sortCall, used bool) {
	used = s.name.Exported() || p.testNamesIn(filepath.Dir(p.fset.Position(s.name.Pos()).Filename))[s.name.Name()]
	for _, file := range p.pkg.Syntax {
		ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !p.sortsInterface(call) || runsLater(innermost(stack)) || types.Unalias(p.typeOf(call.Args[0])) != s.name.Type() {
				return true
			}
			line := p.lineAt(call.Pos())
			if line == nil || !line.mayChange() || p.generated(line.unit) || p.inTest(call.Pos()) {
				return true
			}
			if edits := line.sortsAs(s, call); edits != nil {
				calls = append(calls, sortCall{line, call, edits})
			}
			return true
		})
	}
	for _, file := range p.pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			used = used || ok && p.pkg.TypesInfo.Uses[id] == s.name && !s.isReceiver(id) &&
				!slices.ContainsFunc(calls, func(c sortCall) bool { return c.call.Pos() <= id.Pos() && id.End() <= c.call.End() })
			return true
		})
	}
	return calls, used
}

// sortsInterface reports whether a call is one of sort.Sort or sort.Stable.
func (p *Line) sortsInterface(call *ast.CallExpr) bool {
	fn := p.callee(call)
	return fn != nil && (fn.FullName() == "sort.Sort" || fn.FullName() == "sort.Stable")
}

// isReceiver reports whether an identifier is that of the type in one of the three methods' receivers.
func (s *sortType) isReceiver(id *ast.Ident) bool {
	return slices.ContainsFunc(s.methods, func(fn *function) bool {
		recv := fn.node.(*ast.FuncDecl).Recv
		return recv.Pos() <= id.Pos() && id.End() <= recv.End()
	})
}

// withoutType makes the changes of all calls, and removes the type with its methods: nil if a comment would go that is not theirs, or name what is
// gone, or if there are reasons to have them where they are.
func (p *Line) withoutType(s *sortType, calls []sortCall) (edits []Edit) {
	gone, ok := p.withoutDecls(s)
	if !ok {
		return nil
	}
	for _, e := range gone {
		stays := slices.ContainsFunc(p.units[e.File].file.Decls, func(d ast.Decl) bool {
			group, ok := d.(*ast.GenDecl)
			return (!ok || group.Tok != token.IMPORT) && !p.isWithin(d, gone)
		})
		if !stays {
			return nil // nothing is left of the file
		}
	}
	return p.sortedTogether(calls, gone)
}

// sortedTogether joins the changes of calls with other edits, in order: imports that nothing uses after all of them go, and no others.
func (p *Line) sortedTogether(calls []sortCall, others []Edit) []Edit {
	edits := slices.Clone(others)
	lines := map[string]*Line{}
	for _, e := range others {
		lines[e.File] = &Line{p.Program, p.units[e.File], p.site, p.fn, nil}
	}
	for _, c := range calls {
		edits = append(edits, slices.DeleteFunc(slices.Clone(c.edits), func(e Edit) bool { return slices.Contains(edits, e) })...)
		lines[p.frameOf(c.call.Pos()).File] = c.p
	}
	for _, line := range lines {
		edits = line.reimported(edits)
	}
	slices.SortFunc(edits, byPlace)
	return edits
}

// isWithin reports whether one of some edits replaces all of a node.
func (p *Line) isWithin(n ast.Node, edits []Edit) bool {
	at := p.edit(n.Pos(), n.End(), "")
	return slices.ContainsFunc(edits, func(e Edit) bool { return e.File == at.File && e.Pos <= at.Pos && at.End <= e.End })
}

// withoutDecls are the edits that take the declarations of a type and its methods away, with their comments. ok is false if one is beside
// another, or has a directive or a comment of its own, or if one elsewhere names the type.
func (p *Line) withoutDecls(s *sortType) (gone []Edit, ok bool) {
	decl := p.typeDeclaration(s.name)
	if decl == nil {
		return nil, false
	}
	all := []ast.Decl{decl}
	for _, fn := range s.methods {
		f, _ := p.pkg.TypesInfo.Defs[fn.node.(*ast.FuncDecl).Name].(*types.Func)
		if f == nil || p.linkedElsewhere(f) {
			return nil, false
		}
		all = append(all, fn.node.(*ast.FuncDecl))
	}
	for _, d := range all {
		e, ok := p.withoutDecl(d)
		if !ok {
			return nil, false
		}
		gone = append(gone, e)
	}
	word := regexp.MustCompile(`\b` + regexp.QuoteMeta(s.name.Name()) + `\b`)
	for _, file := range p.pkg.Syntax {
		for _, c := range file.Comments {
			if slices.ContainsFunc(c.List, func(line *ast.Comment) bool { return word.MatchString(line.Text) }) && !p.isWithin(c, gone) {
				return nil, false
			}
		}
	}
	return gone, true
}

// typeDeclaration is the declaration of a type and nothing else; nil if there is none.
func (p *Line) typeDeclaration(name *types.TypeName) *ast.GenDecl {
	u := p.unitOf(name.Pos())
	if u == nil || u.pkg != p.pkg {
		return nil
	}
	for _, d := range u.file.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.TYPE && !d.Lparen.IsValid() && d.Pos() <= name.Pos() && name.Pos() < d.End() {
			return d
		}
	}
	return nil
}

// withoutDecl is the edit that takes the declaration of a type or function away, with its comment. ok is false if it shares its lines, a comment
// stands in it or above it that may be about more, it has a directive, or its file is not to be changed.
func (p *Line) withoutDecl(decl ast.Decl) (gone Edit, ok bool) {
	u, file := p.unitOf(decl.Pos()), p.fset.File(decl.Pos())
	if u == nil || p.inTest(decl.Pos()) || p.generated(u) || ast.IsGenerated(u.file) || u.hasComment(decl) ||
		slices.ContainsFunc(u.file.Imports, func(spec *ast.ImportSpec) bool { return spec.Name != nil && spec.Name.Name == "." }) {
		return gone, false
	}
	var doc, behind *ast.CommentGroup
	switch d := decl.(type) {
	case *ast.FuncDecl:
		doc = d.Doc
	case *ast.GenDecl:
		doc, behind = d.Doc, d.Specs[0].(*ast.TypeSpec).Comment
	}
	pos, end := decl.Pos(), decl.End()
	if doc != nil {
		pos = doc.Pos()
	}
	if behind != nil {
		end = behind.End()
	}
	above := u.file.Name.End()
	for _, d := range u.file.Decls {
		if d.End() <= pos {
			above = d.End()
		}
	}
	last := file.Line(end)
	if directive(doc) || last >= file.LineCount() || strings.TrimSpace(p.textBetween(file.LineStart(file.Line(pos)), pos)+p.textBetween(end, file.LineStart(last+1))) != "" ||
		slices.ContainsFunc(u.file.Comments, func(c *ast.CommentGroup) bool {
			return above < c.Pos() && c.End() < pos && file.Line(c.Pos()) > file.Line(above)
		}) {
		return gone, false
	}
	return p.edit(pos, end, ""), true
}
