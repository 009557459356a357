package lever

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

var stringChunk = &Lever{
	Name:  "string-chunk",
	Title: "cut the short strings out of chunks that the receiver keeps",
	Looks: "string(b) of bytes, of which each operation of a benchmark makes 32 or more at the line, with 40 bytes or less on average, in a loop or recursion of a method whose receiver stays the same, and that leave the method. Only one goroutine has the receiver, and nothing copies it. Not where the profile has more than a tenth of the bytes live, nor where the string is only looked up, compared or the key of a map.",
	Wrong: "when one string of many is kept: it keeps its chunk. When strings repeat: look them up in a map of those that are there already, which allocates nothing. When receivers are many and each makes few: make the first chunk in proportion to the input.",
	Before: `func (d *decoder) value(b []byte) string {
	return string(b)
}`,
	After: `func (d *decoder) value(b []byte) string {
	if d.chunk.Cap()-d.chunk.Len() < len(b) { // chunk is a strings.Builder
		size := min(max(64, 2*d.chunk.Cap()), 1024) // small inputs take a small chunk
		d.chunk = strings.Builder{}
		d.chunk.Grow(max(size, len(b)))
	}
	start := d.chunk.Len()
	d.chunk.Write(b)
	return d.chunk.String()[start:]
}`,
	Model: "Some dozens of strings take one allocation. Their bytes are copied and collected as before; a builder never writes over what it has handed out.",
	Risk:  NoRisk,
	Saves: Saves{Alloc: Range{0.1, 0.5}, Collect: Range{0, 0.2}},
	find:  findStringChunk,
}

const (
	leastStrings  = 32 // of an operation
	longestShared = 40 // bytes of a string, on the average
	stringHeader  = 16 // bytes of what an interface with a string points to
)

func findStringChunk(p *Line) (f Finding) {
	if p.each() < leastStrings || float64(p.site.LiveBytes) > liveChunked*float64(p.site.Bytes) {
		return f
	}
	made, boxes := p.makesString()
	if made == nil {
		return f
	}
	count := p.each() / float64(1+boxes)
	size := p.objectSize()*float64(1+boxes) - float64(stringHeader*boxes)
	if count < leastStrings || size <= 0 || size > longestShared {
		return f
	}
	_, evidence := p.chunkOf(made)
	if evidence == nil || asKey(made) {
		return f
	}
	each := fmt.Sprintf("%s strings of %.2g bytes, on average, in each operation", few(count), size)
	share := p.direct() * size / (size + float64(stringHeader*boxes))
	return Finding{Share: share, Evidence: append([]Evidence{p.at(made.Pos(), each)}, evidence...)}
}

// makesString is the conversion of bytes to a string that is all the line allocates by itself, but for
// interfaces that are made of it; nil if there is none.
func (p *Line) makesString() (made *ssa.Convert, boxes int) {
	var boxed []*ssa.MakeInterface
	for _, in := range p.allocators() {
		switch in := in.(type) {
		case *ssa.Convert:
			from, ok := in.X.Type().Underlying().(*types.Slice)
			if made != nil || !ok || !isString(in.Type()) || !types.Identical(from.Elem().Underlying(), types.Typ[types.Byte]) {
				return nil, 0
			}
			made = in
		case *ssa.MakeInterface:
			boxed = append(boxed, in)
		default:
			return nil, 0
		}
	}
	for _, b := range boxed {
		if b.X != made {
			return nil, 0
		}
	}
	return made, len(boxed)
}

// asKey reports whether a string is looked up in a map, or compared, here: it may be one that is there
// already.
func asKey(made *ssa.Convert) bool {
	for _, r := range *made.Referrers() {
		switch r := r.(type) {
		case *ssa.Lookup, *ssa.BinOp:
			return true
		case *ssa.MapUpdate:
			if r.Key == made {
				return true
			}
		}
	}
	return false
}
