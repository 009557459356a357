package second

import "sync"

type item struct{ data []byte }

var itemPool = sync.Pool{New: func() any { return new(item) }}

func newItem(data []byte) *item {
	it := itemPool.Get().(*item)
	it.data = data
	return it
}

type tray struct {
	items []*item
	index int
}

var trayPool = sync.Pool{New: func() any { return new(tray) }}

func newTray() *tray { return trayPool.Get().(*tray) }

// free puts the items, then the tray.
func (t *tray) free() {
	for _, it := range t.items {
		itemPool.Put(it)
	}
	t.items = t.items[:0]
	trayPool.Put(t)
}

// empty leaves the items to their owners.
func (t *tray) empty() {
	t.items = t.items[:0]
	trayPool.Put(t)
}

func badItemAfter(data []byte) int {
	t := newTray()
	it := newItem(data)
	t.items = append(t.items, it)
	t.free()
	return len(it.data) // want "it is used after"
}

func goodItemBefore(data []byte) int {
	t := newTray()
	it := newItem(data)
	t.items = append(t.items, it)
	n := len(it.data)
	t.free()
	return n
}

func goodItemLeft(data []byte) int {
	t := newTray()
	it := newItem(data)
	t.items = append(t.items, it)
	t.empty()
	n := len(it.data)
	itemPool.Put(it)
	return n
}

func goodItemRemoved(data []byte) int {
	t := newTray()
	it := newItem(data)
	t.items = append(t.items, it)
	t.items = t.items[:len(t.items)-1]
	t.free()
	return len(it.data)
}

func goodItemOfOther(data []byte) int {
	t, other := newTray(), newTray()
	it := newItem(data)
	t.items = append(t.items, it)
	other.free()
	n := len(it.data)
	t.free()
	return n
}

// drop keeps the tray, and the list.
func (t *tray) drop() {
	for _, it := range t.items {
		itemPool.Put(it)
	}
}

func badElementsAfter(t *tray) (n int) {
	t.drop()
	for _, it := range t.items {
		n += len(it.data) // want "each of t.items is used after"
	}
	return n
}

func goodElementsBefore(t *tray) (n int) {
	for _, it := range t.items {
		n += len(it.data)
	}
	t.drop()
	return n + len(t.items)
}
