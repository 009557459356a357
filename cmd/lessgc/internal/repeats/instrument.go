package repeats

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// alias is the name by which instrumented files import folder record.
const alias = "lessgcRecord"

// An edited is a file with insertions. Lines keep their numbers.
type edited struct {
	files *token.FileSet
	file  *ast.File
	all   []insertion
}

type insertion struct {
	at, end int // what stands there goes
	text    string
}

// parse reads a file; nil if it cannot be instrumented.
func parse(name string, source []byte) *edited {
	e := &edited{files: token.NewFileSet()}
	var err error
	e.file, err = parser.ParseFile(e.files, name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	for _, spec := range e.file.Imports {
		if spec.Path.Value == `"C"` {
			return nil
		}
	}
	return e
}

func (e *edited) insert(at token.Pos, text string) { e.replace(at, at, text) }

func (e *edited) replace(at, end token.Pos, text string) {
	e.all = append(e.all, insertion{e.files.PositionFor(at, false).Offset, e.files.PositionFor(end, false).Offset, text})
}

// result is the file with all insertions; nil if there are none.
func (e *edited) result(source []byte, helper string) (out []byte) {
	if len(e.all) == 0 {
		return nil
	}
	e.insert(e.file.Name.End(), "; import "+alias+" "+strconv.Quote(helper))
	slices.SortStableFunc(e.all, func(a, b insertion) int { return a.at - b.at })
	from := 0
	for _, i := range e.all {
		out = append(append(out, source[from:i.at]...), i.text...)
		from = i.end
	}
	return append(out, source[from:]...)
}

// A wanted function is one whose calls are to be recorded.
type wanted struct {
	id   int
	name string // in profiles
}

// functions has the calls of some functions recorded, by their names without the package.
func (e *edited) functions(all map[string]wanted) (n int) {
	for _, d := range e.file.Decls {
		decl, ok := d.(*ast.FuncDecl)
		if !ok || decl.Body == nil || directed(decl) {
			continue
		}
		w, ok := all[declared(decl)]
		switch {
		case !ok:
		case decl.Type.Results.NumFields() == 0:
			e.insert(decl.Body.Lbrace+1, fmt.Sprintf(" %s.Count(%d, %q); ", alias, w.id, w.name))
		default:
			e.record(decl, w)
			n++
		}
	}
	return n
}

// declared is the name of a function as package prof gives it, without its package.
func declared(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) != 1 {
		return d.Name.Name
	}
	typ := ast.Unparen(d.Recv.List[0].Type)
	if star, ok := typ.(*ast.StarExpr); ok {
		return "(*" + typeName(ast.Unparen(star.X)) + ")." + d.Name.Name
	}
	return typeName(typ) + "." + d.Name.Name
}

// typeName is the name of a receiver's type, "" for what is none.
func typeName(typ ast.Expr) string {
	switch x := typ.(type) {
	case *ast.IndexExpr:
		return typeName(x.X)
	case *ast.IndexListExpr:
		return typeName(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}

// directed reports whether a function has a directive for the compiler.
func directed(d *ast.FuncDecl) bool {
	return d.Doc != nil && slices.ContainsFunc(d.Doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:") })
}

// record has the calls of a function recorded.
func (e *edited) record(d *ast.FuncDecl, w wanted) {
	var args []string
	if d.Recv != nil {
		args = e.names(d.Recv, "lessgcV")
	}
	args = append(args, e.names(d.Type.Params, "lessgcP")...)
	if !d.Type.Results.Opening.IsValid() {
		e.insert(d.Type.Results.Pos(), "(")
	}
	results := e.names(d.Type.Results, "lessgcR")
	if !d.Type.Results.Opening.IsValid() {
		e.insert(d.Type.Results.End(), ")")
	}
	enter := strings.Join(append([]string{strconv.Itoa(w.id), strconv.Quote(w.name)}, args...), ", ")
	e.insert(d.Body.Lbrace+1, fmt.Sprintf(" lessgcCall := %s.Enter(%s); defer func() { lessgcCall.Leave(); lessgcCall.Exit(%s) }(); ", alias, enter, strings.Join(results, ", ")))
}

// names returns the names of parameters or results, and gives one to those that have none.
func (e *edited) names(fields *ast.FieldList, prefix string) (all []string) {
	for _, f := range fields.List {
		if len(f.Names) == 0 {
			name := prefix + strconv.Itoa(len(all))
			e.insert(f.Type.Pos(), name+" ")
			all = append(all, name)
		}
		for _, id := range f.Names {
			name := id.Name
			if name == "_" {
				name = prefix + strconv.Itoa(len(all))
				e.replace(id.Pos(), id.End(), name)
			}
			all = append(all, name)
		}
	}
	return all
}

// operations has the operations of benchmarks told apart, and the statements of tests within them: what a
// benchmark repeats is not the program's doing. It returns the number of loops.
func (e *edited) operations() (n int) {
	for _, d := range e.file.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && d.Body != nil {
			n += e.block(d.Body)
		}
	}
	return n
}

func (e *edited) block(body *ast.BlockStmt) (n int) {
	apart := map[ast.Node]bool{} // the blocks of switches, which hold no statements
	ast.Inspect(body, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncLit:
			return ofTesting(node.Type)
		case *ast.SwitchStmt:
			apart[node.Body] = true
		case *ast.TypeSwitchStmt:
			apart[node.Body] = true
		case *ast.SelectStmt:
			apart[node.Body] = true
		case *ast.ForStmt:
			if counts(node.Init) || counts(node.Cond) {
				e.loop(node.Body, node.End())
				n++
			}
		case *ast.RangeStmt:
			if counts(node.X) {
				e.loop(node.Body, node.End())
				n++
			}
		case *ast.BlockStmt:
			if !apart[node] {
				e.statements(node.List)
			}
		case *ast.CaseClause:
			e.statements(node.Body)
		}
		return true
	})
	return n
}

func (e *edited) loop(body *ast.BlockStmt, end token.Pos) {
	e.insert(body.Lbrace+1, " "+alias+".Begin(); ")
	e.insert(end, "; "+alias+".End()")
}

func (e *edited) statements(all []ast.Stmt) {
	for _, s := range all {
		call := "Next"
		if x, ok := s.(*ast.ExprStmt); ok {
			if c, ok := x.X.(*ast.CallExpr); ok {
				if sel, ok := c.Fun.(*ast.SelectorExpr); ok {
					call = map[string]string{"StopTimer": "Pause", "StartTimer": "Resume"}[sel.Sel.Name]
				}
			}
		}
		if call == "" {
			call = "Next"
		}
		e.insert(s.Pos(), alias+"."+call+"(); ")
	}
}

// ofTesting reports whether a function is one that package testing calls.
func ofTesting(t *ast.FuncType) bool {
	return slices.ContainsFunc(t.Params.List, func(f *ast.Field) bool {
		star, ok := f.Type.(*ast.StarExpr)
		if !ok {
			return false
		}
		sel, ok := star.X.(*ast.SelectorExpr)
		return ok && (sel.Sel.Name == "B" || sel.Sel.Name == "PB")
	})
}

// counts reports whether a loop is one by which package testing counts operations.
func counts(n ast.Node) bool {
	found := false
	if n == nil || n == ast.Node((*ast.AssignStmt)(nil)) {
		return false
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			found = found || n.Sel.Name == "N"
		case *ast.CallExpr:
			sel, ok := n.Fun.(*ast.SelectorExpr)
			found = found || ok && len(n.Args) == 0 && (sel.Sel.Name == "Loop" || sel.Sel.Name == "Next")
		}
		return !found
	})
	return found
}
