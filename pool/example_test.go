package pool_test

import (
	"fmt"
	"strconv"

	"lessgc/pool"
)

// A parser keeps its stack of names from one use to the next.
func ExamplePool() {
	type parser struct{ stack []string }
	parsers := pool.Pool[parser]{
		New: func() *parser { return &parser{stack: make([]string, 0, 64)} },
		Reset: func(p *parser) {
			clear(p.stack) // or the pool would keep the names
			p.stack = p.stack[:0]
		},
	}

	p := parsers.Get()
	p.stack = append(p.stack, "html", "body")
	fmt.Println(len(p.stack), "open elements")
	parsers.Put(p)
	// Output: 2 open elements
}

func ExamplePool_With() {
	var counts pool.Pool[[256]int]
	counts.Reset = func(c *[256]int) { *c = [256]int{} }

	// The result leaves as a copy, in a variable of the caller.
	var es int
	counts.With(func(c *[256]int) {
		for _, b := range []byte("less is more") {
			c[b]++
		}
		es = c['e']
	})
	fmt.Println(es)
	// Output: 2
}

func ExampleBuffers_String() {
	var buffers pool.Buffers
	csv := buffers.String(0, func(b *pool.Buffer) {
		for i := range 5 {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(strconv.AppendInt(b.AvailableBuffer(), int64(i*i), 10))
		}
	})
	fmt.Println(csv)
	// Output: 0,1,4,9,16
}

func ExampleBuffers_Stats() {
	buffers := pool.Buffers{MaxBytes: 1 << 20}
	buffers.With(100, func(b *pool.Buffer) { b.WriteString("small") })
	buffers.With(8<<20, func(b *pool.Buffer) { b.WriteString("for one large request") })
	s := buffers.Stats()
	fmt.Println(s.Misses, "allocated,", s.Dropped, "dropped,", s.KeptBytes, "bytes kept")
	// Output: 2 allocated, 1 dropped, 1024 bytes kept
}
