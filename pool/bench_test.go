package pool_test

import (
	"bytes"
	"sync"
	"testing"

	"lessgc/pool"
)

// BenchmarkGetPut is a Get and a Put with nothing in between.
func BenchmarkGetPut(b *testing.B) {
	run := func(name string, op func()) {
		b.Run("impl="+name, func(b *testing.B) {
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					op()
				}
			})
		})
	}
	std := sync.Pool{New: func() any { return new(bytes.Buffer) }}
	run("syncpool", func() {
		v := std.Get().(*bytes.Buffer)
		v.Reset()
		std.Put(v)
	})
	typed := pool.Pool[bytes.Buffer]{Reset: (*bytes.Buffer).Reset}
	run("pool", func() { typed.Put(typed.Get()) })
	var buffers pool.Buffers
	run("buffers", func() { buffers.Put(buffers.Get(0)) })
}
