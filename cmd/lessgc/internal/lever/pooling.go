package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ssa"
)

// A pooling is a local variable whose memory can come out of a sync.Pool, and go back when its block or
// function ends.
type pooling struct {
	p *Line // of the function that declares it

	made ssa.Value     // the memory
	more []ssa.Value   // memory that the variable may have besides: of a slice that begins as nil, what append makes
	home *ssa.Function // makes it
	flow *follower     // has followed it

	decl  *ast.FuncDecl // in which the variable is declared
	v     *types.Var
	value ast.Expr   // its first value; nil for the zero value
	stmt  ast.Stmt   // declares it
	list  []ast.Stmt // the block of the statement
	loop  bool       // it is in a loop: each iteration has to put the memory back
}

// pooling is the variable that an object is first stored in; nil if there is none, or its function does not
// have a simple way from the declaration to its end.
func (p *Line) pooling(made ssa.Value) *pooling {
	x := p.temporaryVariable(made)
	if x == nil || x.loop && x.leaves() {
		return nil
	}
	return x
}

// temporaryVariable is pooling of a variable of a loop, too, whose iteration ends anywhere: then there is no place to put
// memory back.
func (p *Line) temporaryVariable(made ssa.Value) *pooling {
	return p.variableAt(made.Pos(), made)
}

// variableAt is temporaryVariable of the variable that a statement around a position declares.
func (p *Line) variableAt(pos token.Pos, made ssa.Value) *pooling {
	u := p.unitOf(pos)
	if u == nil || p.generated(u) || p.inTest(pos) {
		return nil
	}
	x := &pooling{p: &Line{p.Program, u, p.site, nil, nil}, made: made, home: made.Parent()}
	path, _ := astutil.PathEnclosingInterval(u.file, pos, pos)
	if !x.declares(path) || !x.inside(path) || p.fns[x.p.fn.node] != x.home || generic(x.home) || x.home.Origin() != nil {
		return nil
	}
	if x.decl.Recv == nil && (x.decl.Name.Name == "main" || x.decl.Name.Name == "init") {
		return nil
	}
	if x.jumps() || x.mentionedLater() || x.hidesItsOwn() {
		return nil
	}
	return x
}

// hidesItsOwn reports whether the variable is made of another one of the same name, which it hides from then on.
func (x *pooling) hidesItsOwn() bool {
	return x.value != nil && hasName(x.value, x.v.Name())
}

// declares finds the statement that declares the variable, and what it is made with.
func (x *pooling) declares(path []ast.Node) bool {
	at := slices.IndexFunc(path, func(n ast.Node) bool {
		_, ok := n.(ast.Stmt)
		return ok
	})
	if at < 0 || at+1 >= len(path) {
		return false
	}
	x.stmt = path[at].(ast.Stmt)
	x.list = statements(path[at+1])
	if !slices.Contains(x.list, x.stmt) {
		return false // it is that of an if, for or switch
	}
	name, value, _ := x.p.declaring(spot{node: x.stmt})
	if name == nil {
		return false
	}
	x.v, _ = x.p.pkg.TypesInfo.Defs[name].(*types.Var)
	x.value = value
	return x.v != nil && (value == nil || types.Identical(x.p.typeOf(value), x.v.Type()))
}

// inside finds the functions around the statement, and whether it is in a loop of the innermost.
func (x *pooling) inside(path []ast.Node) bool {
	for _, n := range path {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			x.loop = x.loop || x.p.fn == nil
		case *ast.FuncLit:
			if x.p.fn == nil {
				x.p.fn = &function{x.p.unit, n, n.Body, n.Type}
			}
		case *ast.FuncDecl:
			if x.p.fn == nil {
				x.p.fn = &function{x.p.unit, n, n.Body, n.Type}
			}
			x.decl = n
		}
	}
	return x.decl != nil
}

// jumps reports whether the function, or a literal in it, may begin again behind a panic, or anywhere.
func (x *pooling) jumps() bool {
	found := false
	ast.Inspect(x.decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BranchStmt:
			found = found || n.Tok == token.GOTO
		case *ast.CallExpr:
			found = found || x.p.builtin(n, "recover") != nil
		}
		return !found
	})
	return found
}

