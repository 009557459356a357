package heaps

import (
	"container/heap"
	"fmt"
)

// counting: Less counts.
type counting []task

func (h counting) Len() int { return len(h) }

func (h counting) Less(i, j int) bool {
	compared++
	return h[i].cost < h[j].cost
}

func (h counting) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *counting) Push(x any) { *h = append(*h, x.(task)) }

func (h *counting) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	*h = old[:n-1]
	return x // refused: Less counts
}

// lengthy: Less looks at the length.
type lengthy []task

func (h lengthy) Len() int { return len(h) }

func (h lengthy) Less(i, j int) bool { return h[i].cost < h[j].cost && len(h) > 0 }

func (h lengthy) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *lengthy) Push(x any) { *h = append(*h, x.(task)) }

func (h *lengthy) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	*h = old[:n-1]
	return x // refused: Less looks at the length
}

// lengthyBelow: a function that Less calls looks at the length.
type lengthyBelow []task

func (h lengthyBelow) Len() int { return len(h) }

func (h lengthyBelow) Less(i, j int) bool { return longer(h, 1) && h[i].cost < h[j].cost }

func (h lengthyBelow) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *lengthyBelow) Push(x any) { *h = append(*h, x.(task)) }

func (h *lengthyBelow) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	*h = old[:n-1]
	return x // refused: a function that Less calls looks at the length
}

// beyond: Less looks at another element.
type beyond []task

func (h beyond) Len() int { return len(h) }

func (h beyond) Less(i, j int) bool { return h[i].cost-h[0].cost < h[j].cost-h[0].cost }

func (h beyond) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *beyond) Push(x any) { *h = append(*h, x.(task)) }

func (h *beyond) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	*h = old[:n-1]
	return x // refused: Less looks at another element
}

// following: Less looks at the element behind it.
type following []task

func (h following) Len() int { return len(h) }

func (h following) Less(i, j int) bool {
	i, j = i+0, j+0
	return h[i].cost < h[j].cost
}

func (h following) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *following) Push(x any) { *h = append(*h, x.(task)) }

func (h *following) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	*h = old[:n-1]
	return x // refused: Less looks at the element behind it
}

// deepTasks: a nil pointer panics, and leaves another heap then.
type deepTasks []task

func (h deepTasks) Len() int { return len(h) }

func (h deepTasks) Less(i, j int) bool { return h[i].deep.cost < h[j].deep.cost }

func (h deepTasks) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *deepTasks) Push(x any) { *h = append(*h, x.(task)) }

func (h *deepTasks) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	*h = old[:n-1]
	return x // refused: a nil pointer panics, and leaves another heap then
}

// dividing: a division may panic.
type dividing []task

func (h dividing) Len() int { return len(h) }

func (h dividing) Less(i, j int) bool { return 100/h[i].cost < 100/h[j].cost }

func (h dividing) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *dividing) Push(x any) { *h = append(*h, x.(task)) }

func (h *dividing) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	*h = old[:n-1]
	return x // refused: a division may panic
}

// elements: an index may be out of range.
type elements []task

func (h elements) Len() int { return len(h) }

func (h elements) Less(i, j int) bool { return h[i].all[0] < h[j].all[0] }

func (h elements) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *elements) Push(x any) { *h = append(*h, x.(task)) }

func (h *elements) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	*h = old[:n-1]
	return x // refused: an index may be out of range
}

// printing: Less writes.
type printing []task

func (h printing) Len() int { return len(h) }

func (h printing) Less(i, j int) bool { return fmt.Sprint(h[i].cost) < fmt.Sprint(h[j].cost) }

func (h printing) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *printing) Push(x any) { *h = append(*h, x.(task)) }

func (h *printing) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	*h = old[:n-1]
	return x // refused: Less writes
}

// unknown: nobody knows what a function value does.
type unknown struct {
	items  []task
	extra  int
	places map[string]int
	other  []task
	less   func(a, b task) bool
}

func (h *unknown) Len() int { return len(h.items) }

func (h *unknown) Less(i, j int) bool { return h.less(h.items[i], h.items[j]) }

func (h *unknown) Swap(i, j int) { h.items[i], h.items[j] = h.items[j], h.items[i] }

func (h *unknown) Push(x any) { h.items = append(h.items, x.(task)) }

func (h *unknown) Pop() any {
	n := len(h.items) - 1
	x := h.items[n]
	h.items = h.items[:n]
	return x // refused: nobody knows what a function value does
}

