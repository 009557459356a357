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
)

// A lender is a pool with a function that takes a value out of it and one that puts it back, all of the package, and a constant for the
// largest that is put back, which is one for all pools of maps.
type lender struct {
	pool, get, put, most string
	sized                bool // the functions are given the number of entries that a map is for

	from, end token.Pos // of the source of one that is there
}

// A lentForm is what a pool and its functions read like, but for their names.
type lentForm struct {
	*poolForm
	param string   // of the function that puts back
	of    string   // "map", "buffer", "parser"
	most  string   // the size above which nothing is put back; "" for none
	limit string   // what that is, with the pool's name in the place of its %s; "" if it is the limit of all maps
	large bool     // the functions take no map out that may be on the stack
	size  string   // of param
	reset []string // statements that make a value as a new one
}

// text is the source of a pool. A map for many entries is made as before, and is not put back even if it has few: it takes as long to
// clear as it once was large.
func (p *lentForm) text(x *pooling, l lender) string {
	limit, pool := "", fmt.Sprintf("sync.Pool{New: func() %s { return %s }}", x.anything(), p.fresh)
	if p.limit != "" {
		limit = limitText(l.most, fmt.Sprintf(p.limit, l.pool), p.most) + "\n\n"
	}
	pool = " = " + pool
	if l.sized {
		pool = " sync.Pool"
	}
	return limit + documented(fmt.Sprintf("%s keeps %s for %s.", l.pool, plural(p.of), l.get), "var "+l.pool+pool) + "\n\n" + p.functions(l)
}

// limitText is the source of a constant for the size of the largest value.
func limitText(name, what, most string) string {
	return documented(name+" "+what+".", "const "+name+" = "+most)
}

// functions is the source of the functions of a pool.
func (p *lentForm) functions(l lender) string {
	get, put, room, n, body := "", p.param+" "+p.taken, "", "", fmt.Sprintf(" return %s.Get().(%s) ", l.pool, p.taken)
	large := p.size + " > " + l.most
	if l.sized {
		n = "n"
		if hasWord(p.taken, n) {
			n = "entries"
		}
		get, put, room, large = n+" int", put+", "+n+" int", " for "+n+" entries", n+" > "+l.most+" || "+large
		body = fmt.Sprintf("\n\tif %s <= %s {\n\t\tif %s, ok := %s.Get().(%s); ok {\n\t\t\treturn %[3]s\n\t\t}\n\t}\n\treturn make(%[5]s, %[1]s)\n", n, l.most, p.param, l.pool, p.taken)
	}
	var back []string
	if p.most != "" {
		back = []string{"if " + large + " {", "\treturn", "}"}
	}
	back = append(back, p.reset...)
	back = append(back, l.pool+".Put("+p.param+")")
	return documented(fmt.Sprintf("%s returns %s%s, which %s takes back.", l.get, p.things, room, l.put),
		fmt.Sprintf("func %s(%s) %s {%s}\n\n", l.get, get, p.taken, body)) +
		documented(fmt.Sprintf("%s puts back %s, which %s returned%s. %[2]s must not be used afterwards.", l.put, p.param, l.get, room),
			fmt.Sprintf("func %s(%s) {\n\t%s\n}", l.put, put, strings.Join(back, "\n\t")))
}

// lend has the values of a form taken and put back by two functions, which may be there already. count is the number of entries that a
// map is made for; "" for none.
func (x *pooling) lend(p *lentForm, count string) {
	f := p.poolForm
	limit, raise, ok := "", []Edit(nil), true
	if p.limit == "" && p.most != "" {
		if limit, raise, ok = x.mapLimits(p); !ok {
			return
		}
	}
	l, ok := x.lenderThere(p)
	switch {
	case ok && (l.sized || count == ""):
		f.pool = append([]Edit{}, raise...)
	case ok && x.resize(&l, p):
		f.pool = append(f.pool, raise...)
		slices.SortFunc(f.pool, byPlace)
	case !strings.Contains(f.fresh, "\n"):
		if l, ok = x.newLender(p.limit != ""); ok {
			l.sized = count != ""
			l.most = cmp.Or(l.most, entriesLimit)
			declared := x.behindOthers(limit + p.text(x, l))
			if declared == nil {
				declared = x.declare(limit + p.text(x, l))
			}
			f.pool = slices.Concat(raise, declared)
		}
	}
	v, second := x.v.Name(), ""
	if l.sized {
		if count == "" {
			count = "0"
		}
		second = ", " + count
	}
	f.taking = l.get + "(" + count + ")"
	f.putting = func(v string) string { return l.put + "(" + v + second + ")" }
	f.get, f.put = []string{v + " := " + f.taking}, []string{f.putting(v)}
}

