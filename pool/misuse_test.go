package pool_test

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"lessgc/internal/checked"
	"lessgc/pool"
)

// A report lists the positions that the panic of a misuse should name. They
// are those of the calls of at.
type report struct{ got, put, now string }

// at notes that the line after the one it is called from is to be named.
func at(places ...*string) {
	_, file, line, _ := runtime.Caller(1)
	for _, p := range places {
		*p = fmt.Sprintf("%s:%d", file, line+1)
	}
}

// A misuse is a program with one mistake.
type misuse struct {
	name string
	do   func(r *report)
	want func(r report) string
}

const (
	aBuffer  = "pool: a *pool.Buffer "
	aRequest = "pool: a *pool_test.request "
)

func twice(what string) func(report) string {
	return func(r report) string {
		return what + "was put twice: got at " + r.got + ", put at " + r.put + ", put again at " + r.now
	}
}

func foreign(what string) func(report) string {
	return func(r report) string {
		return what + "was put into a pool that did not give it out: put at " + r.put
	}
}

func changed(what string) func(report) string {
	return func(r report) string {
		return what + "was changed after it was put: got at " + r.got + ", put at " + r.put + ", found at " + r.now
	}
}

func used(r report) string {
	return aBuffer + "was used after it was put: got at " + r.got + ", put at " + r.put + ", used at " + r.now
}

// lent returns a buffer that was put back.
func lent(p *pool.Buffers, r *report) *pool.Buffer {
	at(&r.got)
	b := p.Get(0)
	b.WriteString("contents")
	at(&r.put)
	p.Put(b)
	return b
}

// use is a misuse that calls a method of a buffer that was put back.
func use(method string, call func(b *pool.Buffer, r *report)) misuse {
	return misuse{"Buffer used after Put/" + method, func(r *report) {
		var p pool.Buffers
		call(lent(&p, r), r)
	}, used}
}

