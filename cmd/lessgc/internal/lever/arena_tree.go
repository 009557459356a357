package lever

import (
	"go/ast"
	"go/build"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
)

// An arenaTree is a function that makes an arena, its root, and the functions between it and those that make objects, which
// are given it.
type arenaTree struct {
	p     *Line                  // that is asked about
	of    *types.Named           // the line makes
	root  *types.Func            // keeps its signature
	drops *ssa.Function          // what the line makes: the root, or a function that calls it
	fns   map[*types.Func]*inner // functions of the package, as far as they are asked for
	calls []ownCall              // of functions of the package
	given map[*types.Func]bool   // those that get a parameter; nil until they are known

	values    map[*types.Func]bool // functions that are used other than by calls that can get one more argument
	tests     map[string]bool      // names in tests of the folder
	elsewhere map[string]bool      // names in files of the folder that are not loaded
	methods   map[string]bool      // names of methods of interfaces
}

// arenaEdits returns the change that makes the objects of a structure in an arena, if a function drops them, and what an arena
// that recycles would add to it. The root of the tree is that function, or the outermost one below it for which there is a tree.
func (p *Line) arenaEdits(of *types.Named, drops *ssa.Function) (edits []Edit, recycling Evidence) {
	for _, root := range p.arenaRoots(drops) {
		t := p.arenaTreeOf(of, root, drops)
		if t == nil {
			continue
		}
		if edits = t.edits(); edits == nil {
			continue
		}
		where := ""
		if root != drops {
			where = "made in " + nameOf(drops) + ", as they leave " + nameOf(root) + ", "
		}
		return edits, p.at(root.Pos(), "the change is one with policy Safe, which cannot break anything; an arena of a Pool that recycles, "+where+"would use the memory again and save its collection too, if no string or slice of the structure is kept for longer")
	}
	return nil, recycling
}

// arenaRoots returns the function that drops the objects, and those below it, outermost first, each of which it runs once and
// which makes nearly all of them, in a loop or recursion.
func (p *Line) arenaRoots(drops *ssa.Function) (all []*ssa.Function) {
	stack := append([]prof.Frame{p.site.Frame}, p.site.Leaves[0].Callers...)
	stack = stack[:min(len(stack), farthest)]
	top := slices.IndexFunc(stack, func(f prof.Frame) bool {
		at := p.function(f)
		return at != nil && p.fns[at.node] == drops
	})
	for i := top; i >= 0; i-- {
		at := p.function(stack[i])
		if at == nil || p.fns[at.node] == nil || slices.Contains(all, p.fns[at.node]) {
			return all
		}
		if i < top {
			_, many := p.repeats(stack[:i+1])
			if !many || p.anyLoop(stack[i+1:top+1]) || p.madeBelow(stack[i].Func) < mostOfBytes {
				return all
			}
		}
		all = append(all, p.fns[at.node])
	}
	return all
}

// An inner is a function of the package.
type inner struct {
	p     *Line // with the function's file
	decl  *ast.FuncDecl
	made  []ast.Expr // objects that the arena takes
	arena string     // its name in the function
}

// An ownCall is a call of a function of the package.
type ownCall struct {
	*unit
	call   *ast.CallExpr
	callee *types.Func
	caller *types.Func // nil outside of functions
	direct bool        // the caller itself makes it, at once: no function literal, loop over a function, or go or defer statement is around
}

// arenaTreeOf is the tree between a root and the line; nil if not all functions of it can be given an arena.
func (p *Line) arenaTreeOf(of *types.Named, root, drops *ssa.Function) *arenaTree {
	object, _ := root.Object().(*types.Func)
	if object == nil || p.decls[object] == nil || p.decls[object].pkg != p.pkg || !p.importsArena() {
		return nil
	}
	dir := filepath.Dir(p.fset.Position(p.file.Package).Filename)
	t := &arenaTree{p: p, of: of, root: object, drops: drops, fns: map[*types.Func]*inner{}, values: map[*types.Func]bool{}, methods: map[string]bool{},
		elsewhere: p.otherNamesIn(dir), tests: p.testNamesIn(dir)}
	if t.singlesOut() {
		return nil
	}
	for _, u := range p.units {
		if u.pkg == p.pkg && !p.inTest(u.file.Package) {
			t.indexCalls(u)
		}
	}
	if t.inner(object) == nil || !t.open(object) {
		return nil
	}
	t.given = t.between()
	at, ok := p.fn.node.(*ast.FuncDecl)
	if !ok {
		return nil
	}
	target, _ := p.pkg.TypesInfo.Defs[at.Name].(*types.Func)
	if target != object && !t.given[target] || !t.makesHere(target) || t.entersAgain() {
		return nil
	}
	return t
}

