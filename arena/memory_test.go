package arena

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"
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
			t.Fatalf("memory %d was written by another owner", i)
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
	var keep []*Arena // so that no chunk is released to the heap
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

var overwrite *[8]int

// A link is of a list that takes a collection its time. The last one has arenas.
type link struct {
	next *link
	end  *inUse
}

// inUse are arenas, and objects of each.
type inUse struct {
	arenas  [100]*Arena
	objects [100][64]*node
}

// links returns a list at the end of which are arenas of p, and where these are.
//
//go:noinline
func links(p *Pool) (l *link, at uintptr) {
	end := &inUse{}
	for i := range end.arenas {
		end.arenas[i] = p.Get()
		for k := range end.objects[i] {
			n := New[node](end.arenas[i])
			n.list = &new([8]int)[3]
			*n.list = k
			end.objects[i][k] = n
		}
	}
	l = &link{end: end}
	for range 300_000 {
		l = &link{next: l}
	}
	return l, uintptr(unsafe.Pointer(end))
}

// loadAndFree takes pointers from the objects while a collection marks, which has looked at this stack already
// and has not come to the objects, and frees the arenas. It reports whether what they point to stayed when the
// collection was over.
func (u *inUse) loadAndFree(i int, done chan bool) bool {
	if i == len(u.arenas) {
		<-done
		for range 200_000 { // over what was freed, if anything was
			overwrite = new([8]int)
			overwrite[3] = -1
		}
		return true
	}
	var saved [64]*int // never on the heap: a store there would have a barrier
	for k, n := range &u.objects[i] {
		saved[k] = n.list
	}
	u.arenas[i].Free()
	if !u.loadAndFree(i+1, done) {
		return false
	}
	for k, p := range saved {
		if *p != k {
			return false
		}
	}
	return true
}

// TestClearDuringMark checks that write barriers show the collector the pointers in memory that is freed while it
// marks: the only other copies may be on a stack that it has scanned before.
func TestClearDuringMark(t *testing.T) {
	if (&Pool{}).Get() == nil {
		t.Skip("arenas are the heap")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	pool := &Pool{Policy: RecycleAll}
	for range 10 {
		list, at := links(pool)
		done := make(chan bool)
		go func() {
			runtime.GC()
			close(done)
		}()
		time.Sleep(300 * time.Microsecond)
		u := *(**inUse)(unsafe.Pointer(&at)) // which the list keeps
		if !u.loadAndFree(0, done) {
			t.Fatal("memory was collected that a goroutine has a pointer to")
		}
		runtime.KeepAlive(list)
	}
}

// TestClearNumbersDuringMark frees objects while the collector marks, whose numbers are addresses of memory that is not
// in use: taken for pointers, these end the program.
func TestClearNumbersDuringMark(t *testing.T) {
	type odd struct {
		p       *int
		numbers [3]uintptr
		_       []uintptr
	}
	much, _ := links(&Pool{})
	gone := make([]uintptr, 64)
	size := 128 << 10
	for i := range gone { // each in a span of its own
		b := make([]byte, size)
		gone[i] = uintptr(unsafe.Pointer(&b[i]))
	}
	runtime.GC()
	runtime.GC()
	pool := &Pool{Policy: RecycleAll}
	done := make(chan bool)
	go func() {
		for range 5 {
			runtime.GC()
		}
		close(done)
	}()
	for over := false; !over; {
		a := pool.Get()
		for i := range 200 {
			o := New[odd](a)
			o.p = new(int)
			for k := range o.numbers {
				o.numbers[k] = gone[(i+k)%len(gone)]
			}
		}
		a.Free()
		select {
		case <-done:
			over = true
		default:
		}
	}
	runtime.KeepAlive(much)
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
