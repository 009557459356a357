package heaps

import (
	"cmp"
	"container/heap"
	"sort"
	"strings"
	"time"
)

type numbers []int

func (h numbers) Len() int           { return len(h) }
func (h numbers) Less(i, j int) bool { return h[i] < h[j] }
func (h numbers) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

func (h *numbers) Push(x any) {
	// Push and Pop use pointer receivers because they modify the slice's length, not just its contents.
	*h = append(*h, x.(int))
}

func (h *numbers) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	*h = old[0 : n-1]
	return x // rewritten
}

func sorted(all []int) (out []int) {
	h := &numbers{}
	for _, n := range all {
		heap.Push(h, n) // rewritten
	}
	heap.Push(h, 5)
	heap.Push(h, 1<<9)
	heap.Push(h, len(all)+int(all[0]))
	for h.Len() > 2 {
		out = append(out, heap.Pop(h).(int))
	}
	heap.Pop(h)
	_ = heap.Pop(h)
	return out
}

func conditions(all []int) (out []int) {
	var h numbers
	for _, n := range all {
		heap.Push(&h, n) // rewritten
		if len(h) > 3 && heap.Pop(&h).(int) > 4 {
			heap.Push(&h, heap.Pop(&h).(int)+1)
		}
	}
	for len(h) > 0 {
		switch x := heap.Pop(&h).(int); {
		case x > 2:
			out = append(out, x)
		}
	}
	return out
}

// An item is in a queue.
type item struct {
	name     string
	priority int
	at       *time.Time
	index    int
}

type queue struct {
	items []item
	last  bool
}

func (q *queue) Len() int { return len(q.items) }

func (q *queue) Less(i, j int) bool {
	a, b := q.items[i], q.items[j]
	if a.priority != b.priority {
		return (a.priority < b.priority) != q.last
	}
	return strings.Compare(a.name, b.name) < 0
}

func (q *queue) Swap(i, j int) {
	q.items[i], q.items[j] = q.items[j], q.items[i]
	q.items[i].index, q.items[j].index = i, j
}

func (q *queue) Push(x any) {
	it := x.(item)
	it.index = len(q.items)
	q.items = append(q.items, it)
} // as package heap wants it

func (q *queue) Pop() any {
	last := len(q.items) - 1
	it := q.items[last]

	q.items[last] = item{} // for the collector
	q.items = q.items[:last]
	it.index = -1
	return it // rewritten
} // as package heap wants it

type service struct {
	queue queue
	by    *queue
}

func (s *service) run(names []string) (out []string) {
	s.by = &queue{last: true}
	for i, name := range names {
		heap.Push(&s.queue, item{name: name, priority: i % 3}) // rewritten
		heap.Push(s.by, item{name: name, priority: len(name)}) // rewritten
	}
	// rewritten
	heap.Push(&s.queue,
		item{
			name:     "z", // the last one
			priority: 9,
		},
	)
	heap.Push(&s.queue, made("y")) // rewritten
	for s.queue.Len() > 0 {
		next := heap.Pop(&s.queue).(item)
		out = append(out, next.name)
	}
	for s.by.Len() > 0 {
		out = append(out, (heap.Pop(s.by)).(item).name)
	}
	return out
}

func made(name string) item { return item{name: name, priority: len(name)} }

// embedding has its methods from package sort, but for two.
type embedding struct{ sort.IntSlice }

func (h embedding) Less(i, j int) bool { return h.IntSlice[i] > h.IntSlice[j] }
func (h *embedding) Push(v any)        { h.IntSlice = append(h.IntSlice, v.(int)) }

func (h *embedding) Pop() interface{} {
	a := h.IntSlice
	v := a[len(a)-1]
	h.IntSlice = a[:len(a)-1]
	return v // rewritten
}

type promoted struct{ sort.StringSlice }

func (h *promoted) Push(v any) { h.StringSlice = append(h.StringSlice, v.(string)) }

func (h *promoted) Pop() any {
	n := len(h.StringSlice) - 1
	v := h.StringSlice[n]
	h.StringSlice[n] = ""
	h.StringSlice = h.StringSlice[:n]
	return v // rewritten
}

