package arena

import (
	"os/exec"
	"regexp"
	"testing"
	"unsafe"

	"lessgc/internal/alloctest"
	"lessgc/internal/checked"
)

// TestInlined checks that the compiler inlines what callers call per object.
func TestInlined(t *testing.T) {
	out, err := exec.Command("go", "build", "-gcflags=-m", "-o", t.TempDir(), "./testdata/inline").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	check := func(call string, times int) {
		t.Helper()
		got := regexp.MustCompile(`(?m)^testdata/inline/main.go:.* inlining call to arena\.`+regexp.QuoteMeta(call)).FindAllString(string(out), -1)
		if len(got) != times {
			t.Errorf("%s is inlined %d times, want %d: %q", call, len(got), times, got)
		}
	}
	check("NewArena", 1)
	check("(*Pool).Get", 2)
	check("(*Slab[go.shape", 2) // New
	check("Of[go.shape", 2)
	check("Append[go.shape", 1)
	check("New[go.shape", 1)
	check("MakeSlice[go.shape", 1)
	check("(*Arena).String", 1)
	check("(*Arena).Free", 2)
}

// TestSizes pins what the fast path loads: a slab within one cache line.
func TestSizes(t *testing.T) {
	check := func(what string, got, want uintptr) {
		t.Helper()
		if unsafe.Sizeof(uintptr(0)) == 8 && got != want {
			t.Errorf("size of %s is %d, want %d", what, got, want)
		}
	}
	check("Arena", unsafe.Sizeof(Arena{}), 16)
	check("slab", unsafe.Sizeof(slab{}), 56)
	check("Slab", unsafe.Sizeof(Slab[int]{}), 56)
}

// TestAllocs pins that an arena in its steady state leaves nothing to the heap but
// itself, and not even that if it is only passed to functions.
func TestAllocs(t *testing.T) {
	if checked.Strict {
		t.Skip("the checked build uses no memory twice")
	}
	check := func(name string, pool *Pool, want int, f func(*Arena)) {
		t.Helper()
		t.Run(name, func(t *testing.T) {
			life := func() {
				a := pool.Get()
				f(a)
				a.Free()
			}
			for range 20 {
				life()
			}
			if got := alloctest.PerRun(t, life); got != want {
				t.Errorf("%d allocations, want %d", got, want)
			}
		})
	}
	everything := func(a *Arena) {
		var s, more []*node
		nodes, pointers := Of[node](a), Of[*node](a)
		m := a.Mark()
		for range 1000 {
			n := New[node](a)
			n.next, n.value = nodes.New(), New[int](a)
			s, more = Append(a, s, n), pointers.Append(more, n)
			MakeSlice[uint16](a, 3, 5)
			a.Bytes([]byte("bytes"))
		}
		a.Release(m)
		MakeSlice[byte](a, 100_000, 100_000)
		New[[maxChunk + 1]byte](a)
	}
	texts := func(a *Arena) {
		for range 1000 {
			a.String("text")
		}
	}
	check("typed", &Pool{Policy: RecycleTyped}, 1, everything)
	check("all", &Pool{Policy: RecycleAll}, 1, func(a *Arena) {
		everything(a)
		texts(a)
	})
	check("safe", &Pool{}, 5, func(a *Arena) { // as on the heap
		escaped = New[node](a)
		escaped = New[node](a)
		escaped = New[int](a)
		escapedText = a.String("text")
	})
	check("safe, on the stack", &Pool{}, 1, func(a *Arena) { // as on the heap, what does not escape
		New[node](a).value = nil
		Of[node](a).New().value = nil
		a.String("text")
	})
	for policy, want := range []int{3, 1, 0} { // objects and text; text; nothing
		pool := &Pool{Policy: Policy(policy)}
		f := func() { onStack(pool) }
		for range 20 {
			f()
		}
		if got, want := alloctest.PerRun(t, f), want+escapes; got != want {
			t.Errorf("%v arena on the stack: %d allocations, want %d", Policy(policy), got, want)
		}
	}
}

// TestChunkFits pins that what lives of a safe arena have in common comes in one chunk of the
// right size, whatever large slices they have besides.
func TestChunkFits(t *testing.T) {
	const each = 100
	st := newState(new(Pool), nil)
	s := st.slabOf((*typed[*int])(nil))
	chunks := 0
	for range 3 {
		chunks = 0
		s.takeSlice(1000)
		for range each {
			if s.off <= s.lo {
				s.grow()
				chunks++
			}
			s.off -= s.size
		}
		st.release()
	}
	if chunks != 1 {
		t.Errorf("%d chunks in the third life, want 1", chunks)
	}
	if s.grow(); s.off != each*s.size {
		t.Errorf("a chunk of %d bytes, want %d", s.off, each*s.size)
	}
}

// escaped and escapedText keep values from the stack.
var (
	escaped     any
	escapedText string
)

// escapes is 1 where an arena is never on the stack: with 32 bits, what an atomic operation
// of 64 bits is given is on the heap.
var escapes = int(8/unsafe.Sizeof(uintptr(0))) - 1

// onStack is a life of an arena that is only passed to functions.
func onStack(pool *Pool) {
	a := pool.Get()
	escaped = New[node](a)
	n := Of[node](a)
	escaped = n.New()
	escapedText = a.String("text")
	a.Free()
}
