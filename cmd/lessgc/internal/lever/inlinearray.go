package lever

import (
	"fmt"

	"golang.org/x/tools/go/ssa"
)

var inlineArray = &Rule{
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

func findInlineArray(p *Place) (f Finding) {
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
func (p *Place) largestMade() (made *ssa.Alloc, size int64, share float64) {
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

var chunkedBuffer = &Rule{
	Name:  "chunked-buffer",
	Title: "keep what grows large in chunks, so that nothing is copied to grow",
	Looks: "append of bytes or numbers to a slice in a field that grows to 16 KiB or more, on the average of what it allocates.",
	Wrong: "when others need it as one slice: the pieces have to be put together then.",
	Before: `func (f *memFile) Write(p []byte) (int, error) {
	f.data = append(f.data, p...)
	return len(p), nil
}`,
	After: `func (f *memFile) Write(p []byte) (n int, err error) {
	for len(p) > 0 {
		last := len(f.chunks) - 1
		if last < 0 || len(f.chunks[last]) == cap(f.chunks[last]) {
			f.chunks = append(f.chunks, make([]byte, 0, 32<<10))
			last++
		}
		k := min(len(p), cap(f.chunks[last])-len(f.chunks[last]))
		f.chunks[last] = append(f.chunks[last], p[:k]...)
		p, n = p[k:], n+k
	}
	return n, nil
}`,
	Model: "A large slice grows by a quarter at a time: it is allocated, zeroed and copied about five times over. A chunk is allocated once.",
	Risk:  NoRisk,
	Asks:  "Is it read in order or by offset, so that pieces of 32 KiB or so do?",
	Saves: Saves{Alloc: Range{0.3, 0.8}, Collect: Range{0.4, 0.8}},
	find:  findChunkedBuffer,
}

const leastInChunks = 16 << 10 // bytes, on the average

func findChunkedBuffer(p *Place) (f Finding) {
	in, share := p.only()
	c, ok := in.(*ssa.Call)
	if !ok || share < 0.5 || p.objectSize() < leastInChunks || !callsBuiltin(c, "append") || holdsPointers(c.Type()) {
		return f
	}
	field := loadedField(c.Call.Args[0])
	if n := p.each(); field == nil || n > 0 && n < leastOften {
		return f
	}
	text := fmt.Sprintf("field %s grows here, to %s on the average%s", fieldOf(field).Name(), bytesOf(p.objectSize()), p.inEach())
	return Finding{Share: share, Evidence: []Evidence{p.at(c.Pos(), text)}}
}

var poolEmpty = &Rule{
	Name:  "pool-empty",
	Title: "put back what is taken from the pool, on all paths",
	way:   reuse,
	Looks: "the function New of a sync.Pool that operations call as often as once in two, or more: the pool is empty when they Get.",
	Wrong: "when all are put back, and it is collections that empty the pool, or more are taken at a time than the pool has.",
	Before: `b := blocks.Get().(*block)
...
for _, b := range w.free { // and the current one is lost
	blocks.Put(b)
}`,
	After: `for _, b := range w.free {
	blocks.Put(b)
}
blocks.Put(w.current)
w.current = nil`,
	Model: "Pooled memory is not allocated but for the first time and after collections.",
	Risk:  Lifetime,
	Asks:  "Who takes one and does not put it back, as on an error, at the end of an owner, or for the last one?",
	Saves: Saves{Alloc: Range{0.3, 0.95}, Collect: Range{0.3, 0.95}},
	find:  findPoolEmpty,
}

const leastEmpty = 0.5 // of an operation

func findPoolEmpty(p *Place) (f Finding) {
	if p.each() < leastEmpty || p.direct() < 0.5 || !p.isNewOfPool() {
		return f
	}
	text := fmt.Sprintf("the pool is empty, and a new object of %s is made%s", bytesOf(p.objectSize()), p.inEach())
	return Finding{Share: p.direct(), Evidence: []Evidence{p.at(p.lineStart(), text)}}
}
