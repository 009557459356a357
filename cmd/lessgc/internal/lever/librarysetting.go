package lever

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

var librarySetting = &Lever{
	Name:  "library-setting",
	Title: "use the function or setting of the library that needs less memory",
	Looks: "calls of well-known libraries that allocate, as the profile shows, what another call or a setting of the same library does not: encoding/csv without ReuseRecord, png.Encode without a BufferPool, a new zstd encoder, validator, policy or connection for each call, uuid without its pool of random bytes, a scanner or buffered reader over a string, reflect's MapKeys in a loop, or its Append, MakeSlice and MapIter where a value in place would do, and what it says of a type's fields without a cache, metrics with a map of labels, a sugared logger.",
	Wrong: "when the setting is left out on purpose, such as random bytes that shall not stay in memory.",
	Before: `func valid(u *User) error {
	return validator.New().Struct(u)
}`,
	After: `var validate = validator.New()

func valid(u *User) error {
	return validate.Struct(u)
}`,
	Model: "What is made once goes nearly whole, and so does the time of making it; a setting takes away what its library says it does.",
	Risk:  Concurrency,
	Saves: Saves{Alloc: Range{0.5, 1}, Collect: Range{0.5, 1}, Work: Range{0.5, 1}},
	find:  findLibrary,
}

// A setting makes a library do the same with less memory.
type setting struct {
	calls []string // the functions that the line calls
	below []string // of which one has to be on the way to what is allocated; nil for calls
	but   []string // of which none may be
	own   bool     // it is about what the line allocates by itself
	part  float64  // the share of those bytes that it is about
	work  bool     // and their CPU time goes as well
	needs string   // a name of the library's package that older versions do not have
	text  string   // what to do

	fits func(*Line, spot, *ast.CallExpr) bool // nil if it always does
}

func findLibrary(p *Line) (f Finding) {
	for _, s := range p.spots() {
		call, ok := s.node.(*ast.CallExpr)
		if !ok {
			continue
		}
		callee := p.callee(call)
		if callee == nil || callee.Pkg() == nil {
			continue
		}
		name := callee.Origin().FullName()
		for _, set := range settings {
			if !slices.Contains(set.calls, name) || set.needs != "" && callee.Pkg().Scope().Lookup(set.needs) == nil {
				continue
			}
			below := set.below
			if below == nil {
				below = []string{profiledName(name)}
			}
			share := set.part * p.throughBut(below, set.but)
			if set.own {
				share = set.part * p.direct()
			}
			if share < 0.05 || set.fits != nil && !set.fits(p, s, call) {
				continue
			}
			f = Finding{Share: share, Evidence: []Evidence{p.at(call.Pos(), set.text)}}
			switch {
			case set.own:
				f.Calls = setters // a map's
			case set.work:
				f.Calls = below
			}
			return f
		}
	}
	return f
}

// throughBut is the share of the bytes that are allocated by way of one of some functions, and of none of others.
func (p *Line) throughBut(names, but []string) float64 {
	if len(but) == 0 {
		return p.through(names...)
	}
	return p.leaves(func(l site.Leaf) bool {
		by := func(names []string) bool {
			return slices.ContainsFunc(l.Path, func(f prof.Frame) bool { return slices.Contains(names, f.Func) })
		}
		return by(names) && !by(but)
	})
}

// profiledName is a function's name as profiles have it: (*T).M of package p is p.(*T).M.
func profiledName(name string) string {
	rest, pointer := strings.CutPrefix(name, "(*")
	if !pointer {
		rest = strings.TrimPrefix(name, "(")
	}
	typ, method, ok := strings.Cut(rest, ").")
	if !ok {
		return name
	}
	if !pointer {
		return typ + "." + method
	}
	dot := strings.LastIndexByte(typ, '.')
	return typ[:dot] + ".(*" + typ[dot+1:] + ")." + method
}

// result is the local variable that the first result of a call becomes, or nil.
func (p *Line) result(s spot) *types.Var {
	switch n := s.parent().(type) {
	case *ast.AssignStmt:
		if len(n.Rhs) == 1 {
			return p.local(n.Lhs[0])
		}
	case *ast.ValueSpec:
		if len(n.Values) == 1 {
			return p.local(n.Names[0])
		}
	}
	return nil
}

