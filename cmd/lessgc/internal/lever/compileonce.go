package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

var compileOnce = &Lever{
	Name:    "compile-once",
	Title:   "compile it once, into a variable of the package",
	Subject: "make the constant value once",
	Looks:   "a regular expression, a strings.Replacer, a template, an encoding, a table of checksums, a time zone, a text that is repeated, a big.Int or an IP address that a function makes of constants, and uses in ways that several goroutines may at once.",
	Wrong:   "when the program rarely gets there: then it pays for it when it starts. sync.OnceValue makes it with the first use.",
	Before: `func slug(s string) string {
	return regexp.MustCompile("[^a-z]+").ReplaceAllString(s, "-")
}`,
	After: `var slugPattern = regexp.MustCompile("[^a-z]+")

func slug(s string) string {
	return slugPattern.ReplaceAllString(s, "-")
}`,
	Model: "What it takes to make goes whole, but for the first time.",
	Saves: Saves{Alloc: Range{0.95, 1}, Collect: Range{0.95, 1}, Work: Range{0.95, 1}},
	Rewrite: "The call is given constants, written out in the package, that have been tried: it does not fail when the program starts, on any system. " +
		"All that is done with the value, also as a field of a struct that only the package names, is to call methods that do not change it, or functions of the standard library that read it: it is never changed, kept or compared by address, and several goroutines may use it. Of a time in a zone of its own only a method is called, as == tells two zones apart; a big.Int is an operand and no result. " +
		"A repeated text is short. The error of regexp.MatchString, which is nil, goes where nothing takes it. " +
		"No code runs before the variable has its value: no method that an initializer of the package may call by an interface leads to the function. No file of the package has the name. A local variable that only holds the value goes, and gives its name if that is of several words. Up to four other such calls in the function that the profile does not have change with it.",
	find: findCompileOnce,
}

// compilers are functions that make something of constants, and what to call it.
var compilers = map[string]string{
	"regexp.MustCompile": "Pattern", "regexp.MustCompilePOSIX": "Pattern", "regexp.Compile": "Pattern", "regexp.CompilePOSIX": "Pattern",
	"regexp.MatchString": "Pattern", "regexp.Match": "Pattern",
	"hash/crc32.MakeTable": "Table", "hash/crc64.MakeTable": "Table", "encoding/base64.NewEncoding": "Encoding", "encoding/base32.NewEncoding": "Encoding", "time.LoadLocation": "Location",
	"(encoding/base64.Encoding).WithPadding": "Encoding", "(encoding/base32.Encoding).WithPadding": "Encoding",
	"strings.Repeat": "Text", "time.FixedZone": "Zone", "math/big.NewInt": "Number", "net.ParseIP": "IP", "net.IPv4": "IP", "net.CIDRMask": "Mask",
	"strings.NewReplacer": "Replacer", "text/template.Must": "Template", "html/template.Must": "Template",
}

// compiledOnce is Finding.What of what compilers make.
var compiledOnce = map[string]string{
	"Pattern": "compile the pattern once", "Table": "make the table once", "Encoding": "make the encoding once", "Location": "load the location once",
	"Text": "build the repeated text once", "Zone": "make the time zone once", "Number": "make the number once", "IP": "make the IP once", "Mask": "make the mask once",
	"Replacer": "make the replacer once", "Template": "parse the template once",
}

func findCompileOnce(p *Line) (f Finding) {
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
			p.at(makes.Pos(), fmt.Sprintf("%s is given the same constants in each call of the function, so one value in a package-level variable serves all calls", fn.FullName())),
		}}
		f.What = compiledOnce[compilers[fn.FullName()]]
		if kind := compilers[fn.FullName()]; p.compilesAlways(makes, kind) {
			switch {
			case p.usesOnce(makes):
				f.Edits = p.matchesOnce(makes)
			case fn.Signature().Results().Len() == 1 && p.onlyShared(makes, kind):
				f.Edits = p.hoist(makes, (*Line).compilesShared)
				f = p.hoistBeside(f, makes, (*Line).compilesShared, func(other *ast.CallExpr) bool { return !p.usesOnce(other) })
			}
		}
		return f
	}
	return f
}

// compilesShared is compiles of a call whose result goes nowhere where it may be changed.
func (p *Line) compilesShared(call *ast.CallExpr) string {
	name := p.compiles(call)
	if name == "" || p.usesOnce(call) {
		return name
	}
	if fn := p.callee(call); fn.Signature().Results().Len() != 1 || !p.compilesAlways(call, compilers[fn.FullName()]) || !p.onlyShared(call, compilers[fn.FullName()]) {
		return ""
	}
	return name
}

