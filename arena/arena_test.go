package arena

import (
	"fmt"
	"runtime"
	"testing"
)

type node struct {
	next, prev *node
	list       *int
	value      any
}

type pair struct{ a, b *int }

func TestBasic(t *testing.T) {
	for _, policy := range []Policy{Safe, RecycleTyped, RecycleAll} {
		t.Run(policy.String(), func(t *testing.T) {
			p := &Pool{Policy: policy}
			for range 10 {
				a := p.Get()
				var first, last *node
				var strs []string
				for i := range 10000 {
					n := New[node](a)
					if *n != (node{}) {
						t.Fatalf("not zero: %v", *n)
					}
					v := New[int](a)
					*v = i
					n.value = v
					n.prev = last
					n.list = new(int)
					*n.list = i
					if last != nil {
						last.next = n
					} else {
						first = n
					}
					last = n
					strs = Append(a, strs, a.Sprintf("s%d", i))
				}
				runtime.GC()
				i := 0
				for n := first; n != nil; n = n.next {
					if *n.value.(*int) != i || *n.list != i || strs[i] != fmt.Sprintf("s%d", i) {
						t.Fatalf("%d: %d %d %s", i, *n.value.(*int), *n.list, strs[i])
					}
					i++
				}
				a.Free()
			}
		})
	}
}

func BenchmarkList(b *testing.B) {
	run := func(name string, f func(n int)) {
		for _, n := range []int{1000, 100000} {
			b.Run(fmt.Sprintf("alloc=%s/n=%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					f(n)
				}
			})
		}
	}
	fill := func(n int, f func() (*node, *pair)) {}
	_ = fill
	run("heap", func(n int) {
		var last *node
		for range n {
			x, v := new(node), new(pair)
			x.prev = last
			x.value = v
			last = x
		}
	})
	withPool := func(p *Pool) func(n int) {
		return func(n int) {
			a := p.Get()
			var last *node
			for range n {
				x, v := New[node](a), New[pair](a)
				x.prev = last
				x.value = v
				last = x
			}
			a.Free()
		}
	}
	run("safe", withPool(&Pool{Policy: Safe}))
	run("typed", withPool(&Pool{}))
	run("all", withPool(&Pool{Policy: RecycleAll}))
	p := &Pool{Policy: RecycleAll}
	run("handle", func(n int) {
		a := p.Get()
		nodes, pairs := Of[node](a), Of[pair](a)
		var last *node
		for range n {
			x, v := nodes.New(), pairs.New()
			x.prev = last
			x.value = v
			last = x
		}
		a.Free()
	})
}

func BenchmarkClone(b *testing.B) {
	payload := make([]byte, 256)
	var sink []byte
	b.Run("heap", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			sink = append([]byte(nil), payload...)
		}
	})
	b.Run("safe", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			a := NewArena()
			sink = a.Bytes(payload)
			a.Free()
		}
	})
	p := &Pool{Policy: RecycleAll}
	b.Run("all", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			a := p.Get()
			sink = a.Bytes(payload)
			a.Free()
		}
	})
	_ = sink
}
