package programs

import "container/heap"

type jobs []job

type job struct{ priority, size int }

func (j jobs) Len() int           { return len(j) }
func (j jobs) Less(a, b int) bool { return j[a].priority < j[b].priority }
func (j jobs) Swap(a, b int)      { j[a], j[b] = j[b], j[a] }
func (j *jobs) Push(x any)        { *j = append(*j, x.(job)) }

func (j *jobs) Pop() any {
	old := *j
	last := old[len(old)-1]
	*j = old[:len(old)-1]
	return last // want heap-fix
}

func heapSizes(n int) (sum int) {
	var all jobs
	for i := range n {
		heap.Push(&all, job{i % 7, i}) // want heap-fix
	}
	for len(all) > 0 {
		sum += heap.Pop(&all).(job).size
	}
	return sum
}

func heapOf(h heap.Interface, n int) {
	heap.Push(h, job{n, n}) // no heap-fix
}
