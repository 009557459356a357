package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// A lender is a pool with a function that takes a value out of it and one that puts it back, all of the package.
type lender struct{ pool, get, put string }

// lend has the values of a form taken and put back by two functions, which may be there already. param is the name of what is put back,
// by the statements that back holds. It returns the name of the function that takes a value.
func (x *pooling) lend(f *poolForm, param string, back func(pool string) []string) (get string) {
	text := func(l lender) string {
		return fmt.Sprintf(`// %s keeps values of type %s for %s and %s.
var %[1]s = sync.Pool{New: func() %[5]s { return %[6]s }}

// %[3]s returns %[7]s. It is given to %[4]s when nothing uses it any more.
func %[3]s() %[2]s { return %[1]s.Get().(%[2]s) }

// %[4]s takes back what %[3]s has returned.
func %[4]s(%[8]s %[2]s) {
	%[9]s
}`, l.pool, f.taken, l.get, l.put, x.anything(), f.fresh, f.things, param, strings.Join(back(l.pool), "\n\t"))
	}
	l, ok := x.lenderThere(f, text)
	switch {
	case ok:
		f.pool = []Edit{}
	case !strings.Contains(f.fresh, "\n"):
		l = x.newLender()
		f.pool = x.declare(text(l))
	}
	v := x.v.Name()
	f.get, f.put = []string{v + " := " + l.get + "()"}, []string{l.put + "(" + v + ")"}
	return l.get
}

// newLender makes names of that of the variable, or of its type if that is short; with the function's where the package has these.
func (x *pooling) newLender() lender {
	what := x.v.Name()
	if len(what) == 1 {
		what = lower(kindOf(x.v.Type()))
	}
	isNew := x.newNames()
	for i := 1; ; i++ {
		if i == 2 {
			what = lower(x.decl.Name.Name) + upper(what)
		}
		n := max(1, i-1)
		l := lender{numbered(what+"Pool", n), numbered("get"+upper(what), n), numbered("put"+upper(what), n)}
		if isNew(l.pool) && isNew(l.get) && isNew(l.put) {
			return l
		}
	}
}

// lenderThere finds a pool that an earlier change has made, and is the same but for its name: the source has it word for word. ok is false
// if there is none, or the function means something else by one of the names.
func (x *pooling) lenderThere(f *poolForm, text func(lender) string) (l lender, ok bool) {
	for _, file := range x.pkg.Syntax {
		u := &unit{x.pkg, file}
		here := file == x.file
		if !here && (!f.anywhere() || x.forSome(u) || x.inTest(file.Package) || x.generated(u)) {
			continue
		}
		for i, d := range file.Decls {
			pool, is := d.(*ast.GenDecl)
			if !is || pool.Tok != token.VAR || pool.Doc == nil || len(pool.Specs) != 1 || i+2 >= len(file.Decls) {
				continue
			}
			get, isGet := file.Decls[i+1].(*ast.FuncDecl)
			put, isPut := file.Decls[i+2].(*ast.FuncDecl)
			names := pool.Specs[0].(*ast.ValueSpec).Names
			if !isGet || !isPut || len(names) != 1 {
				continue
			}
			l := lender{names[0].Name, get.Name.Name, put.Name.Name}
			if x.defines(l.get) || x.defines(l.put) || x.textBetween(pool.Doc.Pos(), put.End()) != text(l) {
				continue
			}
			if fn, ok := x.pkg.TypesInfo.Defs[get.Name].(*types.Func); ok && types.Identical(fn.Signature().Results().At(0).Type(), x.lent()) && x.syncPool(names[0]) && x.onlyBetween(names[0], pool.Pos(), put.End()) {
				return l, true
			}
		}
	}
	return lender{}, false
}

// defines reports whether the function declares a name.
func (x *pooling) defines(name string) bool {
	found := false
	ast.Inspect(x.decl, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name && x.pkg.TypesInfo.Defs[id] != nil && id != x.decl.Name
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
	v := x.pkg.TypesInfo.Defs[id]
	return v != nil && types.TypeString(v.Type(), nil) == "sync.Pool"
}

// onlyBetween reports whether nothing of the package uses a variable elsewhere.
func (x *pooling) onlyBetween(id *ast.Ident, from, to token.Pos) bool {
	v := x.pkg.TypesInfo.Defs[id]
	for use, object := range x.pkg.TypesInfo.Uses {
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
