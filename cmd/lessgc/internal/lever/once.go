package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

var compileOnce = &Rule{
	Name:  "compile-once",
	Title: "compile it once, into a variable of the package",
	Looks: "a regular expression, a strings.Replacer, a template, an encoding, a table of checksums or a time zone that a function makes of constants, and uses in ways that several goroutines may at once.",
	Wrong: "when the program rarely gets there: then it pays for it when it starts. sync.OnceValue makes it with the first use.",
	Before: `func slug(s string) string {
	return regexp.MustCompile("[^a-z]+").ReplaceAllString(s, "-")
}`,
	After: `var slugPattern = regexp.MustCompile("[^a-z]+")

func slug(s string) string {
	return slugPattern.ReplaceAllString(s, "-")
}`,
	Model: "What it takes to make goes whole, but for the first time.",
	Saves: Saves{Alloc: Range{0.95, 1}, Collect: Range{0.95, 1}, Work: Range{0.95, 1}},
	find:  findCompileOnce,
}

// compilers are functions that make something of constants, and what to call it.
var compilers = map[string]string{
	"regexp.MustCompile": "Pattern", "regexp.MustCompilePOSIX": "Pattern", "regexp.Compile": "Pattern", "regexp.CompilePOSIX": "Pattern",
	"regexp.MatchString": "Pattern", "regexp.Match": "Pattern",
	"hash/crc32.MakeTable": "Table", "hash/crc64.MakeTable": "Table", "encoding/base64.NewEncoding": "Encoding", "encoding/base32.NewEncoding": "Encoding", "time.LoadLocation": "Location",
	"strings.NewReplacer": "Replacer", "text/template.Must": "Template", "html/template.Must": "Template",
}

func findCompileOnce(p *Place) (f Finding) {
	for _, c := range p.called() {
		makes, share := c.call, p.below(c.fn)
		if c.name == "(*strings.Replacer).Replace" || c.name == "(*strings.Replacer).WriteString" {
			makes, share = p.replacer(c.call), p.through("strings.(*Replacer).buildOnce", "strings.(*Replacer).build")
		}
		if makes == nil {
			continue
		}
		for _, inner := range p.chain(makes) { // of a template
			share += p.below(p.callee(inner))
		}
		if c.name == "strings.NewReplacer" {
			share += p.through("strings.(*Replacer).buildOnce", "strings.(*Replacer).build") // if it is used here
		}
		base := p.compiles(makes)
		if share == 0 || base == "" {
			continue
		}
		fn := p.callee(makes)
		f = Finding{Share: share, Calls: []string{profiled(fn)}, Evidence: []Evidence{
			p.at(makes.Pos(), fmt.Sprintf("%s is called for each call of the function, with the same constants", fn.FullName())),
		}}
		if fn.Name() != "Compile" && fn.Name() != "CompilePOSIX" && fn.Signature().Results().Len() == 1 {
			f.Edits = p.hoist(makes, (*Place).compiles)
		}
		return f
	}
	return f
}

// replacer is the call that makes the strings.Replacer which a method is called of, if it is one of
// constants in the same function.
func (p *Place) replacer(call *ast.CallExpr) *ast.CallExpr {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	made, _ := ast.Unparen(sel.X).(*ast.CallExpr)
	if v := p.local(sel.X); v != nil {
		if d, ok := p.define(p.unit, v); ok && d.value != nil {
			made, _ = ast.Unparen(d.value).(*ast.CallExpr)
		}
	}
	return made
}

// chain are the calls that a call of template.Must is of.
func (p *Place) chain(call *ast.CallExpr) (all []*ast.CallExpr) {
	if fn := p.callee(call); fn == nil || fn.Name() != "Must" || len(call.Args) != 1 {
		return nil
	}
	e := call.Args[0]
	for {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok || p.callee(call) == nil {
			return all
		}
		all = append(all, call)
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok {
			return all
		}
		e = sel.X
	}
}

