package lever

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
)

var chunk = &Lever{
	Name:    "chunk",
	Title:   "allocate the small objects in chunks that the receiver keeps",
	Subject: "allocate objects in chunks",
	Looks:   "objects of one type of 128 bytes or less (literals, new, or variables whose address is kept) of which each operation of a benchmark makes 64 or more at the line, in a loop or recursion of a method whose receiver stays the same, or of a function that is given one object as a parser, and that leave the method. Only one goroutine has the receiver, and nothing copies it. Not where the profile has more than a tenth of the bytes live, nor for types with a lock, a finalizer or a pool.",
	Wrong:   "when objects are dropped one by one, or one of many is kept: each keeps up to 63 next to it, and all that these point to. When most inputs are small: half of the last chunk is not used.",
	Before: `func (p *parser) name() *Name {
	return &Name{Pos: p.pos, Text: p.text}
}`,
	After: `func (p *parser) name() *Name {
	if len(p.names) == cap(p.names) {
		p.names = make([]Name, 0, min(max(4, 2*cap(p.names)), 64)) // small inputs take a small chunk
	}
	p.names = append(p.names, Name{Pos: p.pos, Text: p.text})
	return &p.names[len(p.names)-1]
}`,
	Model:   "Up to 64 objects take one allocation. Their bytes are zeroed and collected as before; a chunk is one object to the collector.",
	Risk:    NoRisk,
	Saves:   Saves{Alloc: Range{0.3, 0.7}, Collect: Range{0, 0.3}},
	Rewrite: "The method declares a variable with the object, and appends it, on each way to its end, to a slice that is a field of the receiver: objects of one receiver are collected together, and goroutines that share it would be racing already. Or it returns the object, which is a node of a tree: it refers to others of its type, or of an interface that it has, and what is dropped is the tree; the method, or a function with one parameter that points to such an object, stores to one of its fields on each way, there or in functions that it gives it to, and none of these uses a lock, a channel, an atomic variable or a goroutine. Other results are constants. The receiver is dereferenced before. Its type is not exported, nothing exported leads to it, and one more field that is a slice is not noticed: values are not copied, compared, converted, embedded, put in slices, maps, channels or variables of the package, or made interfaces, no go statement has one, all literals have the names of fields, and neither unsafe nor reflect.DeepEqual is used. The objects have a size, and no lock, finalizer, cleanup, weak pointer or pool. A chunk has 4 objects at first and at most 64, about 4 KiB, or 16 that are returned; of those that an operation makes, a sixteenth. It is never used again.",
	find:    findChunk,
}

const (
	leastChunked = 64   // objects of an operation
	mostChunked  = 128  // bytes of an object
	tinyObject   = 9    // bytes below which two share a block of the runtime, if they have no pointers
	liveChunked  = 0.10 // of the bytes may be live at most
)

func findChunk(p *Line) (f Finding) {
	if p.each() < leastChunked || float64(p.site.LiveBytes) > liveChunked*float64(p.site.Bytes) {
		return f
	}
	in, share := p.only()
	made, ok := in.(*ssa.Alloc)
	if !ok || share == 0 || !p.ownObject(made) || !p.fitsChunk(made) {
		return f
	}
	named, evidence := p.chunkOf(made)
	if evidence == nil {
		named, evidence = p.chunkOfParameter(made)
	}
	if evidence == nil {
		return f
	}
	each := fmt.Sprintf("an operation allocates %s objects of type %s, %.0f bytes each; a chunk of them takes one allocation", few(p.each()), short(elemOf(made)), p.objectSize())
	f = Finding{Share: share, Evidence: append([]Evidence{p.at(made.Pos(), each)}, evidence...), Edits: p.chunkEdits(named, made)}
	f.What = "allocate " + types.TypeString(elemOf(made), types.RelativeTo(p.pkg.Types)) + " in chunks"
	if f.Edits == nil {
		f.Edits, f.Sketch = p.sketchChunk(named, elemOf(made)), true
	}
	return f
}