var misuses = []misuse{
	{"Buffer put twice", func(r *report) {
		var p pool.Buffers
		b := lent(&p, r)
		at(&r.now)
		p.Put(b)
	}, twice(aBuffer)},
	{"Buffer put twice/With", func(r *report) {
		var p pool.Buffers
		at(&r.got, &r.now)
		p.With(0, func(b *pool.Buffer) {
			at(&r.put)
			p.Put(b)
		})
	}, twice(aBuffer)},
	{"Buffer put twice/much later", func(r *report) {
		var p pool.Buffers
		b := lent(&p, r)
		for range 1000 {
			p.Put(p.Get(0))
		}
		at(&r.now)
		p.Put(b)
	}, twice(aBuffer)},
	{"Buffer of another pool", func(r *report) {
		var p, other pool.Buffers
		at(&r.got)
		b := other.Get(0)
		at(&r.put)
		p.Put(b)
	}, func(r report) string {
		return aBuffer + "was put into a pool that did not give it out: got at " + r.got + ", put at " + r.put
	}},
	{"Buffer of no pool", func(r *report) {
		var p pool.Buffers
		var b pool.Buffer
		at(&r.put)
		p.Put(&b)
	}, func(r report) string { return aBuffer + "was put that no pool gave out: put at " + r.put }},

	{"Buffer of no pool used", func(r *report) {
		var b pool.Buffer
		at(&r.now)
		b.WriteByte('x')
	}, func(r report) string { return aBuffer + "was used that no pool gave out: used at " + r.now }},

	{"Buffer changed after Put", func(r *report) {
		var p pool.Buffers
		at(&r.got)
		b := p.Get(0)
		b.WriteString("contents")
		held := b.Bytes()
		at(&r.put)
		p.Put(b)
		held[7] = 'S'
		at(&r.now)
		p.Get(0)
	}, changed(aBuffer)},
	{"Buffer changed after Put/behind its contents", func(r *report) {
		var p pool.Buffers
		at(&r.got)
		b := p.Get(0)
		held := b.AvailableBuffer()
		at(&r.put)
		p.Put(b)
		_ = append(held, 'x')
		at(&r.now)
		p.String(0, func(*pool.Buffer) {})
	}, changed(aBuffer)},
	{"Buffer changed after Put/others put since", func(r *report) {
		var p pool.Buffers
		at(&r.got)
		b := p.Get(0)
		b.WriteString("contents")
		held := b.Bytes()
		at(&r.put)
		p.Put(b)
		p.With(0, func(*pool.Buffer) {})
		held[0] = 'C'
		for range 1000 {
			at(&r.now)
			p.With(0, func(*pool.Buffer) {})
		}
	}, changed(aBuffer)},
	{"Buffer changed after Put/nothing got since", func(r *report) {
		var p pool.Buffers
		var bs []*pool.Buffer
		for range 1000 {
			at(&r.got)
			bs = append(bs, p.Get(0))
		}
		held := bs[0].AvailableBuffer()
		for i, b := range bs {
			at(&r.put, &r.now)
			p.Put(b)
			if i == 0 {
				_ = append(held, 'x')
			}
		}
	}, changed(aBuffer)},
	use("Write", func(b *pool.Buffer, r *report) {
		at(&r.now)
		b.Write(nil)
	}),
	use("WriteString", func(b *pool.Buffer, r *report) {
		at(&r.now)
		b.WriteString("")
	}),
	use("WriteByte", func(b *pool.Buffer, r *report) {
		at(&r.now)
		b.WriteByte('x')
	}),
	use("WriteRune", func(b *pool.Buffer, r *report) {
		at(&r.now)
		b.WriteRune('x')
	}),
	use("Grow", func(b *pool.Buffer, r *report) {
		at(&r.now)
		b.Grow(1)
	}),
	use("Bytes", func(b *pool.Buffer, r *report) {
		at(&r.now)
		b.Bytes()
	}),
	use("AvailableBuffer", func(b *pool.Buffer, r *report) {
		at(&r.now)
		b.AvailableBuffer()
	}),
	use("String", func(b *pool.Buffer, r *report) {
		at(&r.now)
		_ = b.String()
	}),
	use("Len", func(b *pool.Buffer, r *report) {
		at(&r.now)
		b.Len()
	}),
	use("Cap", func(b *pool.Buffer, r *report) {
		at(&r.now)
		b.Cap()
	}),
	use("Reset", func(b *pool.Buffer, r *report) {
		at(&r.now)
		b.Reset()
	}),
	use("Truncate", func(b *pool.Buffer, r *report) {
		at(&r.now)
		b.Truncate(0)
	}),
	use("ReadFrom", func(b *pool.Buffer, r *report) {
		at(&r.now)
		b.ReadFrom(strings.NewReader(""))
	}),
	use("WriteTo", func(b *pool.Buffer, r *report) {
		at(&r.now)
		b.WriteTo(new(strings.Builder))
	}),

	{"value put twice", func(r *report) {
		var p pool.Pool[request]
		at(&r.got)
		v := p.Get()
		at(&r.put)
		p.Put(v)
		at(&r.now)
		p.Put(v)
	}, twice(aRequest)},
	{"value put twice/With", func(r *report) {
		var p pool.Pool[request]
		at(&r.got, &r.now)
		p.With(func(v *request) {
			at(&r.put)
			p.Put(v)
		})
	}, twice(aRequest)},
	{"value put twice/on its second loan", func(r *report) {
		var p pool.Pool[request]
		first := p.Get()
		p.Put(first)
		for v := (*request)(nil); v != first; {
			if v != nil {
				p.Put(v)
			}
			at(&r.got)
			v = p.Get()
		}
		at(&r.put)
		p.Put(first)
		at(&r.now)
		p.Put(first)
	}, twice(aRequest)},
	{"value of another pool", func(r *report) {
		var p, other pool.Pool[request]
		v := other.Get()
		at(&r.put)
		p.Put(v)
	}, foreign(aRequest)},
	{"value of no pool", func(r *report) {
		var p pool.Pool[request]
		at(&r.put)
		p.Put(new(request))
	}, foreign(aRequest)},
	{"value changed after Put", func(r *report) {
		var p pool.Pool[request]
		at(&r.got)
		v := p.Get()
		at(&r.put)
		p.Put(v)
		v.id = 7
		at(&r.now)
		p.Get()
	}, changed(aRequest)},
	{"value changed after Put/pointer", func(r *report) {
		var p pool.Pool[request]
		at(&r.got)
		v := p.Get()
		at(&r.put)
		p.Put(v)
		v.tags = append(v.tags, "late")
		at(&r.now)
		p.With(func(*request) {})
	}, changed(aRequest)},
	{"value changed after Put/others put since", func(r *report) {
		var p pool.Pool[request]
		at(&r.got)
		v := p.Get()
		at(&r.put)
		p.Put(v)
		p.With(func(*request) {})
		v.name = "late"
		for range 1000 {
			at(&r.now)
			p.With(func(*request) {})
		}
	}, changed(aRequest)},
}