// singlesOut reports whether the package, or a test of it, may know single objects by their memory, or goes around types.
func (t *arenaTree) singlesOut() bool {
	if len(t.p.pkg.OtherFiles) > 0 {
		return true
	}
	for _, u := range t.p.units {
		if u.alignsAtomics() || u.pkg == t.p.pkg && slices.ContainsFunc(u.file.Imports, importsUnsafe) {
			return true
		}
	}
	for callee, calls := range t.p.Program.calls {
		if singling[callee.String()] && callee.Name() != "Put" && slices.ContainsFunc(calls, ofAnything) {
			return true
		}
	}
	for fn := range t.p.Program.values {
		if fn.Origin() != nil {
			fn = fn.Origin()
		}
		if singling[fn.String()] {
			return true
		}
	}
	return slices.ContainsFunc([]map[string]bool{t.tests, t.elsewhere}, func(names map[string]bool) bool {
		return names["SetFinalizer"] || names["AddCleanup"] || names["weak"] || names["unsafe"] || namesAtomic(names)
	})
}

// namesAtomic reports whether one of some names is that of a function of sync/atomic that wants a number to be aligned.
func namesAtomic(names map[string]bool) bool {
	for _, does := range []string{"Add", "And", "CompareAndSwap", "Load", "Or", "Store", "Swap"} {
		if names["."+does+"Int64"] || names["."+does+"Uint64"] {
			return true
		}
	}
	return false
}

// ofAnything reports whether the first argument of a call is not a pointer to one known type.
func ofAnything(c ssa.CallInstruction) bool {
	v := c.Common().Args[0]
	if made, ok := v.(*ssa.MakeInterface); ok {
		v = made.X
	}
	_, pointer := v.Type().Underlying().(*types.Pointer)
	return !pointer || hasTypeParameter(v.Type())
}

// indexCalls notes the calls of functions of the package in a file, and what else names them.
func (t *arenaTree) indexCalls(u *unit) {
	ast.PreorderStack(u.file, nil, func(n ast.Node, stack []ast.Node) bool {
		switch n := n.(type) {
		case *ast.InterfaceType:
			for _, field := range n.Methods.List {
				for _, name := range field.Names {
					t.methods[name.Name] = true
				}
			}
		case *ast.Ident:
			f, ok := u.pkg.TypesInfo.Uses[n].(*types.Func)
			if !ok || t.p.declared(f) == nil {
				return true
			}
			call := u.callOf(n, stack)
			if call == nil {
				t.values[f.Origin()] = true
				return true
			}
			c := ownCall{unit: u, call: call, callee: f.Origin()}
			if decl, ok := stack[min(1, len(stack)-1)].(*ast.FuncDecl); ok {
				c.caller, _ = u.pkg.TypesInfo.Defs[decl.Name].(*types.Func)
				c.direct = !u.apart(stack)
			}
			t.calls = append(t.calls, c)
		}
		return true
	})
}

// callOf is the call of a function that a name stands for, if it is one that can get another argument; nil if not.
func (u *unit) callOf(id *ast.Ident, stack []ast.Node) *ast.CallExpr {
	var fun ast.Expr = id
	i := len(stack) - 1
	if s, ok := stack[i].(*ast.SelectorExpr); ok && s.Sel == id {
		if x := u.pkg.TypesInfo.Selections[s]; x == nil || x.Kind() != types.MethodVal {
			return nil
		}
		fun = s
		i--
	}
	call, ok := stack[i].(*ast.CallExpr)
	if !ok || call.Fun != fun {
		return nil
	}
	if len(call.Args) == 1 {
		if _, several := u.typeOf(call.Args[0]).(*types.Tuple); several {
			return nil
		}
	}
	return call
}

// apart reports whether what stands below some nodes may be executed by another function than the declared one around, or
// later than it is reached.
func (u *unit) apart(stack []ast.Node) bool {
	return slices.ContainsFunc(stack, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt:
			return true
		case *ast.RangeStmt:
			_, function := u.typeOf(n.X).Underlying().(*types.Signature)
			return function
		}
		return false
	})
}