// compiles is the name of a variable for what a call makes of constants each time; "" if it does
// not, or what it makes is changed afterwards.
func (p *Place) compiles(call *ast.CallExpr) string {
	fn := p.callee(call)
	if fn == nil || compilers[fn.FullName()] == "" || call.Ellipsis.IsValid() {
		return ""
	}
	kind := compilers[fn.FullName()]
	top := p.top(p.unit, call.Pos())
	stack := stackOf(p.file, call)
	if top == nil || p.runsOnce(top.node.(*ast.FuncDecl), stack) || !p.staysHere(call, stack) {
		return ""
	}
	constant := func(e ast.Expr) bool { return p.constant(e) }
	switch kind {
	case "Pattern":
		pattern, ok := p.stringOf(call.Args[0])
		if _, err := regexp.Compile(pattern); !ok || err != nil || p.changesPatterns() {
			return ""
		}
	case "Replacer":
		if len(call.Args) == 0 || len(call.Args)%2 == 1 || slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return !constant(e) }) {
			return ""
		}
	case "Table", "Encoding", "Location":
		if len(call.Args) != 1 || !constant(call.Args[0]) {
			return ""
		}
	case "Template":
		calls := p.chain(call)
		if len(calls) != 2 || p.callee(calls[0]).Name() != "Parse" || p.callee(calls[1]).Name() != "New" || !constant(calls[0].Args[0]) || !constant(calls[1].Args[0]) ||
			!p.onlyExecutes(call, stack) {
			return ""
		}
	}
	name := []rune(top.node.(*ast.FuncDecl).Name.Name)
	name[0] = unicode.ToLower(name[0])
	return string(name) + kind
}

// changesPatterns reports whether the program changes a compiled regular expression.
func (p *Place) changesPatterns() bool {
	for object := range p.uses {
		if f, ok := object.(*types.Func); ok && f.Name() == "Longest" && f.FullName() == "(*regexp.Regexp).Longest" {
			return true
		}
	}
	return false
}

// runsOnce reports whether a program gets to a node once.
func (p *Place) runsOnce(top *ast.FuncDecl, stack []ast.Node) bool {
	if top.Recv == nil && (top.Name.Name == "init" || top.Name.Name == "main") {
		return true
	}
	for _, n := range stack {
		if call, ok := n.(*ast.CallExpr); ok {
			if fn := p.callee(call); fn != nil && (fn.FullName() == "(*sync.Once).Do" || strings.HasPrefix(fn.FullName(), "sync.Once")) {
				return true
			}
		}
	}
	return false
}

// staysHere reports whether a value is not stored, other than in a local variable or a new object:
// then the next call may find it.
func (p *Place) staysHere(call *ast.CallExpr, stack []ast.Node) bool {
	assign, ok := innermost(stack).(*ast.AssignStmt)
	return !ok || p.local(assign.Lhs[0]) != nil
}

// onlyExecutes reports whether a template is only executed.
func (p *Place) onlyExecutes(call *ast.CallExpr, stack []ast.Node) bool {
	executes := func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		return ok && (sel.Sel.Name == "Execute" || sel.Sel.Name == "ExecuteTemplate")
	}
	if assign, ok := innermost(stack).(*ast.AssignStmt); ok && len(assign.Lhs) == 1 && assign.Tok == token.DEFINE {
		v := p.local(assign.Lhs[0])
		return v != nil && !slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool { return !executes(m.parent()) })
	}
	return executes(innermost(stack))
}

var sentinelError = &Rule{
	Name:  "sentinel-error",
	Title: "make the error once, in a variable of the package",
	Looks: "errors.New or fmt.Errorf with a constant text and nothing else, in a function.",
	Wrong: "when somebody tells two of these errors apart by ==.",
	Before: `if len(b) < 4 {
	return errors.New("short header")
}`,
	After: `var errShortHeader = errors.New("short header")

if len(b) < 4 {
	return errShortHeader
}`,
	Model: "The error goes whole.",
	Saves: Saves{Alloc: Range{0.95, 1}, Collect: Range{0.95, 1}, Work: Range{0.9, 1}},
	find:  findSentinel,
}

func findSentinel(p *Place) (f Finding) {
	for _, c := range p.called() {
		share := p.below(c.fn)
		if share == 0 || p.constantError(c.call) == "" {
			continue
		}
		return Finding{Share: share, Calls: []string{profiled(c.fn)}, Edits: p.hoist(c.call, (*Place).constantError), Evidence: []Evidence{
			p.at(c.call.Pos(), fmt.Sprintf("%s makes the same error each time", c.name)),
		}}
	}
	return f
}

// constantError is the name of a variable for an error that a call makes of a constant; "" if it
// does not, or somebody may tell one from another.
func (p *Place) constantError(call *ast.CallExpr) string {
	fn := p.callee(call)
	if fn == nil || len(call.Args) != 1 || fn.FullName() != "errors.New" && fn.FullName() != "fmt.Errorf" {
		return ""
	}
	text, ok := p.stringOf(call.Args[0])
	top := p.top(p.unit, call.Pos())
	if !ok || top == nil {
		return ""
	}
	stack := stackOf(p.file, call)
	if p.runsOnce(top.node.(*ast.FuncDecl), stack) || p.compared(stack) {
		return ""
	}
	name := "err"
	for i, word := range strings.FieldsFunc(text, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if i < 6 {
			name += strings.ToUpper(word[:1]) + word[1:]
		}
	}
	if name == "err" {
		name = "errConstant"
	}
	return name
}

