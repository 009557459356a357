package lever

import (
	"fmt"
	"go/ast"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/site"
)

var poolPointer = &Lever{
	Name:    "pool-pointer",
	Title:   "keep a pointer to the slice in the pool",
	Subject: "pool a pointer to the slice",
	Looks:   "a slice that is given to Put of a sync.Pool: as an interface, its header is copied to the heap each time.",
	Wrong:   "when another function than the one that puts a slice back took it: the pointer has to be handed on with the slice.",
	Before: `var buffers = sync.Pool{New: func() any { return make([]byte, 0, 1024) }}

buf := buffers.Get().([]byte)
…
buffers.Put(buf)`,
	After: `var buffers = sync.Pool{New: func() any {
	b := make([]byte, 0, 1024)
	return &b
}}

pooled := buffers.Get().(*[]byte)
buf := *pooled
…
*pooled = buf
buffers.Put(pooled)`,
	Model: "The header that Put copies goes whole, but for the first time and after collections.",
	Saves: Saves{Alloc: Range{0.9, 1}, Collect: Range{0.9, 1}, Work: Range{0.8, 1}},
	Rewrite: "The pool is an unexported variable of the package, of type sync.Pool or a pointer to a literal of one. All that the package does with it is to call Get and Put, of slices of one type, in files that are neither generated nor for some builds only; no test, no file of another system and no directive has its name. " +
		"New, if there is one, is a function literal that ends in its only return. Each function that puts slices back takes one: it asserts the type of what Get returned, which without New it has compared with nil, and sets a local variable to it, or to a slice of it that append may have added to. " +
		"The pointer belongs to one call of the function. Each way leads to one Put at most for each Get, also a deferred one, in no loop that the Get is not in; none is in a goroutine or in a function literal other than one that is deferred. There is no goto. " +
		"What is put back is stored right before the Put, or the defer, that is to say the slice that was put back before, also one with other memory. Where Put may come without a Get, it makes a pointer, as it did for each slice; that slice is not nil, and New makes none that is, as nil is an interface without memory. " +
		"What uses the slice after Put still does. The memory that a slice outgrows stays until the Put.",
	find: findPoolPointer,
}

func findPoolPointer(p *Line) (f Finding) {
	if f.Share = p.boxedShare(putsSlice); f.Share == 0 {
		return Finding{}
	}
	f.Calls = conversions
	for _, s := range p.spots() {
		call, ok := s.node.(*ast.CallExpr)
		if !ok || !p.isPool(call, "Put") || !isSlice(p.typeOf(call.Args[0])) {
			continue
		}
		f.Evidence = append(f.Evidence, p.at(call.Pos(), fmt.Sprintf("Put copies the header of a %s, %d bytes, to the heap each time; a pointer to the slice goes into the pool as it is",
			short(p.typeOf(call.Args[0])), p.pkg.TypesSizes.Sizeof(p.typeOf(call.Args[0])))))
		if x := p.slicesIn(call); x != nil && f.Edits == nil {
			f.Edits, f.Also = x.edits, x.also()
			if f.What = "pool pointers to the slices of " + x.pool.Name(); len(f.What) > mostWhat {
				f.What = ""
			}
		}
	}
	return f
}

// isPool reports whether a call is one of a method of sync.Pool.
func (u *unit) isPool(call *ast.CallExpr, method string) bool {
	fn := u.callee(call)
	return fn != nil && fn.FullName() == "(*sync.Pool)."+method
}

// putsSlice reports whether a value is made an interface for Put of a sync.Pool, and is a slice.
func putsSlice(made *ssa.MakeInterface) bool {
	if !isSlice(made.X.Type()) {
		return false
	}
	for _, user := range *made.Referrers() {
		if call, ok := user.(ssa.CallInstruction); ok {
			fn := call.Common().StaticCallee()
			return fn != nil && fullName(fn) == "(*sync.Pool).Put"
		}
	}
	return false
}

// also are the other lines that put slices into the pool.
func (x *pointerPool) also() (all []Also) {
	for _, put := range x.puts {
		if line := x.p.frameOf(put.call.Pos()); line.File != x.p.site.File || line.Line != x.p.site.Line {
			all = append(all, Also{line, func(s *site.Site) Range {
				share := 0.0
				if l := x.p.lineOf(s); l != nil {
					share = l.boxedShare(putsSlice)
				}
				return Range{share, share}
			}})
		}
	}
	return all
}
