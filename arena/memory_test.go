package arena

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"unsafe"

	"lessgc/internal/checked"
)

// The tests of docs/memory-model.md that are about nothing else.

// TestStackCopy checks that arena objects stay where they are when the stack
// that holds the pointers to them moves.
func TestStackCopy(t *testing.T) {
	a := NewArena()
	defer a.Free()
	var deep func(n int, p *node) int
	deep = func(n int, p *node) int {
		var frame [512]byte
		q := New[node](a)
		q.prev, q.value = p, n
		sum := int(frame[n%512])
		if n > 0 {
			sum += deep(n-1, q)
		}
		if q.value != n || q.prev != p {
			t.Fatalf("frame %d: value %v", n, q.value)
		}
		return sum
	}
	done := make(chan bool)
	go func() { // on a small stack
		defer close(done)
		a.Adopt()
		deep(2000, New[node](a))
	}()
	<-done
	a.Adopt()
}

// TestMakeRaw checks that the memory of strings belongs to nobody else.
func TestMakeRaw(t *testing.T) {
	type raw struct {
		p unsafe.Pointer
		n int
	}
	var all []raw
	for i := range 200 {
		n := 1 + i*i*10
		p, got := makeRaw(n)
		if got < n {
			t.Fatalf("%d bytes, want %d", got, n)
		}
		for j := range unsafe.Slice((*byte)(p), got) {
			unsafe.Slice((*byte)(p), got)[j] = byte(i)
		}
		all = append(all, raw{p, got})
		if i%50 == 0 {
			runtime.GC()
		}
	}
	for i, r := range all {
		want := strings.Repeat(string([]byte{byte(i)}), r.n)
		if unsafe.String((*byte)(r.p), r.n) != want {
			t.Fatalf("memory %d was written by somebody else", i)
		}
	}
}

// TestTypeStays checks that memory which was a T is never anything else.
func TestTypeStays(t *testing.T) {
	if checked.Strict {
		t.Skip("the checked build gives memory back to the heap")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // so does a collection
	pool := &Pool{Policy: RecycleAll}
	of := map[uintptr]string{}
	see := func(p unsafe.Pointer, typ string) {
		if was, ok := of[uintptr(p)]; ok && was != typ {
			t.Fatalf("%p was a %s and is a %s", p, was, typ)
		}
		of[uintptr(p)] = typ
	}
	var keep []*Arena // so that no chunk goes back to the heap
	for i := range 50 {
		a := pool.Get()
		for range 100 * (i%5 + 1) {
			see(unsafe.Pointer(New[bool](a)), "bool")
			see(unsafe.Pointer(New[uint8](a)), "uint8")
			see(unsafe.Pointer(New[node](a)), "node")
			see(unsafe.Pointer(New[[4]string](a)), "strings")
			see(unsafe.Pointer(unsafe.SliceData(MakeSlice[*int](a, 3, 3))), "pointers")
			see(unsafe.Pointer(unsafe.StringData(a.String("text"))), "text")
		}
		keep = append(keep, a)
		if i%10 == 9 {
			for _, a := range keep {
				a.Free()
			}
			keep = nil
		}
	}
	runtime.KeepAlive(pool)
}

// TestAdjacent checks that a slice never grows from the end of one chunk into
// the next one, which may well lie behind it.
func TestAdjacent(t *testing.T) {
	pool := &Pool{Policy: RecycleAll}
	for range 20 {
		a := pool.Get()
		var fill [][]byte
		for range 200 {
			s := MakeSlice[byte](a, maxChunk/8, maxChunk/8)
			New[byte](a)
			grown := Append(a, s, make([]byte, 100)...)
			if &grown[0] == &s[0] && !inOneChunk(a, grown[:cap(grown)]) {
				t.Fatal("a slice over two chunks")
			}
			fill = append(fill, s)
		}
		runtime.KeepAlive(fill)
		a.Free()
	}
}

// inOneChunk reports whether all of s is in one chunk of a.
func inOneChunk(a *Arena, s []byte) bool {
	from := uintptr(unsafe.Pointer(&s[0]))
	sl := a.state().slabOf((*typed[byte])(nil))
	for _, c := range sl.chunks {
		if base := uintptr(c.base); from >= base && from+uintptr(len(s)) <= base+c.size {
			return true
		}
	}
	return false
}

// TestClearDuringMark moves pointers out of an arena that is freed while the
// collector marks: without barriers it would miss what they point to.
func TestClearDuringMark(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	pool := &Pool{Policy: RecycleAll}
	const n = 2000
	for range 20 {
		a := pool.Get()
		nodes := make([]*node, n)
		for i := range nodes {
			nodes[i] = New[node](a)
			nodes[i].list = &new([8]int)[3]
			*nodes[i].list = i
		}
		saved := make([]*int, n)
		done := make(chan bool)
		go func() {
			runtime.GC()
			close(done)
		}()
		for i, n := range nodes {
			saved[i] = n.list
		}
		a.Free()
		<-done
		garbage := make([][]int, n)
		for i := range garbage {
			garbage[i] = make([]int, 8)
			garbage[i][3] = -1
		}
		for i, p := range saved {
			if *p != i {
				t.Fatalf("%d is %d", i, *p)
			}
		}
	}
}

// TestChunkIsNotTiny checks that no chunk is so small that the runtime puts it
// with others into one block, which weak pointers could not tell apart.
func TestChunkIsNotTiny(t *testing.T) {
	for _, policy := range policies {
		a := (&Pool{Policy: policy}).Get()
		New[bool](a)
		New[[3]byte](a)
		MakeSlice[byte](a, 1, 1)
		a.String("a")
		if a.st.watch == nil {
			for _, s := range a.state().all {
				for _, c := range s.chunks {
					if c.size < 16 {
						t.Errorf("%v: a chunk of %d bytes", policy, c.size)
					}
				}
			}
		}
		a.Free()
	}
}

// TestCleanup pins when a cleanup on an arena object runs: with its chunk.
func TestCleanup(t *testing.T) {
	if checked.Strict {
		t.Skip("objects have no chunk in common")
	}
	ran := make(chan bool, 1)
	a := new(Arena)
	a.open()
	other := New[node](a) // in a chunk with the next one
	runtime.AddCleanup(New[node](a), func(int) { ran <- true }, 0)
	a.Free()
	for range 3 {
		runtime.GC()
	}
	if len(ran) != 0 {
		t.Error("the cleanup ran although the chunk is in use")
	}
	runtime.KeepAlive(other)
	eventually(t, "cleanup", func() bool { return len(ran) == 1 })
}
