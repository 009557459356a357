package arena

import (
	"testing"

	"lessgc/internal/alloctest"
	"lessgc/internal/checked"
)

// TestRecycleAlone checks that slices which are too large for a shared chunk are
// made once, whatever their sizes.
func TestRecycleAlone(t *testing.T) {
	for _, size := range []int{maxChunk/4 + 8, maxChunk / 2, maxChunk - 8, 3 * maxChunk} {
		p := &Pool{Policy: RecycleAll}
		life := func() {
			a := p.Get()
			for range 5 {
				MakeSlice[*int](a, size/8, size/8)
			}
			New[*int](a)
			a.Free()
		}
		for range 5 {
			life()
		}
		if got := alloctest.PerRun(t, life); got > escapes && !checked.Strict {
			t.Errorf("slices of %d bytes: %d allocations per life", size, got)
		}
	}
}