// elsewhereLess: Less looks at another slice.
type elsewhereLess struct {
	items  []task
	extra  int
	places map[string]int
	other  []task
	less   func(a, b task) bool
}

func (h *elsewhereLess) Len() int { return len(h.items) }

func (h *elsewhereLess) Less(i, j int) bool { return h.other[i].cost < h.items[j].cost }

func (h *elsewhereLess) Swap(i, j int) { h.items[i], h.items[j] = h.items[j], h.items[i] }

func (h *elsewhereLess) Push(x any) { h.items = append(h.items, x.(task)) }

func (h *elsewhereLess) Pop() any {
	n := len(h.items) - 1
	x := h.items[n]
	h.items = h.items[:n]
	return x // refused: Less looks at another slice
}

// swapCounting: Swap counts.
type swapCounting struct {
	items  []task
	extra  int
	places map[string]int
	other  []task
	less   func(a, b task) bool
}

func (h *swapCounting) Len() int { return len(h.items) }

func (h *swapCounting) Less(i, j int) bool { return h.items[i].cost < h.items[j].cost }

func (h *swapCounting) Swap(i, j int) {
	h.items[i], h.items[j] = h.items[j], h.items[i]
	h.extra++
}

func (h *swapCounting) Push(x any) { h.items = append(h.items, x.(task)) }

func (h *swapCounting) Pop() any {
	n := len(h.items) - 1
	x := h.items[n]
	h.items = h.items[:n]
	return x // refused: Swap counts
}

// swapFar: Swap sets what a pointer leads to.
type swapFar []task

func (h swapFar) Len() int { return len(h) }

func (h swapFar) Less(i, j int) bool { return h[i].cost < h[j].cost }

func (h swapFar) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	if h[i].deep != nil {
		h[i].deep.cost = i
	}
}

func (h *swapFar) Push(x any) { *h = append(*h, x.(task)) }

func (h *swapFar) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	*h = old[:n-1]
	return x // refused: Swap sets what a pointer leads to
}

// swapMap: a nil map may panic in a later call.
type swapMap struct {
	items  []task
	extra  int
	places map[string]int
	other  []task
	less   func(a, b task) bool
}

func (h *swapMap) Len() int { return len(h.items) }

func (h *swapMap) Less(i, j int) bool { return h.items[i].cost < h.items[j].cost }

func (h *swapMap) Swap(i, j int) {
	h.items[i], h.items[j] = h.items[j], h.items[i]
	if h.items[i].cost > 3 {
		h.places[h.items[i].name] = i
	}
}

func (h *swapMap) Push(x any) { h.items = append(h.items, x.(task)) }

func (h *swapMap) Pop() any {
	n := len(h.items) - 1
	x := h.items[n]
	h.items = h.items[:n]
	return x // refused: a nil map may panic in a later call
}

// swapLast: Swap looks at the last element.
type swapLast struct {
	items  []task
	extra  int
	places map[string]int
	other  []task
	less   func(a, b task) bool
}

func (h *swapLast) Len() int { return len(h.items) }

func (h *swapLast) Less(i, j int) bool { return h.items[i].cost < h.items[j].cost }

func (h *swapLast) Swap(i, j int) {
	h.items[i], h.items[j] = h.items[j], h.items[i]
	h.items[len(h.items)-1].all = nil
}

func (h *swapLast) Push(x any) { h.items = append(h.items, x.(task)) }

func (h *swapLast) Pop() any {
	n := len(h.items) - 1
	x := h.items[n]
	h.items = h.items[:n]
	return x // refused: Swap looks at the last element
}

// lenShort: Len is not the length of the slice.
type lenShort []task

func (h lenShort) Len() int { return min(len(h), 100) }

func (h lenShort) Less(i, j int) bool { return h[i].cost < h[j].cost }

func (h lenShort) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *lenShort) Push(x any) { *h = append(*h, x.(task)) }

func (h *lenShort) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	*h = old[:n-1]
	return x // refused: Len is not the length of the slice
}

// lenCounts: Len counts.
type lenCounts []task

func (h lenCounts) Len() int {
	compared++
	return len(h)
}

func (h lenCounts) Less(i, j int) bool { return h[i].cost < h[j].cost }

func (h lenCounts) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *lenCounts) Push(x any) { *h = append(*h, x.(task)) }

