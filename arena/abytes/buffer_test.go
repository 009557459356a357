package abytes

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unsafe"

	"lessgc/arena"
	"lessgc/arena/deep"
	"lessgc/internal/alloctest"
	"lessgc/internal/checked"
	"lessgc/internal/panictest"
)

var (
	_ io.Writer       = (*Buffer)(nil)
	_ io.StringWriter = (*Buffer)(nil)
	_ io.ByteWriter   = (*Buffer)(nil)
	_ io.ReaderFrom   = (*Buffer)(nil)
	_ fmt.Stringer    = (*Buffer)(nil)
)

// eachArena runs f with an arena of every policy, which was used before, with a small
// one, and with the nil arena.
func eachArena(t *testing.T, f func(t *testing.T, a *arena.Arena)) {
	for _, policy := range []arena.Policy{arena.Safe, arena.RecycleTyped, arena.RecycleAll} {
		t.Run(policy.String(), func(t *testing.T) {
			p := &arena.Pool{Policy: policy}
			for range 2 {
				a := p.Get()
				f(t, a)
				a.Free()
			}
		})
	}
	t.Run("zero", func(t *testing.T) { f(t, new(arena.Arena)) })
	t.Run("heap", func(t *testing.T) { f(t, nil) })
}

// runBuffer does what ops say, with other allocations in between, and compares
// with a bytes.Buffer. Strings must stay what they are.
func runBuffer(t *testing.T, a *arena.Arena, ops []byte) {
	b := NewBuffer(a)
	var want bytes.Buffer
	var made, copies []string
	for i, op := range ops {
		text := strings.Repeat(string(rune('a'+i%26)), int(op))
		switch op % 12 {
		case 0:
			b.WriteString(text)
			want.WriteString(text)
		case 1:
			b.Write([]byte(text))
			want.WriteString(text)
		case 2:
			b.WriteByte(op)
			want.WriteByte(op)
		case 3:
			r := []rune{'x', 'ä', '世', '🙂', -1}[i%5]
			n, _ := b.WriteRune(r)
			if m, _ := want.WriteRune(r); n != m {
				t.Fatalf("WriteRune: %d, want %d", n, m)
			}
		case 4:
			made, copies = append(made, b.String()), append(copies, want.String())
		case 5:
			if i%4 == 0 {
				b.Reset()
				want.Reset()
			}
		case 6:
			made, copies = append(made, a.String(text)), append(copies, text)
		case 7:
			b.Grow(int(op))
		case 8:
			fmt.Fprintf(b, "%d", i)
			fmt.Fprintf(&want, "%d", i)
		case 9:
			n, err := b.ReadFrom(iotest.HalfReader(strings.NewReader(text)))
			if want.WriteString(text); n != int64(len(text)) || err != nil {
				t.Fatalf("ReadFrom: %d, %v; want %d", n, err, len(text))
			}
		case 10:
			n := want.Len() * (i % 4) / 3
			b.Truncate(n)
			want.Truncate(n)
		case 11:
			if got := b.Bytes(); !bytes.Equal(got, want.Bytes()) || cap(got) != len(got) || b.Cap() < b.Len() {
				t.Fatalf("bytes %q of capacity %d, buffer of %d, want %q", got, cap(got), b.Cap(), want.Bytes())
			}
		}
		if b.Len() != want.Len() {
			t.Fatalf("length %d, want %d", b.Len(), want.Len())
		}
	}
	made, copies = append(made, b.String()), append(copies, want.String())
	for i := range made {
		if made[i] != copies[i] {
			t.Fatalf("string %d: %q, want %q", i, made[i], copies[i])
		}
	}
}

func TestBufferModel(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	eachArena(t, func(t *testing.T, a *arena.Arena) {
		for range 20 {
			ops := make([]byte, rnd.IntN(200))
			for i := range ops {
				ops[i] = byte(rnd.Uint32() >> rnd.IntN(8))
			}
			runBuffer(t, a, ops)
		}
	})
}

func FuzzBuffer(f *testing.F) {
	f.Add([]byte("\x00\x12\x04\x24\x06\x05\x24\x08\x04"))
	p := &arena.Pool{Policy: arena.RecycleAll}
	f.Fuzz(func(t *testing.T, ops []byte) {
		a := p.Get()
		runBuffer(t, a, ops)
		a.Free()
	})
}

