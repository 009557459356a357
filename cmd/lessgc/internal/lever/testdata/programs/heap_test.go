package programs

import "testing"

func BenchmarkHeap(b *testing.B) {
	for b.Loop() {
		all := make(jobs, 0, 1)
		heapOf(&all, 3)
		if heapSizes(100) != 4950 {
			b.Fatal("a job is not there")
		}
	}
}
