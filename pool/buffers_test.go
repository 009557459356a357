package pool_test

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"lessgc/internal/alloctest"
	"lessgc/internal/checked"
	"lessgc/pool"
)

func TestBuffer(t *testing.T) {
	var p pool.Buffers
	for _, b := range []*pool.Buffer{p.Get(0), p.Get(5000)} {
		check := func(want string) {
			t.Helper()
			if got := b.String(); got != want || string(b.Bytes()) != want || b.Len() != len(want) || b.Cap() < len(want) {
				t.Errorf("String() = %q, Bytes() = %q, Len() = %d, Cap() = %d, want %q", got, b.Bytes(), b.Len(), b.Cap(), want)
			}
		}
		count := func(got int, err error) {
			t.Helper()
			if err != nil || got != 2 {
				t.Errorf("wrote %d, %v, want 2", got, err)
			}
		}
		check("")
		count(b.Write([]byte("ab")))
		count(b.WriteString("cd"))
		if err := b.WriteByte('e'); err != nil {
			t.Error(err)
		}
		count(b.WriteRune('é'))
		check("abcdeé")
		b.Truncate(2)
		b.Write(strconv.AppendInt(b.AvailableBuffer(), 42, 10))
		check("ab42")
		b.Grow(10_000)
		if free := b.Cap() - b.Len(); free < 10_000 {
			t.Errorf("%d bytes free after Grow(10000)", free)
		}
		check("ab42")
		if n, err := b.ReadFrom(iotest.OneByteReader(strings.NewReader("xyz"))); n != 3 || err != nil {
			t.Errorf("ReadFrom = %d, %v, want 3", n, err)
		}
		var out bytes.Buffer
		if n, err := b.WriteTo(&out); n != 7 || err != nil || out.String() != "ab42xyz" {
			t.Errorf("WriteTo = %d, %v and wrote %q", n, err, out.String())
		}
		check("ab42xyz")
		b.Reset()
		check("")
	}
}

func TestBufferErrors(t *testing.T) {
	var p pool.Buffers
	b := p.Get(0)
	broken := errors.New("broken")
	if n, err := b.ReadFrom(io.MultiReader(strings.NewReader("ab"), iotest.ErrReader(broken))); n != 2 || err != broken {
		t.Errorf("ReadFrom = %d, %v, want 2, %v", n, err, broken)
	}
	if n, err := b.WriteTo(iotest.TruncateWriter(io.Discard, 0)); n != 2 || err != nil {
		t.Errorf("WriteTo = %d, %v, want 2", n, err)
	}
	if n, err := b.WriteTo(short{}); n != 1 || err != io.ErrShortWrite {
		t.Errorf("WriteTo a short Writer = %d, %v, want 1, %v", n, err, io.ErrShortWrite)
	}
	check := func(what string, f func(), want string) {
		t.Helper()
		if got := panics(f); got != want {
			t.Errorf("%s panics with %v, want %q", what, got, want)
		}
	}
	const truncate = "pool: Truncate to a length that the Buffer does not have"
	check("Truncate(3)", func() { b.Truncate(3) }, truncate)
	check("Truncate(-1)", func() { b.Truncate(-1) }, truncate)
	check("Get(-1)", func() { p.Get(-1) }, "pool: Get with a negative size")
	check("ReadFrom", func() { b.ReadFrom(liar(1)) }, "pool: a Reader returned an impossible count")
	check("ReadFrom", func() { b.ReadFrom(liar(-1 << 30)) }, "pool: a Reader returned an impossible count")
	check("WriteTo", func() { b.WriteTo(liar(1)) }, "pool: a Writer returned an impossible count")
	check("WriteTo", func() { b.WriteTo(liar(-1 << 30)) }, "pool: a Writer returned an impossible count")
	if got := panics(func() { b.Grow(-1) }); got == nil {
		t.Error("Grow(-1) does not panic")
	}
}

// short writes one byte and calls that a success.
type short struct{}

func (short) Write(p []byte) (int, error) { return 1, nil }

// liar is wrong by so many bytes.
type liar int

func (l liar) Read(p []byte) (int, error)  { return len(p) + int(l), nil }
func (l liar) Write(p []byte) (int, error) { return len(p) + int(l), nil }

// TestDroppedIsPoisoned checks that memory which the pool does not keep is filled
// with poison as well.
func TestDroppedIsPoisoned(t *testing.T) {
	if !checked.Enabled {
		t.Skip("only in the checked build")
	}
	for _, p := range []*pool.Buffers{{}, {MaxBytes: -1}} {
		b := p.Get(0)
		b.WriteString(strings.Repeat("x", 100<<10))
		held := b.Bytes()
		p.Put(b)
		if poisoned(held) != 0xDB {
			t.Errorf("a late reader sees %q", poisoned(held))
		}
	}
}

