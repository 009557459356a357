package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
)

var arenas = &Lever{
	Name:    "arena",
	Title:   "allocate in an arena that is recycled (lessgc/arena)",
	Subject: "allocate in an arena",
	Looks:   "objects of a type that refers to itself (a list, a tree, a syntax tree: also through an interface that it implements), or slices of them, of which one function makes many, in loops or recursion, and which it drops: by their types, nothing that the function is given or gives back, no variable of a package, channel, goroutine or foreign function can hold one when it ends. Of one benchmark, at least ten in an operation.",
	Wrong:   "when a string or slice of bytes in the structure is handed on: copy it out. Policy Safe, which cannot break a program, saves less than half of this, and nothing for many types with few objects each.",
	Before: `n := &node{name: name}
parent.children = append(parent.children, n)`,
	After: `n := arena.New[node](a)
n.name = a.String(name)
parent.children = arena.Append(a, parent.children, n)`,
	Model: "Measured on lists, trees, tries and requests (bench/results): an arena that is recycled takes a tenth to a third of the CPU time of allocating on the heap, and its memory is not collected.",
	Risk:  Lifetime,
	Saves: Saves{Alloc: Range{0.6, 1}, Collect: Range{0.8, 1}},
	Rewrite: "The module's go.mod requires the arena's module. The root makes an arena with policy Safe and frees it by its first deferred call: no memory is used twice, so that an object that is kept stays as it is. It is the function that by the types drops all objects of the structure, or, where that has no arena to give, the outermost one below it that has, which it calls once. " +
		"Functions between the root and those that make the objects get the arena as their first parameter: they are not exported, are not values, methods of an interface of the package or generic, no test, directive, assembly or file of another system names them, and no file of theirs is built for some systems only. " +
		"The arena stays with one goroutine: function literals, go and defer statements, loops over functions and all other callers give nil, which is the heap as before. The root is not called below itself. " +
		"The objects are literals whose address is taken, or those of new, of structs of 1 to 256 bytes with no lock, finalizer, cleanup, weak pointer or pool, which are dropped together, too; the package imports neither unsafe nor C, and functions of sync/atomic for 64-bit numbers, which want them to be aligned, are not used. " +
		"Where a literal is made by a call then, a copy of it means the same, and its values depend on nothing that another call, receive, index or division of the statement changes, or may panic before it; such parts are inside one value, or all of them are calls, for which the language has an order. Fewer than 128 objects are left on the heap.",
	find: findArena,
}

// mostLive is the share of what was allocated that may be live, if it is said to die
// together.
const mostLive = 0.2

// leastTogether is the smallest number of objects that have to die together for an arena to pay
// off: see docs/levers.md.
const leastTogether = 10

// leastSafe is the number of objects from which on a safe arena pays off: it takes the first 64 from the heap, one by one.
const leastSafe = 128

func findArena(p *Line) (f Finding) {
	if p.direct() == 0 || p.site.LiveBytes > int64(mostLive*float64(p.site.Bytes)) {
		return f
	}
	made, of := p.linked()
	if of == nil {
		return f
	}
	fn, again := p.life(of)
	if fn == nil {
		return f
	}
	f = Finding{Share: p.direct(), Evidence: []Evidence{made, again, p.dropped(fn, of)}}
	each := p.each()
	if each > 0 {
		if each < leastTogether {
			return Finding{}
		}
		f.Evidence = append(f.Evidence, Evidence{fmt.Sprintf("an operation allocates %s of these objects", few(each)), p.site.File, p.site.Line})
	}
	if each == 0 || each >= leastSafe {
		if edits, recycling := p.arenaEdits(of, fn); edits != nil {
			f.Edits, f.Evidence = edits, append(f.Evidence, recycling)
			return f
		}
	}
	f.Edits, f.Sketch = p.sketchArena(of), true
	return f
}

// linked is the evidence that the line makes part of a linked structure: an object of its
// type, or a string or slice that such an object holds.
func (p *Line) linked() (e Evidence, of *types.Named) {
	for _, s := range p.spots() {
		if t := p.madeOf(s); t != nil {
			if link := p.link(t); link != nil {
				return p.at(link.Pos(), fmt.Sprintf("%s is part of a linked structure: field %s leads back to it", t.Obj().Name(), link.Name())), t
			}
		}
	}
	fn := p.fns[p.fn.node]
	if fn == nil {
		return e, nil
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			v, isValue := in.(ssa.Value)
			if !isValue || !p.onSite(in.Pos()) || !copied(in) {
				continue
			}
			if h, ok := p.held(v); ok && p.confine(h.of).reaches(v.Type()) { // else it may go where no type tells
				return p.at(h.pos, fmt.Sprintf("it becomes field %s of %s, which is part of a linked structure", h.field.Name(), h.of.Obj().Name())), h.of
			}
		}
	}
	return e, nil
}

// copied reports whether an instruction makes a string or slice of its own.
func copied(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Convert, *ssa.MakeSlice:
		return true
	case *ssa.Call:
		return callsBuiltin(in, "append")
	case *ssa.BinOp:
		return in.Op == token.ADD && isString(in.Type())
	}
	return false
}

