package perhaps

import "sync"

type entries struct{ list []int }

var allEntries = sync.Pool{New: func() any { return new(entries) }}

func (e *entries) close() {
	e.list = e.list[:0]
	allEntries.Put(e)
}

// A cursor reads the entries that it was made for.
type cursor struct {
	from *entries
	at   int
}

func newCursor(e *entries) *cursor { return &cursor{from: e, at: -1} }

func (c *cursor) next() bool {
	c.at++
	return c.at < len(c.from.list)
}

func (c *cursor) value() int { return c.from.list[c.at] }

func (c *cursor) position() int { return c.at }

func badCursor() (sum int) {
	e := allEntries.Get().(*entries)
	c := newCursor(e)
	e.close()
	for c.next() { // want "e is used after it was put back"
		sum += c.value()
	}
	return sum
}

func goodCursor() (sum int) {
	e := allEntries.Get().(*entries)
	defer e.close()
	c := newCursor(e)
	for c.next() {
		sum += c.value()
	}
	return sum
}

// The position is the cursor's own.
func goodCursorPosition() int {
	e := allEntries.Get().(*entries)
	c := newCursor(e)
	c.next()
	e.close()
	return c.position()
}

// A window can be moved to other entries.
type window struct{ from *entries }

func newWindow(e *entries) *window { return &window{from: e} }

func (w *window) move(e *entries) { w.from = e }

func (w *window) size() int { return len(w.from.list) }

func goodMoved(other *entries) int {
	e := allEntries.Get().(*entries)
	w := newWindow(e)
	w.move(other)
	e.close()
	return w.size()
}

// A chain knows others, too.
type chain struct {
	first *entries
	other []*entries
}

func newChain(e *entries) *chain { return &chain{first: new(entries), other: []*entries{e}} }

func (c *chain) size() int { return len(c.first.list) }

func goodChain() int {
	e := allEntries.Get().(*entries)
	c := newChain(e)
	e.close()
	return c.size()
}

// Nothing is read where there is nothing.
type optional struct{ from *entries }

func newOptional(e *entries) *optional { return &optional{from: e} }

func (o *optional) size(yes bool) int {
	if !yes {
		return 0
	}
	return len(o.from.list)
}

func goodOptional() int {
	e := allEntries.Get().(*entries)
	o := newOptional(e)
	e.close()
	return o.size(false)
}
