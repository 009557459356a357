package heaps

import "container/heap"

// mixed is a heap some of whose elements are taken as interfaces.
type mixed []string

func (h mixed) Len() int           { return len(h) }
func (h mixed) Less(i, j int) bool { return len(h[i]) < len(h[j]) }
func (h mixed) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *mixed) Push(x any)        { *h = append(*h, x.(string)) }

func (h *mixed) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x // rewritten
}

func mix(h *mixed, all []string) (out []string) {
	for _, text := range all {
		heap.Push(h, text) // rewritten
	}
	for h.Len() > 0 {
		out = append(out, heap.Pop(h).(string))
		if x, ok := heap.Pop(h).(string); ok {
			out = append(out, x)
		}
	}
	return out
}