// methodsOn are the methods that are called on the first result of a call, in the same expression or
// later in the function; ok is false if it is used for anything else, or made once, in a function that
// runs once.
func (p *Line) methodsOn(s spot) (names []string, ok bool) {
	if decl, ok := p.fn.node.(*ast.FuncDecl); ok && decl.Recv == nil && (decl.Name.Name == "init" || decl.Name.Name == "main") {
		return nil, false
	}
	if sel, is := s.parent().(*ast.SelectorExpr); is {
		return []string{sel.Sel.Name}, true
	}
	v := p.result(s)
	if v == nil {
		return nil, false
	}
	for _, m := range p.mentions(p.unit, v) {
		sel, ok := m.parent().(*ast.SelectorExpr)
		if !ok || within(m.stack, v.Pos()) != nil && !p.deferred(m.stack) {
			return nil, false
		}
		names = append(names, sel.Sel.Name)
	}
	return names, len(names) > 0
}

// deferred reports whether a function literal around a node is deferred, and so runs in the function.
func (p *Line) deferred(stack []ast.Node) bool {
	return slices.ContainsFunc(stack, func(n ast.Node) bool { _, ok := n.(*ast.DeferStmt); return ok })
}

// madeAnew is a condition: what a call makes has these methods called on it only, and depends on nothing
// of the call of its function.
func madeAnew(methods ...string) func(*Line, spot, *ast.CallExpr) bool {
	return func(p *Line, s spot, call *ast.CallExpr) bool {
		names, ok := p.methodsOn(s)
		return ok && !slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(methods, n) }) &&
			!slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return !p.lasting(e) })
	}
}

// lasting reports whether an expression has the same value in each call: it is made of constants,
// variables of packages, which may be set once, and functions.
func (p *Line) lasting(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if v, is := p.object(n).(*types.Var); is && !v.IsField() && (v.Pkg() == nil || v.Parent() != v.Pkg().Scope()) {
				ok = false
			}
		case *ast.FuncLit:
			ok = false
		}
		return ok
	})
	return ok
}

// inMemory is the string, slice, or reader of one that an expression reads from; nil if it may read
// from anything else.
func (p *Line) inMemory(e ast.Expr) *ast.CallExpr {
	if v := p.local(e); v != nil {
		d, ok := p.define(p.unit, v)
		if !ok || d.param || d.value == nil {
			return nil
		}
		e = d.value
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return nil
	}
	if callee := p.callee(call); callee != nil {
		switch callee.FullName() {
		case "strings.NewReader", "bytes.NewReader":
			return call
		}
	}
	return nil
}

// scansMemory is a condition of Scan: of a scanner for lines over a string or slice.
func scansMemory(p *Line, s spot, call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || !p.since(24) {
		return false
	}
	v := p.local(sel.X)
	if v == nil {
		return false
	}
	d, ok := p.define(p.unit, v)
	if !ok || d.param || d.value == nil {
		return false
	}
	made, ok := ast.Unparen(d.value).(*ast.CallExpr)
	if !ok || len(made.Args) != 1 || p.inMemory(made.Args[0]) == nil {
		return false
	}
	callee := p.callee(made)
	return callee != nil && callee.FullName() == "bufio.NewScanner" && !p.has(v, "Buffer", "Split") && p.onlyCalled(v)
}

// has reports whether one of some methods is called on a variable.
func (p *Line) has(v *types.Var, methods ...string) bool {
	return slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool {
		sel, ok := m.parent().(*ast.SelectorExpr)
		return ok && slices.Contains(methods, sel.Sel.Name)
	})
}

// onlyCalled reports whether nothing is done with a variable but calling its methods.
func (p *Line) onlyCalled(v *types.Var) bool {
	return !slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool {
		sel, ok := m.parent().(*ast.SelectorExpr)
		if !ok {
			return true
		}
		call, ok := innermost(m.stack[:slices.Index(m.stack, ast.Node(sel))]).(*ast.CallExpr)
		return !ok || ast.Unparen(call.Fun) != sel
	})
}

// wrapsMemory is a condition of bufio.NewReader: of what has all methods itself that are called.
func wrapsMemory(p *Line, s spot, call *ast.CallExpr) bool {
	inner := p.inMemory(call.Args[0])
	v := p.result(s)
	if inner == nil || v == nil || !p.onlyCalled(v) || p.local(call.Args[0]) != nil {
		return false
	}
	for _, m := range p.mentions(p.unit, v) {
		switch m.parent().(*ast.SelectorExpr).Sel.Name {
		case "ReadByte", "ReadRune", "UnreadByte", "UnreadRune", "Read", "WriteTo":
		default:
			return false
		}
	}
	return true
}

