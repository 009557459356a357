//go:build !lessgc_heap

package arena

// heapOnly makes every arena nil, that is the heap.
const heapOnly = false