// madeOf is the named struct of which a node makes an object, or nil.
func (p *Line) madeOf(s spot) *types.Named {
	var t types.Type
	switch n := s.node.(type) {
	case *ast.UnaryExpr:
		if lit, ok := ast.Unparen(n.X).(*ast.CompositeLit); ok && n.Op == token.AND {
			t = p.typeOf(lit)
		}
	case *ast.CallExpr:
		if p.builtin(n, "new") != nil {
			t = p.typeOf(n.Args[0])
		}
	}
	if t == nil {
		return nil
	}
	named, _ := types.Unalias(t).(*types.Named)
	if named == nil {
		return nil
	}
	if _, ok := named.Underlying().(*types.Struct); !ok {
		return nil
	}
	return named
}

// link is a field by which objects of the type lead to others of it, or nil.
func (p *Program) link(t *types.Named) *types.Var {
	if v, ok := p.recursive[t]; ok {
		return v
	}
	s := linkSearch{t, map[types.Type]bool{}}
	v := s.fields(t.Underlying().(*types.Struct), 0)
	p.recursive[t] = v
	return v
}

type linkSearch struct {
	of   *types.Named
	seen map[types.Type]bool
}

// fields returns the first field that leads to the type.
func (s linkSearch) fields(t *types.Struct, depth int) *types.Var {
	for f := range t.Fields() {
		if f.Embedded() { // what is embedded is named more exactly by its own field
			if inner, ok := f.Type().Underlying().(*types.Struct); ok && depth < 8 {
				if v := s.fields(inner, depth+1); v != nil {
					return v
				}
			}
		}
		if s.leads(f.Type(), depth) {
			return f
		}
	}
	return nil
}

// leads reports whether a type refers to the one that is looked for.
func (s linkSearch) leads(t types.Type, depth int) bool {
	t = types.Unalias(t)
	if s.seen[t] || depth > 8 {
		return false
	}
	s.seen[t] = true
	switch u := t.(type) {
	case *types.Pointer:
		if types.Identical(origin(u.Elem()), s.of.Origin()) {
			return true
		}
		return s.leads(u.Elem(), depth+1)
	case *types.Slice:
		return types.Identical(origin(u.Elem()), s.of.Origin()) || s.leads(u.Elem(), depth+1)
	case *types.Map:
		return types.Identical(origin(u.Elem()), s.of.Origin()) || s.leads(u.Elem(), depth+1)
	case *types.Array:
		return s.leads(u.Elem(), depth+1)
	case *types.Named:
		switch under := u.Underlying().(type) {
		case *types.Interface:
			return under.NumMethods() > 0 && u.Obj().Pkg() != nil && !standard(u.Obj().Pkg().Path()) && (types.Implements(types.NewPointer(s.of), under) || types.Implements(s.of, under))
		case *types.Struct:
			return s.fields(under, depth+1) != nil
		case *types.Slice, *types.Map:
			return s.leads(under, depth+1)
		}
	}
	return false
}

func origin(t types.Type) types.Type {
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Origin()
	}
	return t
}

// standard reports whether a package is of the standard library.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") && path != "main"
}

// farthest is the number of frames, from the line up, in which loops are looked for.
const farthest = 40

// repeats returns where a stack of calls runs the line many times: in a loop, or in a recursion.
func (p *Line) repeats(stack []prof.Frame) (Evidence, bool) {
	seen := map[string]int{}
	for i, f := range stack[:min(len(stack), farthest)] {
		fn := p.function(f)
		if fn == nil {
			continue
		}
		if j, ok := seen[f.Func]; ok && i > j {
			return Evidence{"many are made, in a recursion of " + funcName(f.Func), f.File, f.Line}, true
		}
		seen[f.Func] = i
		if loop := p.loopAt(fn, f.Line); loop != nil {
			return p.at(loop.Pos(), "many are made, in this loop"), true
		}
	}
	return Evidence{}, false
}

// loopAt is the innermost loop around a line that is not a benchmark's and ends by itself.
func (p *Program) loopAt(fn *function, line int) (found ast.Node) {
	if benchmarks(fn) {
		return nil
	}
	ast.Inspect(fn.node, func(n ast.Node) bool {
		if n == nil || p.line(n.Pos()) > line || p.line(n.End()) < line {
			return false
		}
		if lit, ok := n.(*ast.FuncLit); ok && lit != fn.node {
			return false
		}
		if body := loopBody(n); body != nil && p.line(body.Lbrace) < line && line <= p.line(body.Rbrace) {
			if loop, ok := n.(*ast.ForStmt); !ok || loop.Cond != nil {
				found = n
			}
		}
		return true
	})
	return found
}

// benchmarks reports whether a function is given a *testing.B or F.
func benchmarks(fn *function) bool {
	for _, field := range fn.typ.Params.List {
		switch types.ExprString(field.Type) {
		case "*testing.B", "*testing.PB", "*testing.T":
			return true
		}
	}
	return false
}

func funcName(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }
