package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// A lender is a pool with a function that takes a value out of it and one that puts it back, all of the package, and a constant for the
// largest that is put back.
type lender struct {
	pool, get, put, most string
	sized                bool // the functions are given the number of entries that a map is for

	from, functions, end token.Pos // of the source of one that is there: all, and the functions
	raise                []Edit    // of the constant, if the pool that is there has a smaller limit
}

// A lentForm is what a pool and its functions read like, but for their names.
type lentForm struct {
	*poolForm
	param string   // of the function that puts back
	of    string   // "map", "buffer", "parser"
	most  string   // the size above which nothing is put back; "" for none
	limit string   // what that is, with the pool's name in the place of its %s
	size  string   // of param
	reset []string // statements that make a value as a new one
}

// text is the source of a pool. A map for many entries is made as before, and is not put back even if it has few: it takes as long to
// clear as it once was large.
func (p *lentForm) text(x *pooling, l lender) string {
	limit := ""
	if p.most != "" {
		limit = fmt.Sprintf("// %[1]s %[2]s.\nconst %[1]s = %[3]s\n\n", l.most, fmt.Sprintf(p.limit, l.pool), p.most)
	}
	return fmt.Sprintf("%s// %s keeps %s for %s.\nvar %[2]s = sync.Pool{New: func() %[5]s { return %[6]s }}\n\n",
		limit, l.pool, plural(p.of), l.get, x.anything(), p.fresh) + p.functions(x, l)
}

// functions is the source of the functions of a pool.
func (p *lentForm) functions(x *pooling, l lender) string {
	get, put, room, n, body := "", p.param+" "+p.taken, "", "", fmt.Sprintf(" return %s.Get().(%s) ", l.pool, p.taken)
	large := p.size + " > " + l.most
	if l.sized {
		n = "n"
		if hasWord(p.taken, n) {
			n = "entries"
		}
		get, put, room, large = n+" int", put+", "+n+" int", " for "+n+" entries", n+" > "+l.most+" || "+large
		body = fmt.Sprintf("\n\tif %s > %s {\n\t\treturn make(%s, %[1]s)\n\t}\n\treturn %[4]s.Get().(%[3]s)\n", n, l.most, p.taken, l.pool)
	}
	var back []string
	if p.most != "" {
		back = []string{"if " + large + " {", "\treturn", "}"}
	}
	back = append(back, p.reset...)
	return fmt.Sprintf("// %s returns %s%s, which %s takes back.\nfunc %[1]s(%[5]s) %[6]s {%[7]s}\n\n", l.get, p.things, room, l.put, get, p.taken, body) +
		fmt.Sprintf("// %s puts back %s, which %s returned%s. %[2]s must not be used afterwards.\nfunc %[1]s(%[5]s) {\n\t%[6]s\n}", l.put, p.param, l.get, room, put,
			strings.Join(append(back, l.pool+".Put("+p.param+")"), "\n\t"))
}

// lend has the values of a form taken and put back by two functions, which may be there already. count is the number of entries that a
// map is made for; "" for none.
func (x *pooling) lend(p *lentForm, count string) {
	f := p.poolForm
	l, ok := x.lenderThere(p)
	switch {
	case ok && (l.sized || count == ""):
		f.pool = append([]Edit{}, l.raise...)
	case ok && x.resize(&l, p):
	case !strings.Contains(f.fresh, "\n"):
		if l, ok = x.newLender(); ok {
			l.sized = count != ""
			f.pool = x.declare(p.text(x, l))
		}
	}
	v, second := x.v.Name(), ""
	if l.sized {
		if count == "" {
			count = "0"
		}
		second = ", " + count
	}
	f.get, f.put = []string{v + " := " + l.get + "(" + count + ")"}, []string{l.put + "(" + v + second + ")"}
}

// lenderThere finds a pool that an earlier change has made, and is the same but for its name: the source has it word for word. ok is false
// if there is none, or the function means something else by one of the names.
func (x *pooling) lenderThere(p *lentForm) (l lender, ok bool) {
	for _, file := range x.p.pkg.Syntax {
		u := &unit{x.p.pkg, file}
		here := file == x.p.file
		if !here && (!p.anywhere() || x.p.forSome(u) || x.p.inTest(file.Package) || x.p.generated(u)) {
			continue
		}
		for i := range file.Decls {
			if l, ok = x.lenderAt(file.Decls, i, p); ok {
				return l, true
			}
		}
	}
	return lender{}, false
}