func (h *lenCounts) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	*h = old[:n-1]
	return x // refused: Len counts
}

// lenOther: Len is the length of another slice.
type lenOther struct {
	items  []task
	extra  int
	places map[string]int
	other  []task
	less   func(a, b task) bool
}

func (h *lenOther) Len() int { return len(h.other) + len(h.items) }

func (h *lenOther) Less(i, j int) bool { return h.items[i].cost < h.items[j].cost }

func (h *lenOther) Swap(i, j int) { h.items[i], h.items[j] = h.items[j], h.items[i] }

func (h *lenOther) Push(x any) { h.items = append(h.items, x.(task)) }

func (h *lenOther) Pop() any {
	n := len(h.items) - 1
	x := h.items[n]
	h.items = h.items[:n]
	return x // refused: Len is the length of another slice
}

// popFirst: Pop takes another element.
type popFirst []task

func (h popFirst) Len() int { return len(h) }

func (h popFirst) Less(i, j int) bool { return h[i].cost < h[j].cost }

func (h popFirst) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *popFirst) Push(x any) { *h = append(*h, x.(task)) }

func (h *popFirst) Pop() any {
	old := *h
	x := old[0]
	*h = old[:len(old)-1]
	return x // refused: Pop takes another element
}

// popForgets: Pop deletes from a map, which Swap sets.
type popForgets struct {
	items  []task
	extra  int
	places map[string]int
	other  []task
	less   func(a, b task) bool
}

func (h *popForgets) Len() int { return len(h.items) }

func (h *popForgets) Less(i, j int) bool { return h.items[i].cost < h.items[j].cost }

func (h *popForgets) Swap(i, j int) {
	h.items[i], h.items[j] = h.items[j], h.items[i]
	h.places[h.items[i].name] = i
	h.places[h.items[j].name] = j
}

func (h *popForgets) Push(x any) { h.items = append(h.items, x.(task)) }

func (h *popForgets) Pop() any {
	n := len(h.items) - 1
	x := h.items[n]
	h.items = h.items[:n]
	delete(h.places, x.name)
	return x // refused: Pop deletes from a map, which Swap sets
}

// popCounts: Pop counts, in a field that Less reads.
type popCounts struct {
	items  []task
	extra  int
	places map[string]int
	other  []task
	less   func(a, b task) bool
}

func (h *popCounts) Len() int { return len(h.items) }

func (h *popCounts) Less(i, j int) bool { return (h.items[i].cost < h.items[j].cost) != (h.extra > 3) }

func (h *popCounts) Swap(i, j int) { h.items[i], h.items[j] = h.items[j], h.items[i] }

func (h *popCounts) Push(x any) { h.items = append(h.items, x.(task)) }

func (h *popCounts) Pop() any {
	n := len(h.items) - 1
	x := h.items[n]
	h.items = h.items[:n]
	h.extra++
	return x // refused: Pop counts, in a field that Less reads
}

// popShrinks: Pop copies the slice.
type popShrinks []task

func (h popShrinks) Len() int { return len(h) }

func (h popShrinks) Less(i, j int) bool { return h[i].cost < h[j].cost }

func (h popShrinks) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *popShrinks) Push(x any) { *h = append(*h, x.(task)) }

func (h *popShrinks) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	*h = append(popShrinks(nil), old[:n-1]...)
	return x // refused: Pop copies the slice
}

// popTwo: Pop takes two.
type popTwo []task

func (h popTwo) Len() int { return len(h) }

func (h popTwo) Less(i, j int) bool { return h[i].cost < h[j].cost }

func (h popTwo) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *popTwo) Push(x any) { *h = append(*h, x.(task)) }

func (h *popTwo) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	*h = old[:n-1]
	*h = (*h)[:max(0, len(*h)-1)]
	return x // refused: Pop takes two
}

// popGuards: Pop returns nil where nothing is left.
type popGuards []task

func (h popGuards) Len() int { return len(h) }

func (h popGuards) Less(i, j int) bool { return h[i].cost < h[j].cost }

func (h popGuards) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *popGuards) Push(x any) { *h = append(*h, x.(task)) }

func (h *popGuards) Pop() any {
	old := *h
	n := len(old)
	if n == 0 {
		return nil
	}
	x := old[n-1]
	*h = old[:n-1]
	return x // refused: Pop returns nil where nothing is left
}