// TestMisuse checks that every misuse stops the program, with a sentence that
// names the right positions.
func TestMisuse(t *testing.T) {
	if !checked.Enabled {
		t.Skip("this is not the checked build")
	}
	for _, m := range misuses {
		t.Run(m.name, func(t *testing.T) {
			var r report
			got := panics(func() { m.do(&r) })
			if want := m.want(r); got != want {
				t.Errorf("panics with\n%v\nwant\n%v", got, want)
			}
		})
	}
}

// TestMisuseReleased checks what other builds notice.
func TestMisuseReleased(t *testing.T) {
	released(t)
	check := func(f func(p *pool.Buffers), want string) {
		t.Helper()
		var p pool.Buffers
		if got := panics(func() { f(&p) }); got != want {
			t.Errorf("panics with\n%v\nwant\n%v", got, want)
		}
	}
	const (
		twice   = "pool: a Buffer was put twice, or came from no pool; -tags lessgc_checked says where"
		foreign = "pool: a Buffer was put into a pool that did not give it out; -tags lessgc_checked says where"
	)
	check(func(p *pool.Buffers) { p.Put(lent(p, new(report))) }, twice)
	check(func(p *pool.Buffers) { p.With(0, p.Put) }, twice)
	check(func(p *pool.Buffers) { p.Put(new(pool.Buffer)) }, twice)
	check(func(p *pool.Buffers) { p.Put(new(pool.Buffers).Get(0)) }, foreign)

	// The buffer has another owner by then.
	check(func(p *pool.Buffers) {
		b := lent(p, new(report))
		p.Get(0)
		p.Put(b)
	}, twice)
	check(func(p *pool.Buffers) {
		b := lent(p, new(report))
		for range 1000 {
			p.With(0, func(*pool.Buffer) {})
		}
		p.Put(b)
	}, twice)
	check(func(p *pool.Buffers) { new(pool.Buffers).Put(lent(p, new(report))) }, twice)
	const used = "pool: a Buffer was used after it was put, or came from no pool; -tags lessgc_checked says where"
	check(func(p *pool.Buffers) { lent(p, new(report)).Grow(1) }, used)
	check(func(p *pool.Buffers) { lent(p, new(report)).Truncate(0) }, used)
	check(func(p *pool.Buffers) { lent(p, new(report)).Reset() }, used)
	check(func(p *pool.Buffers) { _ = lent(p, new(report)).String() }, used)
	check(func(p *pool.Buffers) { lent(p, new(report)).WriteTo(io.Discard) }, used)
	check(func(p *pool.Buffers) { lent(p, new(report)).ReadFrom(strings.NewReader("x")) }, used)
	check(func(p *pool.Buffers) { lent(p, new(report)).WriteRune('x') }, used)
}

// TestStaleBuffer checks that each use of a Buffer after its Put panics, also of the
// methods that are inlined, and does not reach the next owner of its memory.
func TestStaleBuffer(t *testing.T) {
	released(t)
	var p pool.Buffers
	for range 100 { // sync.Pool may drop one
		stale := lent(&p, new(report))
		b := p.Get(0)
		b.WriteString("mine")
		for i, use := range []func(){
			func() { stale.WriteString("other") },
			func() { stale.WriteByte('x') },
			func() { stale.Write([]byte("other")) },
			func() { sink += len(stale.Bytes()) },
			func() { sink += len(stale.AvailableBuffer()) },
			func() { sink += stale.Len() },
			func() { sink += stale.Cap() },
		} {
			if _, ok := panics(use).(runtime.Error); !ok {
				t.Fatalf("use %d of a Buffer that was put does not panic", i)
			}
		}
		if got := b.String(); got != "mine" || b.Len() != 4 {
			t.Fatalf("the next owner's buffer holds %q", got)
		}
		p.Put(b)
	}
}

