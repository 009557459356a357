package lever

import (
	"go/types"
	"runtime"
	"testing"

	"golang.org/x/tools/go/packages"
)

var keep any

// allocated returns the number of bytes that the first element of a map takes.
func allocated[K comparable, V any]() int64 {
	least := int64(1 << 40)
	for range 20 {
		m := make(map[K]V)
		keep = m // on the heap
		var k K
		var v V
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m[k] = v
		runtime.ReadMemStats(&after)
		least = min(least, int64(after.TotalAlloc-before.TotalAlloc))
	}
	return least
}

// TestGroupSize compares the size of a group with what the runtime of this toolchain
// allocates for one, up to the rounding of size classes.
func TestGroupSize(t *testing.T) {
	p := &Line{unit: &unit{pkg: &packages.Package{TypesSizes: types.SizesFor("gc", runtime.GOARCH)}}}
	number, text := types.Typ[types.Uint64], types.Typ[types.String]
	bytes := func(n int64) types.Type { return types.NewArray(types.Typ[types.Byte], n) }
	for _, c := range []struct {
		name      string
		key, elem types.Type
		got       int64
	}{
		{"map[uint64]uint64", number, number, allocated[uint64, uint64]()},
		{"map[string][88]byte", text, bytes(88), allocated[string, [88]byte]()},
		{"map[uint64][128]byte", number, bytes(128), allocated[uint64, [128]byte]()},
		{"map[uint64][1000]byte", number, bytes(1000), allocated[uint64, [1000]byte]() - 1024},
		{"map[uint64]struct{}", number, types.NewStruct(nil, nil), allocated[uint64, struct{}]()},
	} {
		group := p.groupSize(types.NewMap(c.key, c.elem))
		if c.got < group || float64(c.got) > 1.25*float64(group) {
			t.Errorf("%s: a group has %d bytes, and the runtime allocates %d", c.name, group, c.got)
		}
	}
}
