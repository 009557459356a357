package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
)

var slab = &Lever{
	Name:  "slab",
	Title: "make the objects of the loop in one slice",
	Looks: "objects of one type of 256 bytes or less (literals, new, or variables whose address is kept), one in each iteration of a loop whose number of iterations is known before it runs, that the loop puts into a slice by their addresses. Of one benchmark, 16 or more in each operation. Not where the profile has more than a tenth of the bytes live, nor for types with a lock, a finalizer or a pool.",
	Wrong: "when one of the objects is kept after the others: it keeps all of them. When the loop mostly runs once or twice.",
	Before: `for i, u := range users {
	out[i] = &User{ID: u.ID, Name: u.Name}
}`,
	After: `all := make([]User, len(users))
for i, u := range users {
	all[i] = User{ID: u.ID, Name: u.Name}
	out[i] = &all[i]
}`,
	Model: "The loop allocates once. The bytes are zeroed and collected as before; a slab is one object to the collector.",
	Risk:  NoRisk,
	Saves: Saves{Alloc: Range{0.3, 0.8}, Collect: Range{0, 0.3}},
	find:  findSlab,
}

const (
	leastInSlab = 16  // objects of an operation
	mostInSlab  = 256 // bytes of an object
)

func findSlab(p *Line) (f Finding) {
	if p.each() < leastInSlab || float64(p.site.LiveBytes) > liveChunked*float64(p.site.Bytes) {
		return f
	}
	in, share := p.only()
	made, ok := in.(*ssa.Alloc)
	if !ok || share == 0 || !p.ownObject(made) || !p.fits(made, mostInSlab) || !repeats(made.Block()) {
		return f
	}
	stored := storedInSlice(made)
	stack := append([]prof.Frame{p.site.Frame}, p.callersOf()...)
	loops := p.loopsAt(p.site.Frame)
	if !stored.IsValid() || len(loops) != 1 || p.callsItself(stack) || p.anyLoop(stack[1:]) {
		return f
	}
	count := p.count(loops[0])
	if _, _, ok := p.iterations(loops[0]); !ok || count == "" || !p.eachIteration(loops[0]) || stored < loops[0].Pos() || stored > loops[0].End() {
		return f
	}
	each := fmt.Sprintf("%s objects of type %s, of %.0f bytes, in each operation", few(p.each()), short(elemOf(made)), p.objectSize())
	return Finding{Share: share, Evidence: []Evidence{p.at(made.Pos(), each),
		p.at(loops[0].Pos(), fmt.Sprintf("one in each of %s iterations", count)),
		p.at(stored, "the loop puts its address into a slice")}}
}

// callersOf are the calls above the line, of the stack with the most bytes.
func (p *Line) callersOf() []prof.Frame {
	if len(p.site.Leaves) == 0 {
		return nil
	}
	return p.site.Leaves[0].Callers
}

// callsItself reports whether the innermost function of a stack is in it twice.
func (p *Line) callsItself(stack []prof.Frame) bool {
	return slices.ContainsFunc(stack[1:], func(f prof.Frame) bool { return f.Func == stack[0].Func })
}

// eachIteration reports whether each iteration of a loop comes to the line.
func (p *Line) eachIteration(loop ast.Node) bool {
	return slices.ContainsFunc(p.spots(), func(s spot) bool {
		return s.node.Pos() > loop.Pos() && s.node.End() <= loop.End() && always(loop, s.node)
	})
}

// storedInSlice returns the position at which the address of an object becomes an element of a slice: an
// invalid position if it does not.
func storedInSlice(v ssa.Value) token.Pos {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.MakeInterface:
			if pos := storedInSlice(r); pos.IsValid() {
				return pos
			}
		case *ssa.Store:
			element, ok := r.Addr.(*ssa.IndexAddr)
			if !ok || r.Val != v {
				continue
			}
			if _, ok := element.X.Type().Underlying().(*types.Slice); ok {
				return element.Pos()
			}
			if pos := appendedBy(element.X); pos.IsValid() {
				return pos
			}
		}
	}
	return token.NoPos
}

// appendedBy returns the position at which append takes the elements of an array that is made for it.
func appendedBy(array ssa.Value) token.Pos {
	a, ok := array.(*ssa.Alloc)
	if !ok || a.Comment != "varargs" {
		return token.NoPos
	}
	for _, r := range *a.Referrers() {
		s, ok := r.(*ssa.Slice)
		if !ok {
			continue
		}
		for _, user := range *s.Referrers() {
			if callsBuiltin(user, "append") {
				return user.Pos()
			}
		}
	}
	return token.NoPos
}
