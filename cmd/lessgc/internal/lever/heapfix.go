package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

var heapFix = &Lever{
	Name:    "heap-fix",
	Title:   "push and pop elements as they are, and order them with heap.Fix",
	Subject: "push and pop with heap.Fix",
	Looks:   "heap.Push of a value that is not a pointer, and methods Pop that return one, as heap.Pop wants it: each becomes an interface, an object of its own.",
	Wrong:   "when the heap is small and rarely used, and two more methods are not worth it.",
	Before: `heap.Push(&q, item{name, priority})
next := heap.Pop(&q).(item)`,
	After: `q.push(item{name, priority})
next := q.pop()

func (q *queue) push(x item) {
	*q = append(*q, x)
	heap.Fix(q, q.Len()-1)
}`,
	Model: "What became an interface goes whole. The slice grows as before.",
	Risk:  NoRisk,
	Saves: Saves{Alloc: Range{0.9, 1}, Collect: Range{0.9, 1}},
	Rewrite: "The heap is a pointer to a type of the package with methods of its own, and Len returns the length of one slice. heap.Push calls Push and moves the last element up; heap.Fix of the last element looks for its children, which are beyond Len, and does the same then, in the source of Go 1.25 to 1.27: Less and Swap are called with the same arguments in the same order. " +
		"heap.Pop calls Swap and moves the first element down before it calls Pop; the new method calls Swap, does what Pop does, and has heap.Fix move the first element down, with the same calls of Less and Swap again: Pop only touches the last element and the length, Less and Swap only the elements that they are given, and fields with maps; none of them can panic there, so that nothing sees a heap in between. Swap panics as before where the heap is empty. " +
		"Arguments are of the type of the elements, evaluated once and in the same order. Calls of go and defer, and those that take the result as an interface or ask for its type, stay: both ways may be mixed.",
	find: findHeapFix,
}

func findHeapFix(p *Line) (f Finding) {
	for _, c := range p.called() {
		if c.name != heapPush || len(c.call.Args) != 2 || p.constant(c.call.Args[1]) {
			continue
		}
		t := p.typeOf(c.call.Args[1])
		named := heapTypeOf(p.typeOf(c.call.Args[0]))
		if share := p.alone(func(n ast.Node) bool { return n == c.call }); named != nil && needsBox(t) && share > 0 {
			f.Share = share
			f.Evidence = []Evidence{p.at(c.call.Pos(), fmt.Sprintf("heap.Push takes each %s as an interface, which needs memory; an element can be appended as it is, and moved to its place with heap.Fix", p.short(t)))}
			p.withTypedHeap(&f, named, func(x *typedHeap) bool { return x.pushesAt(c.call) })
			return f
		}
	}
	named, t := p.popsHere()
	if named == nil {
		return f
	}
	x := p.typedHeapOf(named)
	if share := popShare(p.site, x); share > 0 {
		f.Share = share
		f.Evidence = []Evidence{p.at(p.fn.node.Pos(), fmt.Sprintf("heap.Pop returns each %s as an interface, which needs memory; an element can be taken as it is, and the rest ordered with heap.Fix", p.short(t)))}
		p.withTypedHeap(&f, named, func(x *typedHeap) bool { return x.pop != nil })
	}
	return f
}

const (
	heapPush = "container/heap.Push"
	heapPop  = "container/heap.Pop"
)

// heapTypeOf is the named type that a heap points to; nil if it is an interface.
func heapTypeOf(t types.Type) *types.Named {
	pointer, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return nil
	}
	named, ok := types.Unalias(pointer.Elem()).(*types.Named)
	if !ok || types.IsInterface(named) {
		return nil
	}
	return named.Origin()
}

// needsBox reports whether values of a type, or of some that it may stand for, take memory as an interface.
func needsBox(t types.Type) bool {
	if isTypeParameter(t) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return false
	case *types.Basic:
		return u.Info()&types.IsBoolean == 0 && u.Kind() != types.Uint8 && u.Kind() != types.Int8 && u.Info()&types.IsUntyped == 0 && !pointerShaped(t)
	case *types.Struct: // one of a single pointer is as that
		return u.NumFields() > 1 || u.NumFields() == 1 && (needsBox(u.Field(0).Type()) || !pointerShaped(u.Field(0).Type()))
	case *types.Array:
		return u.Len() > 1 || u.Len() == 1 && !pointerShaped(u.Elem())
	}
	return !pointerShaped(t)
}

