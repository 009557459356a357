package pools

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
)

// A shape is a kind of use, and the implementations that can do it. The first is what
// the others are compared with.
type shape struct {
	name  string
	warm  int // ops that an implementation does before it is measured
	impls []impl
}

// settled is the number of uses of different sizes that bytebufferpool counts before it
// bounds what it keeps, for the first time and with the same result as later.
const settled = 1 << 19

// An impl does n ops, of which the first has the number from. It returns a checksum of
// what they computed.
type impl struct {
	name string
	loop func(from, n int) uint64
}

var shapes = []shape{
	{"getput", 0, getput},
	{"reset", 0, reset},
	{"with", 0, with},
	{"write", 0, write},
	{"writes", 0, writes},
	{"mixed", settled, mixed},
	{"sized", settled, sized},
}

// TestEqual checks that all implementations of a shape compute the same, also when
// eight goroutines use them at once.
func TestEqual(t *testing.T) {
	for _, s := range shapes {
		want := s.impls[0].loop(0, 8*len(sizes))
		for _, impl := range s.impls {
			if got := impl.loop(0, 8*len(sizes)); got != want {
				t.Errorf("%s/%s: checksum %d, want %d of %s", s.name, impl.name, got, want, s.impls[0].name)
			}
			if got := parallel(impl, 8, 8*len(sizes)); got != want {
				t.Errorf("%s/%s: checksum of eight goroutines %d, want %d", s.name, impl.name, got, want)
			}
		}
		if half := s.impls[0].loop(0, 4*len(sizes)); half == want {
			t.Errorf("%s: the checksum does not depend on the ops", s.name)
		}
	}
}

// parallel does n ops of impl in several goroutines.
func parallel(impl impl, goroutines, n int) uint64 {
	if goroutines == 1 {
		return impl.loop(0, n)
	}
	var wg sync.WaitGroup
	var sum atomic.Uint64
	for g := range goroutines {
		from, to := n*g/goroutines, n*(g+1)/goroutines
		wg.Go(func() { sum.Add(impl.loop(from, to-from)) })
	}
	wg.Wait()
	return sum.Load()
}

func BenchmarkPools(b *testing.B) {
	for _, s := range shapes {
		for _, goroutines := range []int{1, 8} {
			for _, impl := range s.impls {
				name := fmt.Sprintf("shape=%s/goroutines=%d/impl=%s", s.name, goroutines, impl.name)
				warm := sync.OnceFunc(func() { impl.loop(0, s.warm) })
				b.Run(name, func(b *testing.B) {
					warm()
					b.ReportAllocs()
					b.ResetTimer()
					parallel(impl, goroutines, b.N)
				})
			}
		}
	}
}