// recordsUnkept is a condition of (*csv.Reader).Read: of a reader that is made here, without ReuseRecord, whose
// records do not leave the iteration.
func recordsUnkept(p *Line, s spot, call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	reader, record := p.local(sel.X), p.result(s)
	if reader == nil || record == nil || p.has(reader, "ReuseRecord", "ReadAll") || p.passed(reader) {
		return false
	}
	if d, ok := p.define(p.unit, reader); !ok || d.param || d.value == nil {
		return false
	}
	reads := 0 // the first may be of the names of columns, which are kept
	for _, m := range p.mentions(p.unit, reader) {
		if sel, ok := m.parent().(*ast.SelectorExpr); ok && sel.Sel.Name == "Read" {
			reads++
		}
	}
	loops := loopsSince(s.stack, call, reader.Pos())
	if reads != 1 || len(loops) != 1 || record.Pos() < loops[0].Pos() {
		return false
	}
	return p.elementsOnly(record)
}

// passed reports whether a variable is given to a call, or stored.
func (p *Line) passed(v *types.Var) bool {
	return slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool { _, ok := m.parent().(*ast.SelectorExpr); return !ok })
}

// elementsOnly reports whether nothing but the elements and the length of a slice is used.
func (p *Line) elementsOnly(v *types.Var) bool {
	return !slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool {
		if within(m.stack, v.Pos()) != nil {
			return true
		}
		switch parent := m.parent().(type) {
		case *ast.IndexExpr:
			u, ok := innermost(m.stack[:slices.Index(m.stack, ast.Node(parent))]).(*ast.UnaryExpr)
			return ok && u.Op.String() == "&"
		case *ast.RangeStmt:
			return false
		case *ast.CallExpr:
			if callee := p.callee(parent); callee != nil && callee.FullName() == "strings.Join" {
				return false
			}
			return p.builtin(parent, "len") == nil
		case *ast.BinaryExpr:
			return false // compared with nil
		}
		return true
	})
}

// rangedOver is a condition: a loop goes over what a call returns, does not count its iterations, and sets nothing in a map.
func rangedOver(p *Line, s spot, call *ast.CallExpr) bool {
	loop, ok := s.parent().(*ast.RangeStmt)
	if !ok || ast.Unparen(loop.X) != call {
		return false
	}
	if id, ok := loop.Key.(*ast.Ident); ok && id.Name != "_" {
		return false
	}
	sets := false
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		sets = sets || ok && p.methodName(c) == "SetMapIndex"
		return !sets
	})
	return !sets
}

// constantText is a condition of Parse: of a constant, in an expression that begins with New and depends on
// nothing of the call of its function, and whose result stays in the function.
func constantText(p *Line, s spot, call *ast.CallExpr) bool {
	if len(call.Args) != 1 {
		return false
	}
	if v := p.pkg.TypesInfo.Types[call.Args[0]].Value; v == nil || v.Kind() != constant.String {
		return false
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); !ok || !p.lasting(sel.X) {
		return false
	}
	outer := s
	for i := len(s.stack) - 1; i > 0; i-- { // template.Must around it
		if must, ok := s.stack[i].(*ast.CallExpr); ok && p.callee(must) != nil && p.callee(must).Name() == "Must" {
			outer = spot{must, s.stack[:i]}
			break
		}
	}
	names, ok := p.methodsOn(outer)
	return ok && !slices.ContainsFunc(names, func(n string) bool { return n != "Execute" && n != "ExecuteTemplate" })
}

// inProgram is a condition: a main package is there, whose settings hold for all of the program.
func inProgram(p *Line, s spot, call *ast.CallExpr) bool {
	for _, u := range p.units {
		if u.pkg.Name == "main" {
			return true
		}
	}
	return false
}

// labelled is a condition: the argument is a map literal, and the line allocates nothing else.
func labelled(p *Line, s spot, call *ast.CallExpr) bool {
	lit, ok := ast.Unparen(call.Args[0]).(*ast.CompositeLit)
	return ok && len(lit.Elts) > 0 && !p.othersThan(lit)
}

// closed is a condition: what a call makes is closed in the same function.
func closed(p *Line, s spot, call *ast.CallExpr) bool {
	v := p.result(s)
	return v != nil && p.has(v, "Close") && !p.returnedAsIs(v) && !slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return !p.lasting(e) })
}

// chained is a condition: a call on what a call of the same function returns.
func chained(p *Line, s spot, call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	inner, ok := ast.Unparen(sel.X).(*ast.CallExpr)
	if !ok {
		return false
	}
	callee := p.callee(inner)
	return callee != nil && (callee.Name() == "WithField" || callee.Name() == "WithFields")
}

// pairs is a condition of zap's Infow and its like: all keys are constants.
func pairs(p *Line, s spot, call *ast.CallExpr) bool {
	if call.Ellipsis.IsValid() || len(call.Args) < 3 || len(call.Args)%2 == 0 {
		return false
	}
	for i := 1; i < len(call.Args); i += 2 {
		if !p.constant(call.Args[i]) || !isString(p.typeOf(call.Args[i])) {
			return false
		}
	}
	return true
}