// popDefers: a deferred function sees another heap.
type popDefers []task

func (h popDefers) Len() int { return len(h) }

func (h popDefers) Less(i, j int) bool { return h[i].cost < h[j].cost }

func (h popDefers) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *popDefers) Push(x any) { *h = append(*h, x.(task)) }

func (h *popDefers) Pop() any {
	defer func() { compared += len(*h) }()
	old := *h
	n := len(old)
	x := old[n-1]
	*h = old[:n-1]
	return x // refused: a deferred function sees another heap
}

// popLate: the element is read when the slice is cut.
type popLate []task

func (h popLate) Len() int { return len(h) }

func (h popLate) Less(i, j int) bool { return h[i].cost < h[j].cost }

func (h popLate) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *popLate) Push(x any) { *h = append(*h, x.(task)) }

func (h *popLate) Pop() any {
	old := *h
	n := len(old)
	*h = old[:n-1]
	return old[n-1] // refused: the element is read when the slice is cut
}

// popBoxed: the variable is an interface.
type popBoxed []task

func (h popBoxed) Len() int { return len(h) }

func (h popBoxed) Less(i, j int) bool { return h[i].cost < h[j].cost }

func (h popBoxed) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *popBoxed) Push(x any) { *h = append(*h, x.(task)) }

func (h *popBoxed) Pop() any {
	old := *h
	n := len(old)
	var x any = old[n-1]
	*h = old[:n-1]
	return x // refused: the variable is an interface
}

// popClears: Pop sets what the element leads to.
type popClears []task

func (h popClears) Len() int { return len(h) }

func (h popClears) Less(i, j int) bool { return h[i].cost < h[j].cost }

func (h popClears) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *popClears) Push(x any) { *h = append(*h, x.(task)) }

func (h *popClears) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	x.all[0] = 0
	*h = old[:n-1]
	return x // refused: Pop sets what the element leads to
}

// pushReturns: Push may return before heap.Fix.
type pushReturns []task

func (h pushReturns) Len() int { return len(h) }

func (h pushReturns) Less(i, j int) bool { return h[i].cost < h[j].cost }

func (h pushReturns) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *pushReturns) Push(x any) {
	if x.(task).cost < 0 {
		return
	}
	*h = append(*h, x.(task))
}

func (h *pushReturns) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	*h = old[:n-1]
	return x
}

// pushDefers: a deferred function would run later.
type pushDefers []task

func (h pushDefers) Len() int { return len(h) }

func (h pushDefers) Less(i, j int) bool { return h[i].cost < h[j].cost }

func (h pushDefers) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *pushDefers) Push(x any) {
	defer func() { compared++ }()
	*h = append(*h, x.(task))
}

func (h *pushDefers) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	*h = old[:n-1]
	return x
}

// pushCalls: Push calls, and who knows how long that is.
type pushCalls []task

func (h pushCalls) Len() int { return len(h) }

func (h pushCalls) Less(i, j int) bool { return h[i].cost < h[j].cost }

func (h pushCalls) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *pushCalls) Push(x any) {
	log("push")
	*h = append(*h, x.(task))
}

func (h *pushCalls) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	*h = old[:n-1]
	return x
}

// pushConverts: Push takes another type, too.
type pushConverts []task

func (h pushConverts) Len() int { return len(h) }

func (h pushConverts) Less(i, j int) bool { return h[i].cost < h[j].cost }

func (h pushConverts) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *pushConverts) Push(x any) {
	t, ok := x.(task)
	if !ok {
		t = *x.(*task)
	}
	*h = append(*h, t)
}

func (h *pushConverts) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	*h = old[:n-1]
	return x // refused: Push takes another type, too
}

// pushPasses: Push gives the interface to a function.
type pushPasses []task

func (h pushPasses) Len() int { return len(h) }

func (h pushPasses) Less(i, j int) bool { return h[i].cost < h[j].cost }

func (h pushPasses) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *pushPasses) Push(x any) { *h = append(*h, asTask(x)) }

func (h *pushPasses) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	*h = old[:n-1]
	return x // refused: Push gives the interface to a function
}

// named: the result has a name.
type named []task

func (h named) Len() int { return len(h) }

func (h named) Less(i, j int) bool { return h[i].cost < h[j].cost }

func (h named) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *named) Push(x any) { *h = append(*h, x.(task)) }