// compared reports whether a value becomes a variable that something is compared with, other than
// nil and variables of packages: it may be a mark of this one call.
func (p *Place) compared(stack []ast.Node) bool {
	var to []ast.Expr
	switch parent := innermost(stack).(type) {
	case *ast.AssignStmt:
		to = parent.Lhs
	case *ast.ValueSpec:
		for _, name := range parent.Names {
			to = append(to, name)
		}
	case *ast.IndexExpr, *ast.KeyValueExpr, *ast.CompositeLit, *ast.SendStmt:
		return true
	}
	return slices.ContainsFunc(to, func(e ast.Expr) bool {
		v := p.local(e)
		return v == nil || // a field or an element
			slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool {
				switch parent := m.parent().(type) {
				case *ast.BinaryExpr:
					return p.isMark(parent.X, v) && p.isMark(parent.Y, v)
				case *ast.CallExpr:
					fn := p.callee(parent)
					return fn != nil && fn.FullName() == "errors.Is" && p.local(parent.Args[1]) == v
				}
				return false
			})
	})
}

// isMark reports whether an expression is a variable, or something else that may have its value.
func (p *Place) isMark(e ast.Expr, v *types.Var) bool {
	if p.isNil(e) {
		return false
	}
	if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
		e = sel.Sel
	}
	object := p.object(e)
	return object == nil || object == v || object.Pkg() == nil || object.Parent() != object.Pkg().Scope()
}

// hoist replaces a call by a variable of the package, which it declares before the first function of
// the file that has the same call. nameOf gives the name for this and other calls, or "".
func (p *Place) hoist(call *ast.CallExpr, nameOf func(*Place, *ast.CallExpr) string) []Edit {
	text, name := p.atTop(call), nameOf(p, call)
	top := p.top(p.unit, call.Pos())
	if text == "" || p.commented(call) || top == nil || top.node.(*ast.FuncDecl).Recv != nil {
		return nil // a variable may be initialized by way of a method that an interface calls
	}
	var first *function
	others := map[string]bool{} // that would have this name, too
	for _, file := range p.pkg.Syntax {
		here := &Place{p.Program, &unit{p.pkg, file}, p.site, p.fn, nil}
		ast.Inspect(file, func(n ast.Node) bool {
			if other, ok := n.(*ast.CallExpr); ok && first == nil && nameOf(here, other) == name {
				if same := here.atTop(other); file == p.file && same == text {
					first = p.top(p.unit, other.Pos())
				} else {
					others[p.fset.Position(file.Package).Filename+same] = true
				}
			}
			return first == nil
		})
	}
	if len(others) > 0 {
		name += strconv.Itoa(len(others) + 1)
	}
	if first == nil || p.named(name) {
		return nil
	}
	decl := first.node.(*ast.FuncDecl)
	pos := decl.Pos()
	if decl.Doc != nil {
		pos = decl.Doc.Pos()
	}
	return []Edit{p.edit(pos, pos, "var "+name+" = "+text+"\n\n"), p.edit(call.Pos(), call.End(), name)}
}

// atTop is a call as it may stand outside of functions; "" if it uses local names in a way that is
// not known.
func (p *Place) atTop(call *ast.CallExpr) string {
	local := false
	ast.Inspect(call, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			switch object := p.pkg.TypesInfo.Uses[id].(type) {
			case *types.Const, *types.Var, *types.TypeName:
				local = local || object.Parent() != nil && object.Parent() != types.Universe && object.Parent() != p.pkg.Types.Scope()
			}
		}
		return true
	})
	if !local {
		return p.text(call)
	}
	var args []string
	for _, e := range call.Args {
		text, ok := p.stringOf(e)
		if !ok {
			return ""
		}
		args = append(args, quoted(text))
	}
	return types.ExprString(call.Fun) + "(" + strings.Join(args, ", ") + ")"
}

// named reports whether the package has a name, anywhere.
func (p *Place) named(name string) bool {
	return slices.ContainsFunc(p.pkg.Syntax, func(file *ast.File) bool {
		found := false
		ast.Inspect(file, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			found = found || ok && id.Name == name
			return !found
		})
		return found
	})
}