// after are the statements of the block that follow the declaration.
func (x *pooling) after() []ast.Stmt { return x.list[slices.Index(x.list, x.stmt)+1:] }

// leaves reports whether the block may end elsewhere than behind its last statement.
func (x *pooling) leaves() bool {
	after := x.after()
	if len(after) == 0 || slices.ContainsFunc(after, func(s ast.Stmt) bool { return branches(s, false, false) }) {
		return true
	}
	switch last := after[len(after)-1].(type) {
	case *ast.ForStmt:
		return last.Cond == nil
	case *ast.ExprStmt:
		return x.p.builtin(ast.Unparen(last.X), "panic") != nil
	}
	return false
}

// branches reports whether a statement may leave the block that it stands in; inner breaks and continues are
// those of statements in the block.
func branches(s ast.Node, breaks, continues bool) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt, *ast.LabeledStmt:
			found = true
		case *ast.BranchStmt:
			found = found || n.Label != nil || n.Tok == token.BREAK && !breaks || n.Tok == token.CONTINUE && !continues || n.Tok == token.FALLTHROUGH && !breaks
		case *ast.ForStmt, *ast.RangeStmt:
			found = found || branches(loopBody(n), true, true)
			return false
		case *ast.SwitchStmt:
			found = found || branches(n.Body, true, continues)
			return false
		case *ast.TypeSwitchStmt:
			found = found || branches(n.Body, true, continues)
			return false
		case *ast.SelectStmt:
			found = found || branches(n.Body, true, continues)
			return false
		}
		return !found
	})
	return found
}

// mentionedLater reports whether a function literal, a defer statement or a goroutine mentions the variable: what
// these do may come after the end of its use.
func (x *pooling) mentionedLater() bool {
	return slices.ContainsFunc(x.p.mentions(x.p.unit, x.v), func(m mention) bool {
		return x.p.captured(m, x.v) || slices.ContainsFunc(m.stack, func(n ast.Node) bool { return runsLater(n) && n.Pos() > x.v.Pos() })
	})
}

// setAgain reports whether the variable gets another value, or its address is taken, but for what an address may be if
// the variable itself is what is pooled.
func (x *pooling) setAgain(addressed bool) bool {
	return slices.ContainsFunc(x.p.mentions(x.p.unit, x.v), func(m mention) bool {
		if _, assigned := m.assigned(); assigned {
			return true
		}
		switch n := m.parent().(type) {
		case *ast.UnaryExpr:
			return n.Op == token.AND && !addressed
		case *ast.RangeStmt:
			return n.Key == m.id || n.Value == m.id
		}
		return false
	})
}

// newName returns the first of some names that nothing in the package, or in files that other systems build, has.
func (x *pooling) newName(wanted string) string {
	isNew := x.newNames()
	for i := 1; ; i++ {
		if name := numbered(wanted, i); isNew(name) {
			return name
		}
	}
}

// newNames returns the function that reports whether nothing in the package, or in files that other systems build, has a name.
func (x *pooling) newNames() func(name string) bool {
	used, texts := x.usedNames(), x.otherFiles()
	return func(name string) bool {
		return !used[name] && x.p.pkg.Types.Scope().Lookup(name) == nil && types.Universe.Lookup(name) == nil &&
			!slices.ContainsFunc(x.p.pkg.Syntax, func(f *ast.File) bool { return x.p.pkg.TypesInfo.Scopes[f].Lookup(name) != nil }) &&
			!slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, name) })
	}
}

// localName returns the first of some names that nothing in the function has.
func (x *pooling) localName(wanted string) string {
	used := x.usedNames()
	for i := 1; ; i++ {
		if name := numbered(wanted, i); !used[name] && types.Universe.Lookup(name) == nil {
			return name
		}
	}
}

// usedNames are all names in the function.
func (x *pooling) usedNames() map[string]bool {
	used := map[string]bool{}
	ast.Inspect(x.decl, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			used[id.Name] = true
		}
		return true
	})
	return used
}

func numbered(name string, i int) string {
	if i == 1 {
		return name
	}
	return name + strconv.Itoa(i)
}