func (h *named) Pop() (x any) {
	old := *h
	n := len(old)
	x = old[n-1]
	*h = old[:n-1]
	return x // refused: the result has a name
}

// shadowing: a variable has the name of the package.
type shadowing []task

func (h shadowing) Len() int { return len(h) }

func (h shadowing) Less(i, j int) bool { return h[i].cost < h[j].cost }

func (h shadowing) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *shadowing) Push(x any) {
	heap := len(*h)
	*h = append((*h)[:heap], x.(task))
}

func (heap *shadowing) Pop() any {
	old := *heap
	n := len(old)
	x := old[n-1]
	*heap = old[:n-1]
	return x // refused: a variable has the name of the package
}

// full: all names are taken.
type full []task

func (h full) Len() int { return len(h) }

func (h full) Less(i, j int) bool { return h[i].cost < h[j].cost }

func (h full) push()     {}
func (h full) popItem()  {}
func (h full) popValue() {}

func (h full) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *full) Push(x any) { *h = append(*h, x.(task)) }

func (h *full) Pop() any {
	old := *h
	n := len(old)
	x := old[n-1]
	*h = old[:n-1]
	return x // refused: all names are taken
}

// overriding has another Less than the heap that it embeds, whose Push and Pop it has.
type overriding struct{ popCounts }

func (h *overriding) Less(i, j int) bool { return h.items[i].cost > h.items[j].cost }

func useOverriding(h *overriding, t task) task {
	heap.Push(h, t) // refused: methods of what it embeds would not call its Less
	return heap.Pop(h).(task)
}

func longer(h []task, n int) bool { return len(h) > n }

func log(text string) { compared += len(text) }

func asTask(x any) task { return x.(task) }

var compared int

func usecounting(h *counting, t task) task {
	heap.Push(h, t)
	return heap.Pop(h).(task)
}

func uselengthy(h *lengthy, t task) task {
	heap.Push(h, t)
	return heap.Pop(h).(task)
}

func uselengthyBelow(h *lengthyBelow, t task) task {
	heap.Push(h, t)
	return heap.Pop(h).(task)
}

func usebeyond(h *beyond, t task) task {
	heap.Push(h, t)
	return heap.Pop(h).(task)
}

func usefollowing(h *following, t task) task {
	heap.Push(h, t)
	return heap.Pop(h).(task)
}

func usedeepTasks(h *deepTasks, t task) task {
	heap.Push(h, t)
	return heap.Pop(h).(task)
}

func usedividing(h *dividing, t task) task {
	heap.Push(h, t)
	return heap.Pop(h).(task)
}

func useelements(h *elements, t task) task {
	heap.Push(h, t)
	return heap.Pop(h).(task)
}

func useprinting(h *printing, t task) task {
	heap.Push(h, t)
	return heap.Pop(h).(task)
}

func useunknown(h *unknown, t task) task {
	heap.Push(h, t)
	return heap.Pop(h).(task)
}

func useelsewhereLess(h *elsewhereLess, t task) task {
	heap.Push(h, t)
	return heap.Pop(h).(task)
}

func useswapCounting(h *swapCounting, t task) task {
	heap.Push(h, t)
	return heap.Pop(h).(task)
}

func useswapFar(h *swapFar, t task) task {
	heap.Push(h, t)
	return heap.Pop(h).(task)
}

func useswapMap(h *swapMap, t task) task {
	heap.Push(h, t)
	return heap.Pop(h).(task)
}

func useswapLast(h *swapLast, t task) task {
	heap.Push(h, t)
	return heap.Pop(h).(task)
}

func uselenShort(h *lenShort, t task) task {
	heap.Push(h, t) // refused: Len is not the length of the slice
	return heap.Pop(h).(task)
}

func uselenCounts(h *lenCounts, t task) task {
	heap.Push(h, t) // refused: Len counts
	return heap.Pop(h).(task)
}

func uselenOther(h *lenOther, t task) task {
	heap.Push(h, t) // refused: Len is the length of another slice
	return heap.Pop(h).(task)
}

func usepopFirst(h *popFirst, t task) task {
	heap.Push(h, t)
	return heap.Pop(h).(task)
}

func usepopForgets(h *popForgets, t task) task {
	heap.Push(h, t)
	return heap.Pop(h).(task)
}

func usepopCounts(h *popCounts, t task) task {
	heap.Push(h, t)
	return heap.Pop(h).(task)
}

