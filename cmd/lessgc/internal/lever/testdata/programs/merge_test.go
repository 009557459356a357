package programs

import (
	"fmt"
	"testing"
)

func BenchmarkMerge(b *testing.B) {
	defaults, own := map[string]int{}, map[string]int{}
	for i := range 200 {
		defaults[fmt.Sprint("default", i)] = i
		own[fmt.Sprint("own", i)] = i
	}
	for b.Loop() {
		mergedAll(defaults, own)
		mergedSized(defaults, own)
		setMergeLast("end")
		for range 100 {
			isMergeTable(mergeText)
			isMergeLast(mergeText)
		}
	}
}