// TestBufferZero calls every method on a zero Buffer.
func TestBufferZero(t *testing.T) {
	var b Buffer
	b.Truncate(0)
	if n, err := b.ReadFrom(strings.NewReader("")); n != 0 || err != nil {
		t.Errorf("ReadFrom: %d, %v", n, err)
	}
	b = Buffer{}
	if b.String() != "" || b.Len() != 0 || b.Cap() != 0 || len(b.Bytes()) != 0 {
		t.Error("the zero Buffer is not empty")
	}
	b.Reset()
	b.Grow(0)
	b.WriteByte('a')
	b.WriteRune('b')
	b.WriteString("c")
	b.Write([]byte("d"))
	if b.String() != "abcd" {
		t.Errorf("%q", b.String())
	}
	panictest.Must(t, "negative", func() { b.Grow(-1) })
	panictest.Must(t, "out of range", func() { b.Truncate(-1) })
	panictest.Must(t, "out of range", func() { b.Truncate(5) })
	if s := fmt.Sprint((*Buffer)(nil)); s != "<nil>" {
		t.Errorf("nil prints as %q", s)
	}
}

// TestBufferMemory pins that the buffer grows in place when it is last, that
// String does not copy and gives back the rest, and what Reset keeps.
func TestBufferMemory(t *testing.T) {
	if checked.Enabled {
		t.Skip("there is no arena, or it uses no memory twice")
	}
	at := func(s string) *byte { return unsafe.StringData(s) }
	for _, policy := range []arena.Policy{arena.RecycleAll} {
		p := &arena.Pool{Policy: policy}
		a := p.Get()
		for range 40 {
			a.String(strings.Repeat("x", 1000)) // until there is a large chunk
		}
		b := NewBuffer(a)
		b.WriteString("one")
		first := at(b.String())
		b.WriteString(strings.Repeat("y", 1000))
		if at(b.String()) != first {
			t.Errorf("%v: it did not grow in place", policy)
		}
		end := uintptr(unsafe.Pointer(first)) + uintptr(b.Len())
		if next := a.String("next"); uintptr(unsafe.Pointer(at(next))) != end {
			t.Errorf("%v: String did not give back the rest", policy)
		}
		b.WriteByte('z')
		if at(b.String()) == first || b.Len() != 1004 {
			t.Errorf("%v: it grew over another string", policy)
		}
		c := NewBuffer(a)
		c.WriteString("first")
		place := unsafe.SliceData(c.buf)
		c.Reset()
		c.WriteString("second")
		if at(c.String()) != place {
			t.Errorf("%v: Reset gave up memory that nobody has", policy)
		}
		c.Reset()
		c.WriteString("third")
		if at(c.String()) == place {
			t.Errorf("%v: a string was overwritten", policy)
		}
		a.Free()
	}
}

func TestBufferAllocs(t *testing.T) {
	if checked.Enabled {
		t.Skip("this build allocates more")
	}
	p := &arena.Pool{Policy: arena.RecycleAll}
	word := "word"
	got := alloctest.PerRun(t, func() {
		a := p.Get()
		b := NewBuffer(a)
		for range 1000 {
			b.WriteString(word)
			b.WriteByte(' ')
			fmt.Fprintf(b, "%d", 7)
		}
		if len(b.String()) == 0 {
			t.Error("empty")
		}
		a.Free()
	})
	if got > 1 {
		t.Errorf("%d allocations in a recycled arena, want 1, the arena itself", got)
	}
}

// TestTruncate checks that what is written after Truncate and Reset changes no string.
func TestTruncate(t *testing.T) {
	eachArena(t, func(t *testing.T, a *arena.Arena) {
		b := NewBuffer(a)
		b.WriteString("one two")
		all := b.String()
		b.Truncate(4)
		b.WriteString("three")
		if got := b.String(); got != "one three" || all != "one two" {
			t.Errorf("%q after %q", got, all)
		}
		one := b.String()
		b.Truncate(3)
		three := b.String()
		b.Reset()
		b.WriteString("ONE TWO THREE")
		if all != "one two" || one != "one three" || three != "one" {
			t.Errorf("%q, %q, %q", all, one, three)
		}
	})
}

// TestReadFromErrors checks what ReadFrom does when the reader fails or lies.
func TestReadFromErrors(t *testing.T) {
	eachArena(t, func(t *testing.T, a *arena.Arena) {
		b := NewBuffer(a)
		b.WriteString("head ")
		fails := errors.New("fails")
		n, err := b.ReadFrom(io.MultiReader(strings.NewReader(strings.Repeat("x", 5000)), iotest.ErrReader(fails)))
		if n != 5000 || err != fails || b.String() != "head "+strings.Repeat("x", 5000) {
			t.Errorf("%d, %v, %d bytes", n, err, b.Len())
		}
		panictest.Must(t, "negative count", func() { b.ReadFrom(count(-1)) })
	})
}

// count is a reader that says it has read so many bytes.
type count int

func (n count) Read([]byte) (int, error) { return int(n), nil }

// TestBufferFreed checks that a buffer which needs memory after Free panics.
func TestBufferFreed(t *testing.T) {
	for _, policy := range []arena.Policy{arena.Safe, arena.RecycleTyped, arena.RecycleAll} {
		a := (&arena.Pool{Policy: policy}).Get()
		b := Buffer{a: a}
		b.WriteString("text")
		a.Free()
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("policy %v: no panic", policy)
				}
			}()
			b.Grow(1 << 20)
		}()
	}
}