// otherFiles are the texts of the files in the folder that are not loaded with the package: tests, and those
// that other systems build.
func (x *pooling) otherFiles() (texts []string) {
	files, _ := filepath.Glob(filepath.Join(filepath.Dir(x.p.fset.Position(x.p.file.Package).Filename), "*.go"))
	for _, file := range files {
		if slices.Contains(x.p.pkg.CompiledGoFiles, file) {
			continue
		}
		if data, err := os.ReadFile(file); err == nil {
			texts = append(texts, string(data))
		}
	}
	return texts
}

// poolName is the name of the pool of the variable, made of that of the function and its own.
func (x *pooling) poolName() string {
	of := x.decl.Name.Name
	if x.decl.Recv != nil && x.sharesName() {
		of = receiverName(x.decl) + upper(of)
	}
	what := x.v.Name()
	if len(what) == 1 {
		what = kindOf(x.v.Type())
	}
	return x.newName(lower(of) + upper(what) + "Pool")
}

// sharesName reports whether another function or method of the package has the name of this one, upper case or lower.
func (x *pooling) sharesName() bool {
	return slices.ContainsFunc(x.p.pkg.Syntax, func(f *ast.File) bool {
		return slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
			fn, ok := d.(*ast.FuncDecl)
			return ok && fn != x.decl && strings.EqualFold(fn.Name.Name, x.decl.Name.Name)
		})
	})
}

// kindOf is a word for the values of a type.
func kindOf(t types.Type) string {
	if named := namedOf(t); named != nil {
		return named.Obj().Name()
	}
	if _, ok := t.Underlying().(*types.Map); ok {
		return "map"
	}
	return "slice"
}

// receiverName is the name of the type of a method.
func receiverName(decl *ast.FuncDecl) string {
	t := decl.Recv.List[0].Type
	if star, ok := ast.Unparen(t).(*ast.StarExpr); ok {
		t = star.X
	}
	id, _ := ast.Unparen(t).(*ast.Ident)
	if id == nil {
		return ""
	}
	return id.Name
}

func upper(name string) string {
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(first)) + name[size:]
}

// lower makes a name one that is not exported: HTTPServer is httpServer.
func lower(name string) string {
	n := 0
	for n < len(name) && 'A' <= name[n] && name[n] <= 'Z' {
		n++
	}
	if n > 1 && n < len(name) && 'a' <= name[n] && name[n] <= 'z' {
		n-- // the first of the next word
	}
	return strings.ToLower(name[:n]) + name[n:]
}

// means reports whether each of some names of the language is not another's where the variable is declared.
func (x *pooling) means(names ...string) bool {
	scope := x.p.pkg.Types.Scope().Innermost(x.stmt.Pos())
	return scope != nil && !slices.ContainsFunc(names, func(name string) bool { return !universal(scope, name) || x.p.declaredElsewhere(name) })
}

// packageWide returns a type as the source has it, if it means the same outside of the function: "" if not.
func (x *pooling) packageWide(e ast.Expr) string {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil, *ast.SelectorExpr, *ast.StarExpr, *ast.ArrayType, *ast.MapType, *ast.IndexExpr, *ast.IndexListExpr, *ast.BasicLit, *ast.ParenExpr:
		case *ast.StructType:
			ok = ok && n.Fields.NumFields() == 0
		case *ast.FieldList:
		case *ast.InterfaceType:
			ok = ok && n.Methods.NumFields() == 0
		case *ast.Ident:
			ok = ok && x.outside(n)
		default:
			ok = false
		}
		return ok
	})
	if !ok || x.p.commentedBetween(e.Pos(), e.End()) {
		return ""
	}
	return x.p.text(e)
}

// outside reports whether a name is one of the package, the file or the language.
func (x *pooling) outside(id *ast.Ident) bool {
	object := x.p.pkg.TypesInfo.Uses[id]
	if object == nil {
		return false
	}
	if _, ok := object.(*types.PkgName); ok {
		return true
	}
	return object.Parent() == types.Universe || object.Pkg() != nil && object.Parent() == object.Pkg().Scope()
}
