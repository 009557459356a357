package arenas

import (
	"sync"
	"testing"
)

// The ops of sync.Pool. What dies is put back object by object, which takes a
// walk of its own; that is how a sync.Pool of the objects themselves is used.
var (
	elementPool = sync.Pool{New: func() any { return &element{value: new(value)} }}
	treePool    = sync.Pool{New: func() any { return new(tree) }}
)

func syncPoolList(_ testing.TB, n int) func() uint64 {
	return func() uint64 {
		l := newList()
		for i := range uint64(n) {
			e := elementPool.Get().(*element)
			v := e.value.(*value)
			v.n, v.square = i, i*i
			l.append(e)
		}
		sum := l.sum()
		for e := l.root.next; e != &l.root; {
			next := e.next
			// An element that stays linked would keep its old neighbours alive.
			e.next, e.prev, e.list = nil, nil, nil
			elementPool.Put(e)
			e = next
		}
		return sum
	}
}

func syncPoolTree(_ testing.TB, depth int) func() uint64 {
	return func() uint64 {
		t := syncPoolBranch(depth)
		sum := t.sum()
		putTree(t)
		return sum
	}
}

func syncPoolBranch(depth int) *tree {
	t := treePool.Get().(*tree)
	if depth > 0 {
		t.left = syncPoolBranch(depth - 1)
		t.right = syncPoolBranch(depth - 1)
	}
	return t
}

func putTree(t *tree) {
	if t == nil {
		return
	}
	putTree(t.left)
	putTree(t.right)
	t.left, t.right = nil, nil
	treePool.Put(t)
}

// A request keeps all it needs from one use to the next.
type request struct {
	objects []object
	list    []*object
	text    []byte // all names
}

func syncPoolReq(_ testing.TB, n int) func() uint64 {
	names := makeNames(n)
	requests := keep(func() *request {
		return &request{make([]object, n), make([]*object, 0, n), make([]byte, 16*n)}
	})
	return func() uint64 {
		r := requests.get()
		list, text := r.list, r.text
		for i, name := range names {
			o := &r.objects[i]
			o.id, o.name = int64(i), str(text[:len(name)], name)
			list, text = append(list, o), text[len(name):]
		}
		sum := sumObjects(list)
		clear(list)
		requests.put(r)
		return sum
	}
}

func syncPoolClones(_ testing.TB, payload []byte, n int) func() uint64 {
	buffers := keep(func() *[]byte { b := make([]byte, len(payload)); return &b })
	held := make([]*[]byte, 0, n)
	copies := make([][]byte, 0, n)
	return func() uint64 {
		held, copies := held, copies
		for range n {
			b := buffers.get()
			held = append(held, b)
			copies = append(copies, copied(*b, payload))
		}
		sum := sumBytes(copies)
		clear(copies)
		for i, b := range held {
			buffers.put(b)
			held[i] = nil
		}
		return sum
	}
}