// chunkOf is the type of the receiver that can keep a chunk for what its method makes, and the evidence that it is one
// object to one goroutine; nil if there is none, or what is made does not leave the method.
func (p *Line) chunkOf(made ssa.Value) (named *types.Named, evidence []Evidence) {
	fn := made.Parent()
	named, _ = receiverOf(fn)
	if named == nil || !p.hasState(fn) || p.copiedInside(named) || p.follow(made).stays() {
		return nil, nil
	}
	changed, ok := p.oneGoroutine(fn, 0)
	if !ok {
		return nil, nil
	}
	again, ok := p.sameReceiver(fn, named)
	if !ok {
		return nil, nil
	}
	return named, []Evidence{again, changed}
}

// ownObject reports whether memory is that of a literal, of new, or of a variable of the function whose address
// leaves it; no function literal has it.
func (p *Line) ownObject(made *ssa.Alloc) bool {
	switch made.Comment {
	case "complit", "new":
		return true
	case "varargs", "makeslice", "slicelit":
		return false
	}
	return made.Pos() > p.fn.body.Pos() && !slices.ContainsFunc(*made.Referrers(), func(in ssa.Instruction) bool {
		_, captured := in.(*ssa.MakeClosure)
		return captured
	})
}

func elemOf(made *ssa.Alloc) types.Type { return elemType(made.Type()) }

// fitsChunk reports whether objects of a type are small, and nothing is done to single ones that
// one in a chunk does not bear.
func (p *Line) fitsChunk(made *ssa.Alloc) bool { return p.fits(made, mostChunked) }

// fits is fitsChunk of objects with at most some bytes.
func (p *Line) fits(made *ssa.Alloc, most int64) bool {
	t := elemOf(made)
	s, ok := t.Underlying().(*types.Struct)
	if !ok || hasTypeParameter(t) || p.pkg.TypesSizes == nil || hasLock(s, 0) {
		return false
	}
	size := p.pkg.TypesSizes.Sizeof(t)
	if size == 0 || size > most || size < tinyObject && !pointsInto(t) {
		return false
	}
	return !p.singled(t)
}

// singling are functions that are about one object as a piece of memory of its own.
var singling = map[string]bool{"runtime.SetFinalizer": true, "runtime.AddCleanup": true, "weak.Make": true, "(*sync.Pool).Put": true}

// singled reports whether objects of a type have a finalizer, are put into a pool, or are removed from
// a map: these are freed one by one.
func (p *Program) singled(t types.Type) bool { return p.pooled(t) || p.deleted(t) }

// pooled reports whether objects of a type have a finalizer, or are put into a pool.
func (p *Program) pooled(t types.Type) bool {
	if p.singles == nil {
		p.singles = []ssa.Value{}
		for callee, calls := range p.calls {
			if !singling[callee.String()] {
				continue
			}
			for _, c := range calls {
				p.singles = append(p.singles, c.Common().Args...)
			}
		}
	}
	return slices.ContainsFunc(p.singles, func(arg ssa.Value) bool { return pointsTo(arg, t) })
}

// deleted reports whether the program deletes elements of a map that are pointers to a type, tests left out.
func (p *Program) deleted(t types.Type) bool { return len(p.deletesOf(t)) > 0 }

// deletesOf are the calls that delete elements of a map that are pointers to a type, tests left out.
func (p *Program) deletesOf(t types.Type) (all []*ssa.Call) {
	if p.deletes == nil {
		p.deletes = []*ssa.Call{}
		for _, fn := range p.fns {
			if !p.inTest(fn.Pos()) {
				p.deletes = append(p.deletes, deletesIn(fn)...)
			}
		}
	}
	for _, call := range p.deletes {
		m, ok := call.Call.Args[0].Type().Underlying().(*types.Map)
		if ok && isPointerTo(m.Elem(), t) {
			all = append(all, call)
		}
	}
	return all
}

// deletesIn are the calls in a function that delete elements of a map.
func deletesIn(fn *ssa.Function) (all []*ssa.Call) {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(*ssa.Call); ok && callsBuiltin(call, "delete") {
				all = append(all, call)
			}
		}
	}
	return all
}