// poisoned reads without the race detector, which would rightly complain.
//
//go:norace
func poisoned(b []byte) byte { return b[len(b)-1] }

// TestBuffersZero calls every method of zero Buffers.
func TestBuffersZero(t *testing.T) {
	var stats, get, with, str, byt pool.Buffers
	if got := stats.Stats(); got != (pool.Stats{}) {
		t.Errorf("Stats() = %+v, want zeros", got)
	}
	get.Put(get.Get(0))
	with.With(0, func(b *pool.Buffer) { b.WriteString("x") })
	if got := str.String(0, func(b *pool.Buffer) { b.WriteString("x") }); got != "x" {
		t.Errorf("String = %q, want x", got)
	}
	if got := byt.Bytes(0, func(*pool.Buffer) {}); got == nil || len(got) != 0 {
		t.Errorf("Bytes = %v, want empty and not nil", got)
	}
}

// TestBuffersCapacity checks around the limits of every class that a buffer,
// fresh or used, has the capacity that was asked for and is empty.
func TestBuffersCapacity(t *testing.T) {
	var p pool.Buffers
	sizes, largest := []int{0, 1, 17<<20 + 1}, 16<<20
	if checked.Race {
		largest = 1 << 20 // the race detector takes seconds for the others
	}
	for size := 1 << 10; size <= largest; size *= 2 {
		sizes = append(sizes, size-1, size, size+1)
	}
	for range 3 {
		for _, size := range sizes {
			b := p.Get(size)
			if b.Cap() < size || b.Len() != 0 {
				t.Errorf("Get(%d) has length %d and capacity %d", size, b.Len(), b.Cap())
			}
			b.WriteByte('x')
			p.Put(b)
		}
	}
}

// TestBuffersCopied checks that what the scoped methods return does not change.
func TestBuffersCopied(t *testing.T) {
	alone(t)
	var p pool.Buffers
	write := func(s string) func(*pool.Buffer) { return func(b *pool.Buffer) { b.WriteString(s) } }
	str, byt := p.String(0, write("first")), p.Bytes(0, write("first"))
	p.With(0, write("other"))
	if str != "first" || string(byt) != "first" {
		t.Errorf("String = %q, Bytes = %q after the next use, want both as they were", str, byt)
	}
	if got, want := p.Stats().Misses, uint64(1); got != want {
		t.Errorf("%d misses, want %d: this tests nothing unless the memory is shared", got, want)
	}
}

