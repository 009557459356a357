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
	if unsafe.Sizeof(uintptr(0)) == 8 { // else loading the switch costs too much
		check("NewArena", 1)
	}
	check("New[go.shape", 1)
	check("(*Slab[go.shape", 2) // New
	check("Of[go.shape", 2)
}

// TestSizes pins what the fast path loads: a slab within one cache line.
func TestSizes(t *testing.T) {
	check := func(what string, got, want uintptr) {
		t.Helper()
		if unsafe.Sizeof(uintptr(0)) == 8 && got != want {
			t.Errorf("size of %s is %d, want %d", what, got, want)
		}
	}
	check("Arena", unsafe.Sizeof(Arena{}), 8)
	check("slab", unsafe.Sizeof(slab{}), 48)
	check("Slab", unsafe.Sizeof(Slab[int]{}), 48)
}

// TestAllocs pins that an arena in its steady state leaves nothing to the heap.
func TestAllocs(t *testing.T) {
	if checked.Strict {
		t.Skip("the checked build uses no memory twice")
	}
	if heapOnly {
		t.Skip("arenas are the heap")
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
			a.Concat("a", "b", "c")
			a.Sprintf("%s", "text")
		}
	}
	check("typed", &Pool{}, 0, everything)
	check("all", &Pool{Policy: RecycleAll}, 0, func(a *Arena) {
		everything(a)
		texts(a)
	})
	check("safe", &Pool{Policy: Safe}, 1, func(a *Arena) {
		New[node](a)
		New[int](a)
		a.String("text")
		a.Bytes([]byte("bytes"))
	})
}