// inner returns a function of the package, with the objects that it makes; nil for one whose file only some systems build, that
// is generic, or that names the package of the arenas: it has one already, or the name means something else.
func (t *arenaTree) inner(f *types.Func) *inner {
	if known, ok := t.fns[f]; ok {
		return known
	}
	t.fns[f] = nil
	fn := t.p.decls[f]
	if fn == nil || fn.pkg != t.p.pkg || t.p.inTest(f.Pos()) || t.p.generated(fn.unit) {
		return nil
	}
	sig := f.Signature()
	decl, ok := fn.node.(*ast.FuncDecl)
	if !ok || sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0 || t.p.forSome(fn.unit) || directive(decl.Doc) {
		return nil
	}
	in := &inner{p: &Line{t.p.Program, fn.unit, t.p.site, fn, nil}, decl: decl}
	names := &pooling{p: in.p, decl: decl}
	if in.arena = names.localName("a"); in.arena != "a" {
		in.arena = names.localName("mem")
	}
	name, _, ok := in.p.importing(arenaPath)
	if !ok || !in.p.goes("1.18") || in.names(name) || t.tests["package "+name] || t.elsewhere["package "+name] {
		return nil
	}
	t.fns[f] = in
	in.made = t.makes(in)
	return in
}

// names reports whether something in the function has a name, or uses it.
func (in *inner) names(name string) bool {
	return hasName(in.decl, name)
}

// forSome reports whether not every build has a file.
func (p *Program) forSome(u *unit) bool {
	for _, c := range u.file.Comments {
		if c.Pos() < u.file.Package && slices.ContainsFunc(c.List, func(c *ast.Comment) bool {
			return strings.HasPrefix(c.Text, "//go:build") || strings.HasPrefix(c.Text, "// +build")
		}) {
			return true
		}
	}
	return p.byName(u)
}

// byName reports whether the name of a file says that not every build has it.
func (p *Program) byName(u *unit) bool {
	dir, name := filepath.Split(p.fset.Position(u.file.Package).Filename)
	none := build.Default
	none.GOOS, none.GOARCH = "none", "none"
	match, err := none.MatchFile(dir, name)
	return err != nil || !match
}

// open reports whether a function can be edited: nothing refers to it by directives or assembly.
func (t *arenaTree) open(f *types.Func) bool {
	return t.inner(f) != nil && !t.p.linkedElsewhere(f)
}

// takesOne reports whether a function can have one more parameter: all that calls it is known, and can be edited.
func (t *arenaTree) takesOne(f *types.Func) bool {
	if f.Exported() || f.Name() == "_" || f.Name() == "init" || f.Name() == "main" && f.Signature().Recv() == nil || t.values[f] || !t.open(f) {
		return false
	}
	name := f.Name()
	if f.Signature().Recv() != nil {
		if t.methods[name] {
			return false
		}
		name = "." + name
	}
	if t.p.namedInTests(f) || t.elsewhere[name] {
		return false
	}
	if slices.ContainsFunc(t.calls, func(c ownCall) bool { return c.callee == f && t.p.generated(c.unit) }) {
		return false
	}
	params := t.inner(f).decl.Type.Params.List
	return len(params) == 0 || len(params[0].Names) > 0
}

// between returns the functions, without the root, by which direct calls lead from it to those that make objects.
func (t *arenaTree) between() map[*types.Func]bool {
	below, open := map[*types.Func]bool{t.root: true}, map[*types.Func]bool{}
	for work := []*types.Func{t.root}; len(work) > 0; work = work[1:] {
		for _, c := range t.calls {
			if c.direct && c.caller == work[0] && !below[c.callee] {
				if _, asked := open[c.callee]; !asked {
					open[c.callee] = t.takesOne(c.callee)
				}
				if open[c.callee] {
					below[c.callee] = true
					work = append(work, c.callee)
				}
			}
		}
	}
	given := map[*types.Func]bool{}
	for more := true; more; {
		more = false
		for f := range below {
			if f == t.root || given[f] {
				continue
			}
			if len(t.fns[f].made) > 0 || slices.ContainsFunc(t.calls, func(c ownCall) bool { return c.direct && c.caller == f && given[c.callee] }) {
				given[f], more = true, true
			}
		}
	}
	return given
}

// makesHere reports whether the line makes an object that its function can take from the arena.
func (t *arenaTree) makesHere(target *types.Func) bool {
	in := t.fns[target]
	return in != nil && slices.ContainsFunc(t.p.spots(), func(s spot) bool {
		e, ok := s.node.(ast.Expr)
		return ok && slices.Contains(in.made, e)
	})
}

// entersAgain reports whether the root is called below itself: each call would have an arena of its own.
func (t *arenaTree) entersAgain() bool {
	return slices.ContainsFunc(t.calls, func(c ownCall) bool {
		return c.callee == t.root && (c.caller == t.root || t.given[c.caller])
	})
}
