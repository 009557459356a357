package second

import "sync"

type item struct{ data []byte }

var itemPool = sync.Pool{New: func() any { return new(item) }}

func (it *item) free() {
	if it == nil {
		return
	}
	it.data = it.data[:0]
	itemPool.Put(it)
}

// A tray holds items.
type tray struct {
	items []*item
	name  string
}

func (t *tray) drop() {
	for _, it := range t.items {
		it.free()
	}
}

// clear leaves none.
func (t *tray) clear() {
	for _, it := range t.items {
		it.free()
	}
	t.items = nil
}

// reuse keeps the list.
func (t *tray) reuse() {
	for _, it := range t.items {
		itemPool.Put(it)
	}
	t.items = t.items[:0]
}

// dropLong keeps the short ones.
func (t *tray) dropLong() {
	for _, it := range t.items {
		if len(it.data) > 64 {
			it.free()
		}
	}
}

// dropUntil ends early.
func (t *tray) dropUntil(last *item) {
	for _, it := range t.items {
		if it == last {
			break
		}
		it.free()
	}
}

func badDropTwice(t *tray) {
	t.drop()
	t.drop() // want "each of t.items is put back twice"
}

func badDropThenClear(t *tray) {
	for _, it := range t.items {
		it.free()
	}
	t.clear() // want "each of t.items is put back twice"
}

type store struct {
	current *tray
	count   int
}

func (s *store) badCurrent() {
	if t := s.current; t != nil {
		for _, it := range t.items {
			it.free()
		}
		t.clear() // want "each of s.current.items is put back twice"
		s.current = nil
	}
}

func (s *store) renew() { s.current = new(tray) }

func (s *store) goodRenewed() {
	t := s.current
	t.drop()
	s.renew()
	s.current.drop()
}

func badDeferredDrop(t *tray, f func() error) error {
	defer t.drop() // want "each of t.items is put back twice when the function ends"
	if err := f(); err != nil {
		t.drop()
		return err
	}
	return nil
}

func goodClearTwice(t *tray) {
	t.clear()
	t.clear()
}

func goodReuseTwice(t *tray) {
	t.reuse()
	t.reuse()
}

func goodDeferredClear(t *tray, f func() error) error {
	defer t.clear()
	if err := f(); err != nil {
		t.clear()
		return err
	}
	return nil
}

func goodSome(t *tray) {
	t.dropLong()
	t.dropUntil(nil)
	t.drop()
}

// The second time there are others.
func goodFilled(t *tray, more []*item) {
	t.drop()
	t.items = append(t.items[:0], more...)
	t.drop()
}

func goodSetNil(t *tray) {
	for i, it := range t.items {
		it.free()
		t.items[i] = nil
	}
	t.drop()
}

func goodFilledElements(t *tray) {
	t.drop()
	for i := range t.items {
		t.items[i] = itemPool.Get().(*item)
	}
	t.drop()
}

func goodEach(all []*tray) {
	for _, t := range all {
		t.drop()
	}
}

func goodFreshEach(n int) {
	for range n {
		t := new(tray)
		t.items = append(t.items, itemPool.Get().(*item))
		t.drop()
	}
}