// behindOthers has declarations stand behind those of the last pool that a change has made in the file before the function, so that pools stand
// together: nil if there is none.
func (x *pooling) behindOthers(text string) []Edit {
	sync, imports, ok := x.p.importing("sync")
	if !ok || sync != "sync" {
		return nil
	}
	before := x.p.file.Decls[:slices.Index(x.p.file.Decls, ast.Decl(x.decl))]
	for i := range slices.Backward(before) {
		put := x.putOf(before[i:])
		if put == nil {
			continue
		}
		behind := x.behind(put, text)
		if behind == nil {
			return nil
		}
		return append(imports, behind...)
	}
	return nil
}

// behind has declarations stand behind another one: nil if something else is on its last line.
func (x *pooling) behind(decl ast.Decl, text string) []Edit {
	end, ok := x.p.endOfLine(decl.End())
	if !ok {
		return nil
	}
	return []Edit{x.p.edit(end+1, end+1, "\n"+text+"\n")}
}

// putOf is the function that puts back the values of the pool that declarations begin with: nil if it does not read like one that a change has
// made, with a function that takes them out before it.
func (x *pooling) putOf(decls []ast.Decl) *ast.FuncDecl {
	if len(decls) < 3 {
		return nil
	}
	pool := declaredAlone(decls[0], token.VAR)
	get, isGet := decls[1].(*ast.FuncDecl)
	put, isPut := decls[2].(*ast.FuncDecl)
	if pool == nil || !x.syncPool(pool) || !isGet || !isPut || get.Recv != nil || put.Recv != nil || put.Doc == nil {
		return nil
	}
	doc := strings.TrimSpace(decls[0].(*ast.GenDecl).Doc.Text())
	if !strings.HasPrefix(doc, pool.Name+" keeps ") || !strings.HasSuffix(strings.Join(strings.Fields(doc), " "), " for "+get.Name.Name+".") || !strings.HasPrefix(put.Doc.Text(), put.Name.Name+" puts back ") {
		return nil
	}
	return put
}

// entriesLimit is the constant for the largest map that a pool of the package keeps, and stackLimit that for the largest that is on the stack.
const (
	entriesLimit = "maxPooledEntries"
	stackLimit   = "maxStackEntries"
)

// entriesText is the source of entriesLimit.
func entriesText(most string) string {
	return limitText(entriesLimit, "is the size of the largest map that pools keep: none shrinks, and clear goes over all of it", most)
}

// stackText is the source of stackLimit.
func stackText(most string) string {
	return limitText(stackLimit, "is the size up to which a map that does not leave its function is on the stack. A pooled map leaves it, and so needs a variable of its own", most)
}

// mapLimits returns the declarations of the constants that a pool of maps needs, with a line behind each, if an earlier change has not made them;
// and the edits of those that are there: one that is raised, as what was measured before may have been smaller, and one that another is put
// behind. ok is false if a name is another's.
func (x *pooling) mapLimits(p *lentForm) (declare string, edits []Edit, ok bool) {
	most, value, ok := x.limitThere(entriesLimit, entriesText)
	if !ok {
		return "", nil, false
	}
	if most == nil {
		declare = entriesText(p.most) + "\n\n"
	} else if there, err := strconv.Atoi(value.Value); err != nil {
		return "", nil, false
	} else if wanted, _ := strconv.Atoi(p.most); there < wanted {
		edits = append(edits, x.p.edit(value.Pos(), value.End(), p.most))
	}
	if !p.large {
		return declare, edits, true
	}
	text := stackText(strconv.Itoa(stackEntries))
	small, value, ok := x.limitThere(stackLimit, stackText)
	switch {
	case !ok || small != nil && value.Value != strconv.Itoa(stackEntries):
		return "", nil, false
	case small != nil:
	case most == nil:
		declare += text + "\n\n"
	default:
		behind := x.behind(most, text)
		if behind == nil {
			return "", nil, false
		}
		edits = append(edits, behind...)
	}
	return declare, edits, true
}