// TestTwoBuffers checks that buffers that grow in turn cost memory in proportion to
// their text.
func TestTwoBuffers(t *testing.T) {
	if checked.Enabled {
		t.Skip("no memory is used twice")
	}
	check := func(what string, f func(b *Buffer)) {
		t.Helper()
		for _, policy := range []arena.Policy{arena.Safe, arena.RecycleTyped, arena.RecycleAll} {
			for _, n := range []int{1 << 10, 16 << 10, 64 << 10} {
				a := (&arena.Pool{Policy: policy}).Get()
				x, y := NewBuffer(a), NewBuffer(a)
				for range n {
					f(x)
					f(y)
				}
				if bytes, most := a.Stats().Bytes, int64(12*n+4096); bytes > most {
					t.Errorf("%s, policy %s: two buffers of %d bytes took %d, want at most %d", what, policy, n, bytes, most)
				}
				a.Free()
			}
		}
	}
	check("WriteByte", func(b *Buffer) { b.WriteByte('x') })
	check("String each time", func(b *Buffer) {
		b.WriteByte('x')
		_ = b.String()
	})
}

// TestReleaseBeforeTrim releases to a mark behind which a buffer gave memory back.
func TestReleaseBeforeTrim(t *testing.T) {
	a := (&arena.Pool{Policy: arena.RecycleAll}).Get()
	b := NewBuffer(a)
	b.Grow(400)
	b.WriteString("short")
	m := a.Mark()
	_ = b.String()
	a.Release(m)
	if got := b.String(); got != "short" {
		t.Errorf("%q, want short", got)
	}
	a.Free()
}

// TestMarks checks that buffers which write in turn, with marks and releases in between,
// leave what was made before a mark as it was.
func TestMarks(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	eachArena(t, func(t *testing.T, a *arena.Arena) {
		var texts, wants []string
		for range 100 {
			m := a.Mark()
			var all [3]*Buffer
			var want [3]string
			for i := range all {
				all[i] = NewBuffer(a)
			}
			var made, copies []string
			for range 60 {
				i, text := rnd.IntN(3), fmt.Sprint(rnd.Uint64())
				switch b := all[i]; rnd.IntN(8) {
				case 0:
					made, copies = append(made, b.String()), append(copies, want[i])
				case 1:
					b.Reset()
					want[i] = ""
				case 2:
					b.Grow(rnd.IntN(300))
				case 3:
					made, copies = append(made, a.String(text)), append(copies, text)
				default:
					b.WriteString(text)
					want[i] += text
				}
			}
			for i, b := range all {
				made, copies = append(made, b.String()), append(copies, want[i])
			}
			if !slices.Equal(made, copies) {
				t.Fatalf("%q, want %q", made, copies)
			}
			if rnd.IntN(2) == 0 {
				a.Release(m)
			} else {
				texts, wants = append(texts, made...), append(wants, copies...)
			}
		}
		if !slices.Equal(texts, wants) {
			t.Error("a release changed what was there before the mark")
		}
	})
}

// TestDeep checks that copies of a buffer by value of its arena work on the heap.
func TestDeep(t *testing.T) {
	p := arena.Pool{Policy: arena.RecycleAll}
	a := p.Get()
	b := NewBuffer(a)
	b.WriteString(strings.Repeat("x", 100))
	clone, moved := deep.Clone(b), deep.Detach(a, b)
	a.Free()
	next := p.Get()
	next.String(strings.Repeat("!", 4000))
	*arena.New[Buffer](next) = Buffer{buf: []byte("other")}
	for _, b := range []*Buffer{clone, moved} {
		for range 1000 {
			b.WriteByte('y')
		}
		if s := b.String(); s != strings.Repeat("x", 100)+strings.Repeat("y", 1000) {
			t.Errorf("%q", s)
		}
	}
	next.Free()
}

func BenchmarkBuffer(b *testing.B) {
	word := "a word "
	for _, n := range []int{5, 50, 500} {
		run := func(impl string, f func() int) {
			b.Run(fmt.Sprintf("words=%d/impl=%s", n, impl), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if f() != n*len(word) {
						b.Fatal("wrong length")
					}
				}
			})
		}
		run("builder", func() int {
			var w strings.Builder
			for range n {
				w.WriteString(word)
			}
			return len(w.String())
		})
		in := func(a *arena.Arena) int {
			w := NewBuffer(a)
			for range n {
				w.WriteString(word)
			}
			return len(w.String())
		}
		run("safe", func() int {
			a := arena.NewArena()
			defer a.Free()
			return in(a)
		})
		recycled := &arena.Pool{Policy: arena.RecycleAll}
		run("recycle", func() int {
			a := recycled.Get()
			defer a.Free()
			return in(a)
		})
	}
}
