package heaps

import (
	"container/heap"
)

// A task is what the heaps below hold.
type task struct {
	cost int
	name string
	deep *task
	all  []int
}

// tasks is a heap that can be changed, but for some calls of it.
type tasks []task

func (h tasks) Len() int           { return len(h) }
func (h tasks) Less(i, j int) bool { return h[i].cost < h[j].cost }
func (h tasks) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *tasks) Push(x any)        { *h = append(*h, x.(task)) }

func (h *tasks) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	*h = old[:n-1]
	return x
}

func next(h **tasks, n int) task {
	*h = new(tasks)
	return task{cost: n}
}

func calls(h *tasks, other heap.Interface, n int) (cost int) {
	heap.Push(h, task{cost: n})                 // rewritten
	defer heap.Push(h, task{cost: n})           // refused: it is run later
	heap.Push(other, task{cost: n + 1})         // refused: an interface may be any heap
	heap.Push(heap.Interface(h), task{})        // refused: it is an interface here
	heap.Push(h, &task{cost: n})                // refused: it is no element, and Push panics
	heap.Push(h /* of tasks */, task{name: ""}) // refused: a comment would go
	push := heap.Push
	push(h, task{cost: n + 2}) // refused: it is a value of a function
	h2 := h
	heap.Push(h2, next(&h2, n)) // refused: the call sets the heap
	cost = heap.Pop(h).(task).cost
	if x, ok := heap.Pop(h).(task); ok {
		cost += x.cost
	}
	var x any = heap.Pop(h)
	return cost + x.(task).cost
}

// started is never run.
func started(h *tasks) {
	go heap.Push(h, task{}) // refused: it is run later
}

type pointers []*task

func (h pointers) Len() int           { return len(h) }
func (h pointers) Less(i, j int) bool { return h[i].cost < h[j].cost }
func (h pointers) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *pointers) Push(x any)        { *h = append(*h, x.(*task)) }

func (h *pointers) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x // refused: a pointer needs no memory
}

// bytesHeap has elements for which the runtime has interfaces.
type bytesHeap []byte

func (h bytesHeap) Len() int           { return len(h) }
func (h bytesHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h bytesHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *bytesHeap) Push(x any)        { *h = append(*h, x.(byte)) }

func (h *bytesHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x // refused: a byte needs no memory
}

// anyHeap has elements that are interfaces.
type anyHeap []any

func (h anyHeap) Len() int           { return len(h) }
func (h anyHeap) Less(i, j int) bool { return h[i].(int) < h[j].(int) }
func (h anyHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *anyHeap) Push(x any)        { *h = append(*h, x) }

func (h *anyHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x // refused: it is an interface already
}

// single is a struct of one pointer, which is as that.
type single struct{ task *task }

type singles []single

func (h singles) Len() int           { return len(h) }
func (h singles) Less(i, j int) bool { return h[i].task == h[j].task }
func (h singles) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *singles) Push(x any)        { *h = append(*h, x.(single)) }

func (h *singles) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x // refused: it needs no memory
}

func others(t *task) {
	heap.Push(&pointers{}, t)          // refused: a pointer needs no memory
	heap.Push(&bytesHeap{}, byte(3))   // refused: a byte needs no memory
	heap.Push(&singles{}, single{t})   // refused: a struct of one pointer is as that
	heap.Push(&anyHeap{}, any(t.cost)) // refused: the elements are interfaces
	heap.Push(&tasks{}, task{})        // refused: there is no variable to take the address of
	heap.Pop(&pointers{t})
	heap.Pop(&bytesHeap{3})
	heap.Pop(&anyHeap{3})
	heap.Pop(&singles{{t}})
}
