package arena

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"lessgc/internal/alloctest"
	"lessgc/internal/checked"
)

var (
	_ io.Writer       = (*Builder)(nil)
	_ io.StringWriter = (*Builder)(nil)
	_ io.ByteWriter   = (*Builder)(nil)
	_ fmt.Stringer    = (*Builder)(nil)
)

// runBuilder does what ops say, with other allocations in between, and compares
// with a bytes.Buffer. Strings must stay what they are.
func runBuilder(t *testing.T, a *Arena, ops []byte) {
	b := NewBuilder(a)
	var want bytes.Buffer
	var made, copies []string
	for i, op := range ops {
		text := strings.Repeat(string(rune('a'+i%26)), int(op))
		switch op % 9 {
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

func TestBuilderModel(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	eachArena(t, func(t *testing.T, a *Arena) {
		for range 20 {
			ops := make([]byte, rnd.IntN(200))
			for i := range ops {
				ops[i] = byte(rnd.Uint32() >> rnd.IntN(8))
			}
			runBuilder(t, a, ops)
		}
	})
}

func FuzzBuilder(f *testing.F) {
	f.Add([]byte("\x00\x12\x04\x24\x06\x05\x24\x08\x04"))
	p := &Pool{Policy: RecycleAll}
	f.Fuzz(func(t *testing.T, ops []byte) {
		a := p.Get()
		runBuilder(t, a, ops)
		a.Free()
	})
}

// TestBuilderZero calls every method on a zero Builder.
func TestBuilderZero(t *testing.T) {
	var b Builder
	if b.String() != "" || b.Len() != 0 {
		t.Error("the zero Builder is not empty")
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
	mustPanic(t, "negative", func() { b.Grow(-1) })
}

// TestBuilderMemory pins that the builder grows in place when it is last, that
// String does not copy and gives back the rest, and what Reset keeps.
func TestBuilderMemory(t *testing.T) {
	if heapOnly || checked.Enabled {
		t.Skip("there is no arena, or it uses no memory twice")
	}
	at := func(s string) *byte { return unsafe.StringData(s) }
	for _, policy := range []Policy{Safe, RecycleTyped, RecycleAll} {
		p := &Pool{Policy: policy}
		a := p.Get()
		for range 40 {
			a.String(strings.Repeat("x", 1000)) // until there is a large chunk
		}
		b := NewBuilder(a)
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
		c := NewBuilder(a)
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

func TestBuilderAllocs(t *testing.T) {
	skipAllocs(t)
	p := &Pool{Policy: RecycleAll}
	word := "word"
	got := alloctest.PerRun(t, func() {
		a := p.Get()
		b := NewBuilder(a)
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
	if got != 0 {
		t.Errorf("%d allocations in a recycled arena, want 0", got)
	}
}
