package lever

import (
	"fmt"

	"golang.org/x/tools/go/ssa"
)

var inlineArray = &Lever{
	Name:  "inline-array",
	Title: "make the array inside the object smaller, or make it when it is needed",
	way:   size,
	Looks: "a struct of the module, most of which is an array of a constant size inside, that an operation of a benchmark makes 16 times or more, or of 4 KiB or more that it makes at all.",
	Wrong: "when most objects use nearly all of the array: then it saves an object.",
	Before: `type Dict struct {
	first [8]entry // most have two or three
	...`,
	After: `type Dict struct {
	first [4]entry
	...
// or a slice that is nil until something is put in`,
	Model: "The bytes of the elements that are not used are not allocated, nor zeroed.",
	Risk:  NoRisk,
	Asks:  "How many of its elements does a typical object use? If few, make it that large, with a slice for what is beyond; if often none, make it with the first.",
	Saves: Saves{Alloc: Range{0.1, 0.5}, Collect: Range{0.3, 0.7}},
	find:  findInlineArray,
}

const (
	leastWithArray = 128  // bytes of an object, of which half or more are the array
	leastInside    = 4    // elements of the array
	leastInlined   = 16   // objects of an operation
	largeWithArray = 4096 // bytes of an object of which one in an operation is worth it
)

func findInlineArray(p *Line) (f Finding) {
	made, size, share := p.largestMade()
	if made == nil || size < leastWithArray || p.isNewOfPool() {
		return f
	}
	if named := namedOf(made.Type()); named == nil || !p.inSourceOf(named) {
		return f
	}
	if n := p.each(); n < leastInlined && (size < largeWithArray || n < leastEach) {
		return f
	}
	path, inner := p.largestArray(elemOf(made), 0)
	if inner != nil && inner.Len() == 1 { // a bucket of several
		var more string
		more, inner = p.largestArray(inner.Elem(), 0)
		path += "." + more
	}
	if inner == nil || inner.Len() < leastInside || 2*p.pkg.TypesSizes.Sizeof(inner) < size {
		return f
	}
	inside := p.pkg.TypesSizes.Sizeof(inner)
	text := fmt.Sprintf("a %s of %s, of which %s are the array of %d elements in field %s%s", short(elemOf(made)), bytesOf(float64(size)), bytesOf(float64(inside)), inner.Len(), path, p.inEach())
	return Finding{Share: share * float64(inside) / float64(size), Evidence: []Evidence{p.at(made.Pos(), text)}}
}

// largestMade is the largest of the objects and variables that the line makes, if it makes nothing else, with its size and its
// share of the bytes.
func (p *Line) largestMade() (made *ssa.Alloc, size int64, share float64) {
	sum := int64(0)
	for _, in := range p.allocators() {
		one, ok := in.(*ssa.Alloc)
		if !ok || p.pkg.TypesSizes == nil || hasTypeParameter(elemOf(one)) {
			return nil, 0, 0
		}
		n := p.pkg.TypesSizes.Sizeof(elemOf(one))
		sum += n
		if n > size {
			made, size = one, n
		}
	}
	return made, size, p.direct() * float64(size) / float64(max(sum, 1))
}