// limitThere returns the declaration of a constant that an earlier change has made, which is as text has it, and its value: nil if there is none.
// ok is false if the name is another's.
func (x *pooling) limitThere(name string, text func(value string) string) (decl *ast.GenDecl, value *ast.BasicLit, ok bool) {
	if x.newNames()(name) {
		return nil, nil, true
	}
	if x.defines(name) {
		return nil, nil, false
	}
	for _, file := range x.p.pkg.Syntax {
		if !x.seesAll(file) {
			continue
		}
		for _, d := range file.Decls {
			id := declaredAlone(d, token.CONST)
			if id == nil || id.Name != name {
				continue
			}
			g := d.(*ast.GenDecl)
			if values := g.Specs[0].(*ast.ValueSpec).Values; len(values) == 1 {
				lit, is := values[0].(*ast.BasicLit)
				return g, lit, is && sameSource(x.p.textBetween(g.Doc.Pos(), g.End()), text(lit.Value))
			}
		}
	}
	return nil, nil, false
}

// seesAll reports whether the function can use what a file of the package declares, in each build.
func (x *pooling) seesAll(file *ast.File) bool {
	u := &unit{x.p.pkg, file}
	return file == x.p.file || !x.p.forSome(u) && !x.p.inTest(file.Package) && !x.p.generated(u)
}

// declaredAlone is the name that a declaration with a comment has; nil if it has none, or several.
func declaredAlone(d ast.Decl, tok token.Token) *ast.Ident {
	if g, ok := d.(*ast.GenDecl); ok && g.Tok == tok && g.Doc != nil && len(g.Specs) == 1 && len(g.Specs[0].(*ast.ValueSpec).Names) == 1 {
		return g.Specs[0].(*ast.ValueSpec).Names[0]
	}
	return nil
}

// lenderThere finds a pool that an earlier change has made, and is the same but for its name: the source has it word for word. ok is false
// if there is none, or the function means something else by one of the names.
func (x *pooling) lenderThere(p *lentForm) (l lender, ok bool) {
	for _, file := range x.p.pkg.Syntax {
		if !x.seesAll(file) || file != x.p.file && !p.anywhere() {
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
	if i+2 >= len(decls) {
		return l, false
	}
	pool := declaredAlone(decls[i], token.VAR)
	get, isGet := decls[i+1].(*ast.FuncDecl)
	put, isPut := decls[i+2].(*ast.FuncDecl)
	if pool == nil || !isGet || !isPut {
		return l, false
	}
	l = lender{pool: pool.Name, get: get.Name.Name, put: put.Name.Name, sized: get.Type.Params.NumFields() > 0,
		from: decls[i].(*ast.GenDecl).Doc.Pos(), end: put.End()}
	switch {
	case p.most == "":
	case p.limit == "":
		l.most = entriesLimit
	case i == 0 || declaredAlone(decls[i-1], token.CONST) == nil:
		return l, false
	default:
		l.most, l.from = declaredAlone(decls[i-1], token.CONST).Name, decls[i-1].(*ast.GenDecl).Doc.Pos()
	}
	if x.defines(l.get) || x.defines(l.put) || !sameSource(x.p.textBetween(l.from, l.end), p.text(x, l)) {
		return l, false
	}
	fn, ok := x.p.pkg.TypesInfo.Defs[get.Name].(*types.Func)
	return l, ok && types.Identical(fn.Signature().Results().At(0).Type(), x.lent()) && x.syncPool(pool) && x.onlyBetween(pool, l.from, l.end)
}

// resize gives the functions of a pool a parameter for the number of entries, which is 0 for those that call them already: false if
// something else than a call has a function, or a file that is not loaded may.
func (x *pooling) resize(l *lender, p *lentForm) bool {
	if slices.ContainsFunc(x.otherFiles(), func(text string) bool { return hasWord(text, l.get) || hasWord(text, l.put) }) {
		return false
	}
	sized := *l
	sized.sized = true
	edits := []Edit{x.p.edit(l.from, l.end, p.text(x, sized))}
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
	return x.p.definesName(x.decl, name, x.p.pkg.TypesInfo.Defs[x.decl.Name])
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
