package lever

import (
	"fmt"

	"golang.org/x/tools/go/ssa"
)

var chunkedBuffer = &Lever{
	Name:  "chunked-buffer",
	Title: "keep what grows large in chunks, so that nothing is copied to grow",
	Looks: "append of bytes or numbers to a slice in a field that grows to 16 KiB or more, on average of what it allocates.",
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

func findChunkedBuffer(p *Line) (f Finding) {
	in, share := p.only()
	c, ok := in.(*ssa.Call)
	if !ok || share < 0.5 || p.objectSize() < leastInChunks || !callsBuiltin(c, "append") || holdsPointers(c.Type()) {
		return f
	}
	field := loadedField(c.Call.Args[0])
	if n := p.each(); field == nil || n > 0 && n < leastOften {
		return f
	}
	text := fmt.Sprintf("field %s grows here, to %s on average%s", fieldOf(field).Name(), bytesOf(p.objectSize()), p.inEach())
	return Finding{Share: share, Evidence: []Evidence{p.at(c.Pos(), text)}}
}