func TestBuffersRetention(t *testing.T) {
	alone(t)
	const KiB, MiB = 1 << 10, 1 << 20
	write := func(n int) func(*pool.Buffers) {
		return func(p *pool.Buffers) { p.With(0, func(b *pool.Buffer) { b.Write(make([]byte, n)) }) }
	}
	ask := func(n int) func(*pool.Buffers) {
		return func(p *pool.Buffers) { p.With(n, func(b *pool.Buffer) {}) }
	}
	grow := func(n int) func(*pool.Buffers) {
		return func(p *pool.Buffers) { p.With(0, func(b *pool.Buffer) { b.Grow(n) }) }
	}
	again := func(p *pool.Buffers) {
		p.With(0, func(b *pool.Buffer) {
			b.Write(make([]byte, MiB))
			b.Reset()
		})
	}
	times := func(n int, use func(*pool.Buffers)) func(*pool.Buffers) {
		return func(p *pool.Buffers) {
			for range n {
				use(p)
			}
		}
	}
	// check runs the uses and wants the memory kept in the end to be within least
	// and most.
	check := func(what string, least, most int64, uses ...func(*pool.Buffers)) {
		t.Helper()
		var p pool.Buffers
		for _, use := range uses {
			use(&p)
		}
		if got := p.Stats().KeptBytes; got < least || most < got {
			t.Errorf("%s: %d bytes kept, want %d to %d", what, got, least, most)
		}
	}
	check("up to 4 KiB", 4*KiB, 4*KiB, write(4*KiB), write(1), write(1), write(1), write(1), write(1), write(1))
	check("40 KiB, at first", 40*KiB, 60*KiB, write(40*KiB))
	check("40 KiB, 63 small uses", 40*KiB, 60*KiB, write(40*KiB), times(63, write(1)))
	check("40 KiB, 64 small uses", 0, 0, write(40*KiB), times(64, write(1)))
	check("40 KiB, needed now and then", 40*KiB, 60*KiB, write(40*KiB), times(63, write(1)), write(20*KiB), times(63, write(1)))
	check("40 KiB, 64 small uses, new memory", 40*KiB, 60*KiB, write(40*KiB), times(64, write(1)), grow(40*KiB))
	check("40 KiB, 65 small uses", KiB, KiB, write(40*KiB), times(65, write(1)))
	check("40 KiB asked for, not written", 64*KiB, 64*KiB, times(65, ask(40*KiB)))
	check("40 KiB, 1 MiB once", 0, 0, write(40*KiB), write(MiB))
	check("40 KiB, 1 MiB once, then small", 40*KiB, 64*KiB, write(40*KiB), write(MiB), write(1))
	check("4 KiB taken back, then 40 KiB, 64 small uses", 0, 0, func(p *pool.Buffers) {
		p.With(0, func(b *pool.Buffer) {
			b.Write(make([]byte, 4*KiB))
			b.Reset()
		})
	}, grow(40*KiB), times(63, write(1)))
	check("1 MiB once", 0, 0, write(MiB))
	check("1 MiB once, then small", KiB, KiB, write(MiB), write(1))
	check("1 MiB now and then", 0, 0, write(MiB), write(1), write(MiB), write(1), write(MiB))
	check("1 MiB twice", MiB, 2*MiB, write(MiB), write(MiB))
	check("1 MiB twice, 3 small uses", MiB, 2*MiB, write(MiB), write(MiB), write(1), write(1), write(1))
	check("1 MiB twice, 4 small uses", 0, 0, write(MiB), write(MiB), write(1), write(1), write(1), write(1))
	check("1 MiB asked for once", 0, 0, ask(MiB))
	check("1 MiB asked for twice", MiB, MiB, ask(MiB), ask(MiB))
	check("1 MiB of room, not written", 0, 0, grow(MiB), grow(MiB), grow(MiB))
	check("1 MiB written and taken back", MiB, 2*MiB, again, again)
	check("1 MiB taken back, 4 small uses", 0, 0, again, again, write(1), write(1), write(1), write(1))
	check("17 MiB", 0, 0, write(17*MiB), write(17*MiB), write(17*MiB))
	check("17 MiB asked for", 0, 0, ask(17*MiB), ask(17*MiB), ask(17*MiB))
}

// TestBuffersWant checks that a user without a size gets what the last two uses
// both needed, but no more than 64 KiB.
func TestBuffersWant(t *testing.T) {
	alone(t)
	check := func(want int, needs ...int) {
		t.Helper()
		p := pool.Buffers{MaxBytes: -1}
		for _, n := range needs {
			p.With(0, func(b *pool.Buffer) { b.Write(make([]byte, n)) })
		}
		if got := p.Get(0).Cap(); got != want {
			t.Errorf("after uses that needed %d: capacity %d, want %d", needs, got, want)
		}
	}
	check(1<<10, 2<<10)
	check(2<<10, 8<<10, 2<<10)
	check(2<<10, 2<<10, 8<<10)
	check(64<<10, 17<<20, 17<<20)
}

func TestBuffersStats(t *testing.T) {
	alone(t)
	var p pool.Buffers
	check := func(want pool.Stats) {
		t.Helper()
		if got := p.Stats(); got != want {
			t.Errorf("Stats() = %+v, want %+v", got, want)
		}
	}
	a, b := p.Get(0), p.Get(4096)
	check(pool.Stats{Misses: 2})
	p.Put(a)
	check(pool.Stats{Misses: 2, Kept: 1, KeptBytes: 1024})
	p.Put(b)
	check(pool.Stats{Misses: 2, Kept: 2, KeptBytes: 5120})
	a = p.Get(0)
	check(pool.Stats{Misses: 2, Kept: 2, KeptBytes: 5120})
	a.Grow(1 << 20)
	p.Put(a)
	check(pool.Stats{Misses: 2, Dropped: 1, Kept: 1, KeptBytes: 4096})
	p.Put(p.Get(0))
	check(pool.Stats{Misses: 3, Dropped: 1, Kept: 2, KeptBytes: 5120})
	p.With(0, func(b *pool.Buffer) { b.Write(make([]byte, 4096)) })
	check(pool.Stats{Misses: 3, Dropped: 1, Kept: 2, KeptBytes: 8192})
}

