package lever

import (
	"fmt"
)

var poolEmpty = &Lever{
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

func findPoolEmpty(p *Line) (f Finding) {
	if p.each() < leastEmpty || p.direct() < 0.5 || !p.isNewOfPool() {
		return f
	}
	text := fmt.Sprintf("the pool is empty, and a new object of %s is made%s", bytesOf(p.objectSize()), p.inEach())
	return Finding{Share: p.direct(), Evidence: []Evidence{p.at(p.lineStart(), text)}}
}