func usepopShrinks(h *popShrinks, t task) task {
	heap.Push(h, t)
	return heap.Pop(h).(task)
}

func usepopTwo(h *popTwo, t task) task {
	heap.Push(h, t)
	return heap.Pop(h).(task)
}

func usepopGuards(h *popGuards, t task) task {
	heap.Push(h, t)
	return heap.Pop(h).(task)
}

func usepopDefers(h *popDefers, t task) task {
	heap.Push(h, t)
	return heap.Pop(h).(task)
}

func usepopLate(h *popLate, t task) task {
	heap.Push(h, t)
	return heap.Pop(h).(task)
}

func usepopBoxed(h *popBoxed, t task) task {
	heap.Push(h, t)
	return heap.Pop(h).(task)
}

func usepopClears(h *popClears, t task) task {
	heap.Push(h, t)
	return heap.Pop(h).(task)
}

func usepushReturns(h *pushReturns, t task) task {
	heap.Push(h, t) // refused: Push may return before heap.Fix
	return heap.Pop(h).(task)
}

func usepushDefers(h *pushDefers, t task) task {
	heap.Push(h, t) // refused: a deferred function would run later
	return heap.Pop(h).(task)
}

func usepushCalls(h *pushCalls, t task) task {
	heap.Push(h, t) // refused: Push calls, and who knows how long that is
	return heap.Pop(h).(task)
}

func usepushConverts(h *pushConverts, t task) task {
	heap.Push(h, t) // refused: Push takes another type, too
	return heap.Pop(h).(task)
}

func usepushPasses(h *pushPasses, t task) task {
	heap.Push(h, t) // refused: Push gives the interface to a function
	return heap.Pop(h).(task)
}

func usenamed(h *named, t task) task {
	heap.Push(h, t)
	return heap.Pop(h).(task)
}

func useshadowing(h *shadowing, t task) task {
	heap.Push(h, t) // refused: a variable has the name of the package
	return heap.Pop(h).(task)
}

func usefull(h *full, t task) task {
	heap.Push(h, t) // refused: all names are taken
	return heap.Pop(h).(task)
}

// letters: a text may be empty.
type letters []task

func (h letters) Len() int           { return len(h) }
func (h letters) Less(i, j int) bool { return h[i].name[0] < h[j].name[0] }
func (h letters) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *letters) Push(x any) {
	*h = append(*h, x.(task))
}

func (h *letters) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x // refused: a text may be empty
}

func useletters(h *letters, t task) task {
	heap.Push(h, t)
	return heap.Pop(h).(task)
}

// switching: Pop goes on with another heap.
type switching []task

func (h switching) Len() int           { return len(h) }
func (h switching) Less(i, j int) bool { return h[i].cost < h[j].cost }
func (h switching) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *switching) Push(x any) {
	*h = append(*h, x.(task))
}

func (h *switching) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	h = nil
	return x // refused: Pop goes on with another heap
}

func useswitching(h *switching, t task) task {
	heap.Push(h, t)
	return heap.Pop(h).(task)
}

// switchingPush: Push goes on with another heap.
type switchingPush []task

func (h switchingPush) Len() int           { return len(h) }
func (h switchingPush) Less(i, j int) bool { return h[i].cost < h[j].cost }
func (h switchingPush) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *switchingPush) Push(x any) {
	*h = append(*h, x.(task))
	h = switchedPush
}

func (h *switchingPush) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	h = switchedPush
	return x // refused: Push goes on with another heap
}

func useswitchingPush(h *switchingPush, t task) task {
	heap.Push(h, t) // refused: Push goes on with another heap
	return heap.Pop(h).(task)
}

// deepest: functions that Less calls call too many others.
type deepest []task

func (h deepest) Len() int           { return len(h) }
func (h deepest) Less(i, j int) bool { return less1(h[i], h[j]) }
func (h deepest) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *deepest) Push(x any) {
	*h = append(*h, x.(task))
}

func (h *deepest) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x // refused: functions that Less calls call too many others
}

func usedeepest(h *deepest, t task) task {
	heap.Push(h, t)
	return heap.Pop(h).(task)
}

func less1(a, b task) bool { return less2(a, b) }
func less2(a, b task) bool { return less3(a, b) }
func less3(a, b task) bool { return less4(a, b) }
func less4(a, b task) bool { return a.cost < b.cost }

var switchedPush *switchingPush
