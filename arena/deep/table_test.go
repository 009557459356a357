package deep

import (
	"math/rand/v2"
	"testing"
)

// TestTable compares a table with a built-in map: addresses close together, far apart,
// and such as differ in their high bits only.
func TestTable(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, next := range []func(i int) uintptr{
		func(i int) uintptr { return uintptr(16 * (i + 1)) },
		func(i int) uintptr { return uintptr(rnd.Uint64()) | 1 },
		func(i int) uintptr { return uintptr(i+1) << 18 },
		func(i int) uintptr { return uintptr(8 * (1 + rnd.IntN(500))) },
	} {
		var got table
		want := map[uintptr]uint32{}
		for i := range 3000 {
			addr := next(i)
			if n := got.find(addr); n != want[addr] {
				t.Fatalf("%#x: %d, want %d", addr, n, want[addr])
			}
			last := got.add(addr)
			if *last != want[addr] {
				t.Fatalf("%#x: %d, want %d", addr, *last, want[addr])
			}
			*last, want[addr] = uint32(i+1), uint32(i+1)
		}
		for addr, n := range want {
			if got.find(addr) != n || got.find(addr+3) != want[addr+3] {
				t.Fatalf("%#x: %d, want %d", addr, got.find(addr), n)
			}
		}
		if got.used != len(want) {
			t.Errorf("%d in use, want %d", got.used, len(want))
		}
	}
}
