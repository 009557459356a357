package buffers

import (
	"bytes"
	"sync"

	lessgc "lessgc/pool"
)

// A Strategy decides where the bytes of a call live.
type Strategy struct {
	Name string

	// Repeat is one op: it writes s n times and hands the bytes to use, which
	// must not keep them, nor call Repeat: a lock may be held. N must not be
	// negative.
	Repeat func(s string, n int, use func([]byte))
}

// Strategies are all strategies. The first is the reference.
var Strategies = []Strategy{
	{"new", newBuffer},
	{"mutex", mutex},
	{"pool", pooled},
	{"typed", typed},
	{"sized", sized},
	{"scoped", scoped},
}

func newBuffer(s string, n int, use func([]byte)) {
	var buf bytes.Buffer
	fill(&buf, s, n)
	use(buf.Bytes())
}

// shared keeps the memory of the largest call.
var shared struct {
	sync.Mutex
	buf bytes.Buffer
}

func mutex(s string, n int, use func([]byte)) {
	shared.Lock()
	defer shared.Unlock()
	shared.buf.Reset()
	fill(&shared.buf, s, n)
	use(shared.buf.Bytes())
}

// maxPooled is the capacity up to which a buffer is put back. Without a bound
// a few large calls would make every pooled buffer a large one.
const maxPooled = 64 << 10

var pool = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// pooled does not put the buffer back if use panics: someone may still hold
// its bytes.
func pooled(s string, n int, use func([]byte)) {
	buf := pool.Get().(*bytes.Buffer)
	buf.Reset()
	fill(buf, s, n)
	use(buf.Bytes())
	if buf.Cap() <= maxPooled {
		pool.Put(buf)
	}
}

var values = lessgc.Pool[bytes.Buffer]{Reset: resetOrDrop}

// resetOrDrop has the bound of pooled.
func resetOrDrop(buf *bytes.Buffer) {
	if buf.Cap() > maxPooled {
		*buf = bytes.Buffer{}
	}
	buf.Reset()
}

func typed(s string, n int, use func([]byte)) {
	buf := values.Get()
	fill(buf, s, n)
	use(buf.Bytes())
	values.Put(buf)
}

var bySize lessgc.Buffers

func sized(s string, n int, use func([]byte)) {
	buf := bySize.Get(n * len(s))
	for range n {
		buf.WriteString(s)
	}
	use(buf.Bytes())
	bySize.Put(buf)
}

func scoped(s string, n int, use func([]byte)) {
	bySize.With(n*len(s), func(buf *lessgc.Buffer) {
		for range n {
			buf.WriteString(s)
		}
		use(buf.Bytes())
	})
}

// fill writes n times s to buf, which it grows once.
func fill(buf *bytes.Buffer, s string, n int) {
	buf.Grow(n * len(s))
	for range n {
		buf.WriteString(s)
	}
}