func largest(all []int) (out []int, text string) {
	h, s := &embedding{}, promoted{}
	for _, n := range all {
		heap.Push(h, n)                    // rewritten
		heap.Push(&s, string(rune('a'+n))) // rewritten
	}
	for h.Len() > 0 {
		out = append(out, heap.Pop(h).(int))
	}
	for s.Len() > 0 {
		text += heap.Pop(&s).(string)
	}
	return out, text
}

type ordered[T cmp.Ordered] []T

func (h ordered[T]) Len() int           { return len(h) }
func (h ordered[T]) Less(i, j int) bool { return cmp.Less(h[i], h[j]) }
func (h ordered[T]) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *ordered[T]) Push(x any)        { *h = append(*h, x.(T)) }

func (h *ordered[T]) Pop() any {
	var zero T
	n := len(*h) - 1
	x := (*h)[n]
	(*h)[n] = zero
	*h = (*h)[:n]
	return x // rewritten
}

func ordering[T cmp.Ordered](all []T) (out []T) {
	h := new(ordered[T])
	for _, x := range all {
		heap.Push(h, x) // rewritten
	}
	for h.Len() > 0 {
		out = append(out, heap.Pop(h).(T))
	}
	return out
}

func orderedTexts(all []string) (out []string) {
	var h ordered[string]
	for _, x := range all {
		heap.Push(&h, x) // rewritten
	}
	for len(h) > 0 {
		out = append(out, heap.Pop(&h).(string))
	}
	return out
}

// An entry has a cost, and more.
type entry[K comparable] struct {
	key  K
	cost float64
	at   [2]int
}

func (e entry[K]) before(o entry[K]) bool {
	if e.cost/2 == o.cost/2 {
		return e.at[1] < o.at[1]
	}
	return e.cost < o.cost
}

type costs[K comparable] struct {
	entries []entry[K]
	places  map[int]int
}

func (h costs[K]) Len() int           { return len(h.entries) }
func (h costs[K]) Less(i, j int) bool { return h.entries[i].before(h.entries[j]) }

func (h costs[K]) Swap(i, j int) {
	h.entries[i], h.entries[j] = h.entries[j], h.entries[i]
	h.places[h.entries[i].at[1]] = i
	h.places[h.entries[j].at[1]] = j
}

func (h *costs[K]) Push(x any) {
	h.places[x.(entry[K]).at[1]] = len(h.entries)
	h.entries = append(h.entries, x.(entry[K]))
}

func (h *costs[K]) Pop() any {
	old := h.entries
	x := old[len(old)-1]
	h.entries = old[:len(old)-1]
	return x // rewritten
}

func cheapest(names []string) (out []string, places map[int]int) {
	h := &costs[string]{places: map[int]int{}}
	for i, name := range names {
		heap.Push(h, entry[string]{name, float64(i % 2), [2]int{0, i}}) // rewritten
	}
	for h.Len() > 0 {
		e := heap.Pop(h).(entry[string])
		out = append(out, e.key)
	}
	return out, h.places
}

// An event is due at a time.
type event struct {
	due  time.Time
	name []byte
}

func sooner(a, b event) bool {
	return a.due.Before(b.due) || a.due.Equal(b.due) && len(a.name) < len(b.name)
}

// Events have other methods by the names push and popItem.
type Events []event

func (e Events) Len() int             { return len(e) }
func (e Events) Less(i, j int) bool   { return sooner(e[i], e[j]) }
func (e Events) Swap(i, j int)        { e[i], e[j] = e[j], e[i] }
func (e *Events) Push(x interface{})  { *e = append(*e, x.(event)) }
func (e *Events) push(more ...event)  { *e = append(*e, more...) }
func (e Events) first() (found event) { return e[0] }

func (e *Events) Pop() interface{} {
	old := *e
	i := len(old) - 1
	got := old[i]
	old[i].name = nil
	*e = old[:i]
	return got // rewritten
}

func inTime(at time.Time, names []string) (out []string) {
	e := Events{}
	e.push(event{at, nil})
	for i, name := range names {
		due := at.Add(time.Duration(i%3) * time.Second)
		text := []byte(name)
		heap.Push(&e, event{due, text}) // rewritten
	}
	for len(e) > 0 && e.first().due.After(time.Time{}) {
		out = append(out, string(heap.Pop(&e).(event).name))
	}
	return out
}