// popsHere is the heap type whose method Pop makes an interface of an element on the line, and the type of that.
func (p *Line) popsHere() (named *types.Named, t types.Type) {
	decl, ok := p.fn.node.(*ast.FuncDecl)
	if !ok || decl.Recv == nil || decl.Name.Name != "Pop" {
		return nil, nil
	}
	fn, ok := p.pkg.TypesInfo.Defs[decl.Name].(*types.Func)
	if !ok {
		return nil, nil
	}
	named = heapTypeOf(fn.Signature().Recv().Type())
	if named == nil || fn.Signature().Results().Len() != 1 || !types.IsInterface(fn.Signature().Results().At(0).Type()) {
		return nil, nil
	}
	for _, s := range p.spots() {
		if ret, ok := s.node.(*ast.ReturnStmt); ok && len(ret.Results) == 1 {
			t = p.typeOf(ret.Results[0])
		}
	}
	if t == nil || !needsBox(t) {
		return nil, nil
	}
	for _, name := range []string{"Len", "Less", "Swap", "Push"} {
		if m, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, named.Obj().Pkg(), name); m == nil {
			return nil, nil
		}
	}
	return named, t
}

// withTypedHeap adds the change of a heap to a finding, and what it saves at other lines, if it is one of the finding's line.
func (p *Line) withTypedHeap(f *Finding, named *types.Named, here func(*typedHeap) bool) {
	x := p.typedHeapOf(named)
	if x == nil || !here(x) {
		return
	}
	f.Edits = x.edits()
	if f.Edits == nil {
		return
	}
	if f.What = "push and pop items of " + named.Obj().Name() + " with heap.Fix"; len(f.What) > mostWhat {
		f.What = ""
	}
	for _, a := range x.also() {
		if a.Line.File == p.site.File && a.Line.Line == p.site.Line {
			continue
		}
		f.Also = append(f.Also, a)
		if slices.ContainsFunc(p.sitesAt(map[prof.Frame]bool{a.Line: true}), func(s *site.Site) bool { return a.Share(s).Hi > 0 }) {
			f.Evidence = append(f.Evidence, Evidence{"the conversion to an interface here is saved, too", a.Line.File, a.Line.Line})
		}
	}
}

// mostWhat is the length of the subject of a commit that names a type.
const mostWhat = 60

// also are the lines at which values become interfaces no more.
func (x *typedHeap) also() (all []Also) {
	if x.push != nil {
		for _, c := range x.pushes {
			line := x.p.frameOf(c.call.Pos())
			all = append(all, Also{line, func(s *site.Site) Range {
				share := 0.0
				if l := x.p.lineOf(s); l != nil {
					share = l.alone(func(n ast.Node) bool { return n == c.call })
				}
				return Range{share, share}
			}})
		}
	}
	if x.pop != nil {
		all = append(all, Also{x.p.frameOf(x.returns), func(s *site.Site) Range {
			share := popShare(s, x)
			return Range{share, share}
		}})
	}
	return all
}

// popShare is the share of the bytes of a method Pop's last line that is not made for calls which stay as they are.
func popShare(s *site.Site, x *typedHeap) float64 {
	var sum int64
	for _, l := range s.Leaves {
		if !directly(l) {
			continue
		}
		sum += l.Bytes
		for _, stack := range l.Stacks {
			if x != nil && x.pop != nil && !x.popsAt(stack.Callers) {
				sum -= stack.Bytes
			}
		}
	}
	return float64(sum) / float64(max(s.Bytes, 1))
}

// pushesAt reports whether a call is one of heap.Push that the change replaces.
func (x *typedHeap) pushesAt(call *ast.CallExpr) bool {
	return x.push != nil && slices.ContainsFunc(x.pushes, func(c heapCall) bool { return c.call == call })
}

// popsAt reports whether the callers of a method Pop begin with heap.Pop, as the change replaces it.
func (x *typedHeap) popsAt(callers []prof.Frame) bool {
	return len(callers) > 1 && callers[0].Func == heapPop && slices.ContainsFunc(x.pops, func(c heapCall) bool {
		from, to := x.p.frameOf(c.call.Pos()), x.p.frameOf(c.call.End())
		return callers[1].File == from.File && from.Line <= callers[1].Line && callers[1].Line <= to.Line
	})
}

// popped is the type assertion, or statement, that takes the result of a call of heap.Pop; nil if it is taken as an interface.
func (p *Line) popped(call *ast.CallExpr, stack []ast.Node, elem types.Type) ast.Node {
	switch n := innermost(stack).(type) {
	case *ast.ExprStmt:
		return call
	case *ast.AssignStmt:
		if n.Tok == token.ASSIGN && len(n.Lhs) == 1 && isBlank(n.Lhs[0]) {
			return call
		}
	case *ast.TypeAssertExpr:
		if n.Type != nil && types.Identical(p.typeOf(n.Type), elem) && types.Identical(p.typeOf(n), elem) { // a pair, of v, ok
			return n
		}
	}
	return nil
}