// lenderAt is lenderThere for the pool that is declaration i of some.
func (x *pooling) lenderAt(decls []ast.Decl, i int, p *lentForm) (l lender, ok bool) {
	name := func(d ast.Decl, tok token.Token) *ast.Ident {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == tok && g.Doc != nil && len(g.Specs) == 1 && len(g.Specs[0].(*ast.ValueSpec).Names) == 1 {
			return g.Specs[0].(*ast.ValueSpec).Names[0]
		}
		return nil
	}
	if i+2 >= len(decls) {
		return l, false
	}
	pool := name(decls[i], token.VAR)
	get, isGet := decls[i+1].(*ast.FuncDecl)
	put, isPut := decls[i+2].(*ast.FuncDecl)
	if pool == nil || !isGet || !isPut || get.Doc == nil {
		return l, false
	}
	l = lender{pool: pool.Name, get: get.Name.Name, put: put.Name.Name, sized: get.Type.Params.NumFields() > 0,
		from: decls[i].(*ast.GenDecl).Doc.Pos(), functions: get.Doc.Pos(), end: put.End()}
	if p.most != "" {
		if i == 0 || name(decls[i-1], token.CONST) == nil {
			return l, false
		}
		l.most, l.from = name(decls[i-1], token.CONST).Name, decls[i-1].(*ast.GenDecl).Doc.Pos()
		p = x.withLimit(p, &l, decls[i-1].(*ast.GenDecl).Specs[0].(*ast.ValueSpec))
	}
	if x.defines(l.get) || x.defines(l.put) || x.p.textBetween(l.from, l.end) != p.text(x, l) {
		return l, false
	}
	fn, ok := x.p.pkg.TypesInfo.Defs[get.Name].(*types.Func)
	return l, ok && types.Identical(fn.Signature().Results().At(0).Type(), x.lent()) && x.syncPool(pool) && x.onlyBetween(pool, l.from, l.end)
}

// withLimit is a form with the limit of a pool of maps that is there: by what was measured, it may be another one. The larger one is that of
// both.
func (x *pooling) withLimit(p *lentForm, l *lender, there *ast.ValueSpec) *lentForm {
	if p.of != "map" || len(there.Values) != 1 {
		return p
	}
	lit, ok := there.Values[0].(*ast.BasicLit)
	if !ok {
		return p
	}
	n, err := strconv.Atoi(lit.Value)
	if most, _ := strconv.Atoi(p.most); err != nil || n > mostKeptEntries {
		return p
	} else if n < most {
		l.raise = []Edit{x.p.edit(lit.Pos(), lit.End(), p.most)}
	}
	form := *p
	form.most = lit.Value
	return &form
}

// resize gives the functions of a pool a parameter for the number of entries, which is 0 for those that call them already: false if
// something else than a call has a function, or a file that is not loaded may.
func (x *pooling) resize(l *lender, p *lentForm) bool {
	if slices.ContainsFunc(x.otherFiles(), func(text string) bool { return hasWord(text, l.get) || hasWord(text, l.put) }) {
		return false
	}
	sized := *l
	sized.sized = true
	edits := []Edit{x.p.edit(l.functions, l.end, p.functions(x, sized))}
	used, called := 0, 0
	for id := range x.p.pkg.TypesInfo.Uses {
		if x.isLender(id, l) {
			used++
		}
	}
	for _, file := range x.p.pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if id, ok := call.Fun.(*ast.Ident); ok && x.isLender(id, l) {
				called++
				argument := "0"
				if len(call.Args) > 0 {
					argument = ", 0"
				}
				edits = append(edits, x.p.edit(call.Rparen, call.Rparen, argument))
			}
			return true
		})
	}
	if called != used {
		return false
	}
	edits = append(edits, l.raise...)
	slices.SortFunc(edits, byPlace)
	*l, p.pool = sized, edits
	return true
}

// isLender reports whether a name is used for one of the functions of a pool.
func (x *pooling) isLender(id *ast.Ident, l *lender) bool {
	fn, ok := x.p.pkg.TypesInfo.Uses[id].(*types.Func)
	return ok && fn.Parent() == x.p.pkg.Types.Scope() && (fn.Name() == l.get || fn.Name() == l.put)
}

// defines reports whether the function declares a name.
func (x *pooling) defines(name string) bool {
	found := false
	ast.Inspect(x.decl, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name && x.p.pkg.TypesInfo.Defs[id] != nil && id != x.decl.Name
		return !found
	})
	return found
}

// lent is the type of what a pool of the variable's memory has.
func (x *pooling) lent() types.Type {
	if _, isValue := x.v.Type().Underlying().(*types.Struct); isValue {
		return types.NewPointer(x.v.Type())
	}
	return x.v.Type()
}

// syncPool reports whether a variable of the package is a pool of package sync.
func (x *pooling) syncPool(id *ast.Ident) bool {
	v := x.p.pkg.TypesInfo.Defs[id]
	return v != nil && types.TypeString(v.Type(), nil) == "sync.Pool"
}

// onlyBetween reports whether nothing of the package uses a variable elsewhere.
func (x *pooling) onlyBetween(id *ast.Ident, from, to token.Pos) bool {
	v := x.p.pkg.TypesInfo.Defs[id]
	for use, object := range x.p.pkg.TypesInfo.Uses {
		if object == v && (use.Pos() < from || to <= use.Pos()) {
			return false
		}
	}
	return true
}

// anywhere reports whether what makes a new value names its type only: in another file, a constant may be another.
func (f *poolForm) anywhere() bool {
	return f.fresh == "make("+f.taken+")" || "*"+strings.TrimPrefix(f.fresh, "new") == "*("+strings.TrimPrefix(f.taken, "*")+")"
}