func pointsTo(v ssa.Value, t types.Type) bool {
	if made, ok := v.(*ssa.MakeInterface); ok {
		v = made.X
	}
	return isPointerTo(v.Type(), t)
}

func isPointerTo(pointer, t types.Type) bool {
	to, ok := pointer.Underlying().(*types.Pointer)
	return ok && types.Identical(to.Elem(), t)
}

// copiedInside reports whether the program copies structs or arrays that have one of a type in them:
// both would hand out the same chunk.
func (p *Program) copiedInside(named *types.Named) bool {
	p.copied(named) // fills copies
	for t := range p.copies {
		if hasInside(t, named) {
			return true
		}
	}
	return false
}

func hasInside(t types.Type, named *types.Named) bool {
	if types.Identical(t, named) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for field := range u.Fields() {
			if hasInside(field.Type(), named) {
				return true
			}
		}
	case *types.Array:
		return hasInside(u.Elem(), named)
	}
	return false
}

// sameReceiver returns a line from which the site runs many times with one receiver: in a loop or recursion of its
// methods, or a loop of their callers. Each operation has few receivers: none is made in a method of its own type, nor
// below another loop. ok is false if there is none.
func (p *Line) sameReceiver(fn *ssa.Function, named *types.Named) (again Evidence, ok bool) {
	if p.makesOwn(named) || len(p.site.Leaves) == 0 {
		return again, false
	}
	for i, l := range p.site.Leaves {
		stack := append([]prof.Frame{p.site.Frame}, l.Callers...)
		n := p.ownFrames(stack, named)
		if n == 0 {
			return again, false
		}
		e, many := p.repeats(stack[:n])
		if !many {
			e, many = p.forever(stack[:n])
		}
		rest := stack[n:]
		if !many && len(rest) > 0 {
			if e, many = p.loopCalls(stack[n-1], rest[0]); many {
				rest = rest[1:]
			}
		}
		if i == 0 {
			again, ok = e, many
		}
		if !ok || p.anyLoop(rest) {
			return again, false
		}
	}
	return again, ok
}

// makesOwn reports whether a method of a type makes another object of it.
func (p *Program) makesOwn(named *types.Named) bool {
	for _, fn := range p.fns {
		if recv, _ := receiverOf(outermost(fn)); recv == nil || !types.Identical(recv, named) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if made, ok := in.(*ssa.Alloc); ok && hasInside(elemOf(made), named) {
					return true
				}
			}
		}
	}
	return false
}

// ownFrames counts the frames of a stack, from its begin, that are methods of a type.
func (p *Line) ownFrames(stack []prof.Frame, named *types.Named) int {
	method := fmt.Sprintf("%s.(*%s).", prof.EscapePath(named.Obj().Pkg().Path()), named.Obj().Name())
	for i, f := range stack {
		constructor := f.Func == stack[0].Func && p.fns[p.fn.node] != nil && p.fns[p.fn.node].Signature.Recv() == nil // which is given it
		if !constructor && !strings.HasPrefix(f.Func, method) {
			return i
		}
	}
	return len(stack)
}

// forever is a loop without a condition around one of some frames, if there is one.
func (p *Line) forever(stack []prof.Frame) (Evidence, bool) {
	for _, f := range stack {
		if loops := p.loopsAt(f); len(loops) > 0 {
			return p.at(loops[0].Pos(), "a loop makes the objects"), true
		}
	}
	return Evidence{}, false
}

// loopsAt holds the loops around a line in its function, the outermost first.
func (p *Line) loopsAt(f prof.Frame) (all []ast.Node) {
	fn := p.function(f)
	if fn == nil {
		return nil
	}
	ast.Inspect(fn.node, func(n ast.Node) bool {
		if n == nil || p.line(n.Pos()) > f.Line || p.line(n.End()) < f.Line {
			return false
		}
		if body := loopBody(n); body != nil && p.line(body.Lbrace) <= f.Line && f.Line <= p.line(body.Rbrace) {
			all = append(all, n)
		}
		return true
	})
	return all
}