func TestBuffersLimit(t *testing.T) {
	check := func(limit, want int64) {
		t.Helper()
		p := pool.Buffers{MaxBytes: limit}
		var bs []*pool.Buffer
		for range 5 {
			bs = append(bs, p.Get(4096))
		}
		for _, b := range bs {
			p.Put(b)
			runtime.KeepAlive(b)
		}
		s := p.Stats()
		if s.KeptBytes != want || s.Kept != want/4096 || s.Dropped != uint64(5-want/4096) {
			t.Errorf("limit %d: Stats() = %+v, want %d bytes kept", limit, s, want)
		}
		runtime.KeepAlive(bs)
	}
	check(0, 5*4096)
	check(-1, 0)
	check(4095, 0)
	check(4096, 4096)
	check(3*4096-1, 2*4096)
	check(3*4096, 3*4096)
}

// TestBuffersIdle checks that collections empty a pool, and that it notices, also
// of a buffer that does not come back.
func TestBuffersIdle(t *testing.T) {
	uncollected(t)
	p := pool.Buffers{MaxBytes: 100 << 10}
	fill := func() {
		var bs []*pool.Buffer
		for range 25 {
			bs = append(bs, p.Get(4096))
		}
		for _, b := range bs {
			p.Put(b)
		}
	}
	fill()
	if got := p.Stats().KeptBytes; got != 100<<10 {
		t.Errorf("%d bytes kept, want %d", got, 100<<10)
	}
	panics(func() { p.With(4096, func(*pool.Buffer) { panic("use") }) })
	collect(t, "bytes kept", func() bool { return p.Stats().KeptBytes == 0 })
	if s := p.Stats(); s.Kept != 0 || s.Dropped != 25 {
		t.Errorf("Stats() = %+v, want 25 dropped and none kept", s)
	}
	fill()
	if got := p.Stats().KeptBytes; got != 100<<10 {
		t.Errorf("%d bytes kept, want the limit to be free again", got)
	}
}

func TestBuffersPanic(t *testing.T) {
	var p pool.Buffers
	check := func(what string, f func(use func(*pool.Buffer))) {
		t.Helper()
		var held []byte
		got := panics(func() {
			f(func(b *pool.Buffer) {
				b.WriteString("held")
				held = b.Bytes()
				panic("use")
			})
		})
		if got != "use" {
			t.Errorf("%s panics with %v, want what its function panics with", what, got)
		}
		for range 20 {
			p.With(0, func(b *pool.Buffer) { b.WriteString("next") })
		}
		if string(held) != "held" {
			t.Errorf("%s: bytes of a use that panicked became %q", what, held)
		}
	}
	check("With", func(use func(*pool.Buffer)) { p.With(0, use) })
	check("String", func(use func(*pool.Buffer)) { p.String(0, use) })
	check("Bytes", func(use func(*pool.Buffer)) { p.Bytes(0, use) })
}

func TestBuffersAllocs(t *testing.T) {
	released(t)
	var p pool.Buffers
	check := func(what string, want int, f func()) {
		t.Helper()
		if got := alloctest.PerRun(t, f); got != want {
			t.Errorf("%s: %d allocations, want %d", what, got, want)
		}
	}
	write := func(b *pool.Buffer) { sink, _ = b.WriteString("some bytes") }
	check("Get, Put", 0, func() {
		b := p.Get(0)
		write(b)
		p.Put(b)
	})
	check("Get, Put 4096 times", 1, func() {
		for range 4096 {
			p.Put(p.Get(0))
		}
	})
	check("Get 200000, Put", 0, func() { p.Put(p.Get(200_000)) })
	check("With", 0, func() { p.With(0, func(b *pool.Buffer) { sink, _ = b.WriteString("some bytes") }) })
	check("String", 1, func() { sink = len(p.String(0, write)) })
	check("Bytes", 1, func() { sink = cap(p.Bytes(0, write)) })
	check("Stats", 0, func() { sink = int(p.Stats().Kept) })
}

// TestBuffersStress has many goroutines of different needs share a pool with a
// limit that they reach.
func TestBuffersStress(t *testing.T) {
	const limit = 256 << 10
	p := pool.Buffers{MaxBytes: limit}
	var over sync.Once
	stress(t, func(g, i int) {
		text := strings.Repeat(string(rune('a'+g)), 1+g*i%5000)
		p.With(g%3*len(text)/2, func(b *pool.Buffer) {
			b.WriteString(text)
			runtime.Gosched()
			if b.String() != text {
				t.Errorf("buffer of goroutine %d was changed", g)
			}
		})
		if got := p.Stats().KeptBytes; got > limit || got < 0 {
			over.Do(func() { t.Errorf("%d bytes kept, want 0 to %d", got, limit) })
		}
	})
	if s := p.Stats(); s.Misses == 0 || s.Misses > stressed {
		t.Errorf("%d of %d uses allocated", s.Misses, stressed)
	}
}