// replacer is the call that makes the strings.Replacer which a method is called of, if it is one of
// constants in the same function.
func (p *Line) replacer(call *ast.CallExpr) *ast.CallExpr {
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
func (p *Line) chain(call *ast.CallExpr) (all []*ast.CallExpr) {
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
func (p *Line) compiles(call *ast.CallExpr) string {
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
		if _, err := regexp.Compile(pattern); !ok || err != nil || p.changesPatterns() && !p.onlyShared(call, kind) {
			return ""
		}
	case "Replacer":
		if len(call.Args) == 0 || len(call.Args)%2 == 1 || slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return !constant(e) }) {
			return ""
		}
	case "Table", "Encoding", "Location":
		if len(call.Args) != 1 || !constant(call.Args[0]) || fn.Name() == "WithPadding" && !p.ofStandard(call) {
			return ""
		}
	case "Text", "Zone", "Number", "IP", "Mask":
		if slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return !constant(e) }) || kind == "Text" && !p.repeatsFew(call) || !p.onlyShared(call, kind) {
			return ""
		}
	case "Template":
		calls := p.chain(call)
		if len(calls) != 2 || p.callee(calls[0]).Name() != "Parse" || p.callee(calls[1]).Name() != "New" || !constant(calls[0].Args[0]) || !constant(calls[1].Args[0]) ||
			!p.onlyExecutes(call, stack) {
			return ""
		}
	}
	if local, _ := p.holds(call); local != nil && p.keepsName(local) {
		return local.Name()
	}
	if field := p.fieldOf(call, stack); field != nil { // onlyShared knows whether it may go there
		if u := p.unitOf(field.Pos()); u != nil {
			if owner, _ := p.structOf(u, field); owner != nil {
				return unexported(owner.Obj().Name()) + strings.ToUpper(field.Name()[:1]) + field.Name()[1:]
			}
		}
	}
	return unexported(top.node.(*ast.FuncDecl).Name.Name) + kind
}

// ofStandard reports whether a method is called of an encoding that the standard library declares, and that the program does not set.
func (p *Line) ofStandard(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	of, ok := ast.Unparen(sel.X).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	v, ok := p.pkg.TypesInfo.Uses[of.Sel].(*types.Var)
	return ok && !v.IsField() && strings.HasPrefix(v.Pkg().Path(), "encoding/base") && !p.setsVariable(v)
}

// setsVariable reports whether the program sets a variable of another package, or takes its address.
func (p *Program) setsVariable(v *types.Var) bool {
	for _, u := range p.units {
		if below(u.file, func(n ast.Node) bool {
			var set []ast.Expr
			switch n := n.(type) {
			case *ast.AssignStmt:
				set = n.Lhs
			case *ast.RangeStmt:
				set = []ast.Expr{n.Key, n.Value}
			case *ast.UnaryExpr:
				set = []ast.Expr{n.X}
			}
			return slices.ContainsFunc(set, func(e ast.Expr) bool {
				switch e := ast.Unparen(e).(type) {
				case *ast.SelectorExpr:
					return u.pkg.TypesInfo.Uses[e.Sel] == v
				case *ast.StarExpr: // what it points to
					sel, ok := ast.Unparen(e.X).(*ast.SelectorExpr)
					return ok && u.pkg.TypesInfo.Uses[sel.Sel] == v
				}
				return false
			})
		}) {
			return true
		}
	}
	return false
}

// mostRepeated is the length of a text that stays for as long as the program runs.
const mostRepeated = 4096

// repeatsFew reports whether a text is repeated a few times.
func (p *Line) repeatsFew(call *ast.CallExpr) bool {
	text, _ := p.stringOf(call.Args[0])
	n := p.constantInt(call.Args[1])
	return 0 < n && n <= mostRepeated && int64(len(text))*n <= mostRepeated
}

// changesPatterns reports whether the program changes a compiled regular expression.
func (p *Line) changesPatterns() bool {
	for object := range p.uses {
		if f, ok := object.(*types.Func); ok && f.Name() == "Longest" && f.FullName() == "(*regexp.Regexp).Longest" {
			return true
		}
	}
	return false
}

// runsOnce reports whether a program gets to a node once.
func (p *Line) runsOnce(top *ast.FuncDecl, stack []ast.Node) bool {
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
func (p *Line) staysHere(call *ast.CallExpr, stack []ast.Node) bool {
	assign, ok := innermost(stack).(*ast.AssignStmt)
	return !ok || p.local(assign.Lhs[0]) != nil
}

// onlyExecutes reports whether a template is only executed.
func (p *Line) onlyExecutes(call *ast.CallExpr, stack []ast.Node) bool {
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