// anyLoop reports whether a stack has a loop, but for that of the benchmark, which runs operations.
func (p *Line) anyLoop(stack []prof.Frame) bool {
	for _, f := range stack {
		loops := len(p.loopsAt(f))
		if fn := p.function(f); fn != nil && benchmarks(fn) {
			loops--
		}
		if loops > 0 {
			return true
		}
	}
	return false
}

// loopCalls is a loop that calls a method at a line, each time with the same receiver. The loop of a
// benchmark is none.
func (p *Line) loopCalls(method, caller prof.Frame) (Evidence, bool) {
	callee, at := p.function(method), p.function(caller)
	if callee == nil || at == nil || p.fns[callee.node] == nil || benchmarks(at) {
		return Evidence{}, false
	}
	loops := p.loopsAt(caller)
	for _, c := range p.callsOf(p.fns[callee.node]) {
		if len(loops) == 1 && p.line(c.Pos()) == caller.Line && len(c.Common().Args) > 0 && repeats(c.Block()) && !madeIn(c.Common().Args[0], c.Block()) {
			return p.at(c.Pos(), "a loop calls "+nameOf(p.fns[callee.node])+" with the same receiver"), true
		}
	}
	return Evidence{}, false
}

// sketchChunk takes the object from a method of the receiver that makes chunks, and adds the method.
func (p *Line) sketchChunk(recv *types.Named, t types.Type) []Edit {
	decl, ok := p.fn.node.(*ast.FuncDecl)
	of, isNamed := types.Unalias(t).(*types.Named)
	if !ok || !isNamed || decl.Recv == nil || len(decl.Recv.List) != 1 || len(decl.Recv.List[0].Names) != 1 {
		return nil
	}
	name, typ := decl.Recv.List[0].Names[0].Name, p.short(t)
	title, field := titled(of.Obj().Name(), unicode.ToUpper), titled(of.Obj().Name(), unicode.ToLower)+"s"
	if has, _, _ := types.LookupFieldOrMethod(types.NewPointer(recv), true, recv.Obj().Pkg(), "new"+title); has != nil || name == "_" {
		return nil
	}
	edits := p.chunked(name+".new"+title, typ)
	if edits == nil {
		return nil
	}
	doc := fmt.Sprintf("new%s returns a pointer to a copy of v, a %s, in a chunk of up to 64: %s holds the latest chunk.", title, typ, field)
	text := fmt.Sprintf("func (%[4]s *%[5]s) new%[1]s(v %[2]s) *%[2]s {\n\tif len(%[4]s.%[3]s) == cap(%[4]s.%[3]s) {\n\t\t%[4]s.%[3]s = make([]%[2]s, 0, min(max(4, 2*cap(%[4]s.%[3]s)), 64))\n\t}\n\t%[4]s.%[3]s = append(%[4]s.%[3]s, v)\n\treturn &%[4]s.%[3]s[len(%[4]s.%[3]s)-1]\n}",
		title, typ, field, name, recv.Obj().Name())
	return append(edits, p.edit(decl.End(), decl.End(), "\n\n"+documented(doc, text)))
}

// chunked makes a literal or new on the line the call of a method.
func (p *Line) chunked(method, typ string) []Edit {
	for _, s := range p.spots() {
		if p.madeOf(s) == nil {
			continue
		}
		switch n := s.node.(type) {
		case *ast.UnaryExpr:
			return []Edit{p.edit(n.Pos(), n.X.Pos(), method+"("), p.edit(n.End(), n.End(), ")")}
		case *ast.CallExpr:
			return []Edit{p.edit(n.Pos(), n.End(), method+"("+typ+"{})")}
		}
	}
	return nil
}

// titled is a name with another first letter.
func titled(name string, change func(rune) rune) string {
	r, n := utf8.DecodeRuneInString(name)
	return string(change(r)) + name[n:]
}
