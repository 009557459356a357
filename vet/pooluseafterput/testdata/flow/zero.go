package flow

import "bytes"

func capture(f func()) {}

// The variable is set on one path only, and in memory because of the closure.
func goodSetOnOnePath(yes bool) int {
	var buf *bytes.Buffer
	capture(func() { println(buf) })
	b := buffers.Get().(*bytes.Buffer)
	if yes {
		buf = b
	}
	if buf == nil {
		n := b.Len()
		buffers.Put(b)
		return n
	}
	buffers.Put(buf)
	return 0
}

// The index may be zero.
func goodIndexOnOnePath(yes bool) {
	var n int
	capture(func() { println(n) })
	if yes {
		n = 1
	}
	c := buffers.Get().(*bytes.Buffer)
	var parts [2][]byte
	parts[1] = c.Bytes()
	buffers.Put(c)
	println(parts[n][0])
}

// A flag that is set on one path tells nothing.
func goodFlagOnOnePath(yes bool) {
	var done bool
	capture(func() { println(done) })
	if yes {
		done = true
	}
	c := buffers.Get().(*bytes.Buffer)
	if done {
		buffers.Put(c)
	}
	if !done {
		c.Reset()
		buffers.Put(c)
	}
}

// The function may be another.
func goodFunctionOnOnePath(yes bool) {
	var f func(*bytes.Buffer)
	capture(func() { println(f) })
	if yes {
		f = func(b *bytes.Buffer) { buffers.Put(b) }
	}
	c := buffers.Get().(*bytes.Buffer)
	if f != nil {
		f(c)
		return
	}
	c.Reset()
	buffers.Put(c)
}