// TestStaleLater checks how long after its Put a Buffer is distinguished from that of the
// memory's owner: always but at each 64th later use, and after 4096 uses for ever.
func TestStaleLater(t *testing.T) {
	alone(t)
	noticed := func(limit int64, before, uses int) bool {
		p := pool.Buffers{MaxBytes: limit}
		for range before {
			p.Put(p.Get(0))
		}
		stale := p.Get(0)
		p.Put(stale)
		for range uses - 1 {
			p.Put(p.Get(0))
		}
		owner := p.Get(0)
		twice := panics(func() { p.Put(stale) })
		used := panics(func() { stale.WriteByte('x') })
		if stale != owner && (twice == nil || used == nil) {
			t.Fatalf("after %d uses: a second Put panics with %v, a use with %v", uses, twice, used)
		}
		return twice != nil
	}
	for _, limit := range []int64{0, -1} { // memory that is kept, and that is not
		for _, before := range []int{0, 1, 63, 64, 100} {
			for uses := 1; uses < 64; uses++ {
				if !noticed(limit, before, uses) {
					t.Errorf("limit %d: a second Put, %d uses later, does not panic", limit, uses)
				}
			}
			for uses := 4096; uses <= 4096+64; uses++ {
				if !noticed(limit, before, uses) {
					t.Errorf("limit %d: a second Put, %d uses later, does not panic", limit, uses)
				}
			}
		}
		if noticed(limit, 0, 64) {
			t.Errorf("limit %d: a second Put, 64 uses later, panics: say so in the documentation", limit)
		}
	}
}

// TestZeroBuffer checks that a Buffer of no pool cannot be used, whatever the method.
func TestZeroBuffer(t *testing.T) {
	for i, use := range []func(b *pool.Buffer){
		func(b *pool.Buffer) { b.WriteByte('x') },
		func(b *pool.Buffer) { b.Write([]byte("x")) },
		func(b *pool.Buffer) { b.WriteString("x") },
		func(b *pool.Buffer) { b.WriteRune('x') },
		func(b *pool.Buffer) { b.Grow(1) },
		func(b *pool.Buffer) { b.Bytes() },
		func(b *pool.Buffer) { b.AvailableBuffer() },
		func(b *pool.Buffer) { _ = b.String() },
		func(b *pool.Buffer) { b.Len() },
		func(b *pool.Buffer) { b.Cap() },
		func(b *pool.Buffer) { b.Reset() },
		func(b *pool.Buffer) { b.Truncate(0) },
		func(b *pool.Buffer) { b.ReadFrom(strings.NewReader("x")) },
		func(b *pool.Buffer) { b.WriteTo(io.Discard) },
		func(b *pool.Buffer) { new(pool.Buffers).Put(b) },
	} {
		if panics(func() { use(new(pool.Buffer)) }) == nil {
			t.Errorf("use %d of a zero Buffer does not panic", i)
		}
	}
}

// TestReuse checks that the checked build gives values out again, as long as
// they are used as they should be.
func TestReuse(t *testing.T) {
	var p pool.Pool[request]
	var b pool.Buffers
	for range 1000 {
		p.With(func(r *request) { r.id++ })
		b.With(0, func(b *pool.Buffer) { b.WriteString("contents") })
	}
	for _, s := range []pool.Stats{p.Stats(), b.Stats()} {
		if s.Misses == 0 || s.Misses > 100 {
			t.Errorf("%d misses in 1000 uses, want a few", s.Misses)
		}
	}
}

// TestPoison checks what a reader sees who is late.
func TestPoison(t *testing.T) {
	if !checked.Enabled {
		t.Skip("this is not the checked build")
	}
	var p pool.Buffers
	b := p.Get(0)
	b.WriteString("contents")
	held := b.Bytes()
	p.Put(b)
	if got, want := string(held), strings.Repeat("\xDB", 8); got != want {
		t.Errorf("bytes that were put read %q, want %q", got, want)
	}
}

// TestWaiting checks that the checked build does not keep all that is put, and
// counts what it lets go.
func TestWaiting(t *testing.T) {
	if !checked.Enabled {
		t.Skip("this is not the checked build")
	}
	var p pool.Pool[request]
	var b pool.Buffers
	func() {
		var values []*request
		var buffers []*pool.Buffer
		for range 200 {
			values, buffers = append(values, p.Get()), append(buffers, b.Get(0))
		}
		for i := range values {
			p.Put(values[i])
			b.Put(buffers[i])
		}
	}()
	collect(t, "values kept", func() bool { return p.Stats().Kept <= 64 })
	collect(t, "buffers kept", func() bool { return b.Stats().Kept <= 64 })
}
