package index

import (
	"math"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"runtime"
	"runtime/metrics"
	"testing"
	"unsafe"

	"lessgc/internal/alloctest"
	"lessgc/internal/checked"
	"lessgc/internal/panictest"
)

// A link refers to others of its kind by handle.
type link struct {
	next Handle[link]
	n    int
}

func TestIndexModel(t *testing.T) {
	var x Index[link]
	want := map[Handle[link]]int{}
	places := map[Handle[link]]*link{}
	var handles []Handle[link]
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range 20_000 {
		if len(handles) > 0 && rnd.IntN(3) == 0 {
			j := rnd.IntN(len(handles))
			x.Free(handles[j])
			delete(want, handles[j])
			handles[j] = handles[len(handles)-1]
			handles = handles[:len(handles)-1]
			continue
		}
		h := x.New()
		if _, used := want[h]; used || h == 0 || *x.At(h) != (link{}) {
			t.Fatalf("handle %d: in use %v, %+v", h, used, x.At(h))
		}
		if p := places[h]; p != nil && p != x.At(h) {
			t.Fatalf("object %d moved", h)
		}
		*x.At(h) = link{h, i}
		want[h], places[h] = i, x.At(h)
		handles = append(handles, h)
	}
	for h, n := range want {
		if *x.At(h) != (link{h, n}) || x.At(h) != places[h] {
			t.Fatalf("object %d: %+v, want %d", h, x.At(h), n)
		}
	}
	if x.Len() != len(want) {
		t.Errorf("%d objects, want %d", x.Len(), len(want))
	}
	chunks, used := len(x.chunks), x.last
	x.Reset()
	if x.Len() != 0 {
		t.Errorf("%d objects after Reset", x.Len())
	}
	for range used {
		if h := x.New(); *x.At(h) != (link{}) {
			t.Fatalf("object %d is not zero after Reset", h)
		}
	}
	if len(x.chunks) != chunks {
		t.Error("Reset gave up memory")
	}
}

// TestIndexZero calls every method on a zero Index.
func TestIndexZero(t *testing.T) {
	var x Index[int]
	x.Reset()
	x.Free(0)
	if x.At(0) != nil || x.Len() != 0 {
		t.Error("the zero Index is not empty")
	}
	if h := x.New(); h != 1 || *x.At(h) != 0 {
		t.Errorf("first handle %d, object %d", h, *x.At(h))
	}
}

func TestIndexTypes(t *testing.T) {
	var big Index[[5000]int]
	var none Index[struct{}]
	var odd Index[[3]byte]
	for i := range 100 {
		big.At(big.New())[4999] = i
		none.New()
		odd.At(odd.New())[2] = byte(i)
	}
	if big.At(100)[4999] != 99 || len(big.chunks) != 100 || none.Len() != 100 || odd.At(1)[2] != 0 || odd.At(100)[2] != 99 {
		t.Error("objects are not where they were")
	}
	panictest.Must(t, "has pointers", func() { new(Index[string]).New() })
	panictest.Must(t, "has pointers", func() { new(Index[struct{ f [2]func() }]).New() })
	new(Index[[0]*int]).New()
	full := Index[struct{}]{last: math.MaxUint32, chunks: make([][]struct{}, 1<<18), shift: 14}
	panictest.Must(t, "at most 1<<32-1", func() { full.New() })
}

// TestIndexNotScanned checks that the collector does not look into an Index: 32
// MB of links add next to nothing to what it scans, while pointers do.
func TestIndexNotScanned(t *testing.T) {
	scannable := func() uint64 {
		runtime.GC()
		sample := []metrics.Sample{{Name: "/gc/scan/heap:bytes"}}
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	const n = 2 << 20
	before := scannable()
	var x Index[link]
	last := Handle[link](0)
	for range n {
		h := x.New()
		x.At(h).next = last
		last = h
	}
	if after := scannable(); after > before+n {
		t.Errorf("%d bytes to scan for %d objects of %d bytes", after-before, n, unsafe.Sizeof(link{}))
	}
	runtime.KeepAlive(&x)
	pointers := make([]*link, n)
	if after := scannable(); after < before+n {
		t.Errorf("%d bytes to scan for %d pointers: the metric shows nothing", after-before, n)
	}
	runtime.KeepAlive(pointers)
}

// TestIndexInlined checks that the compiler inlines At.
func TestIndexInlined(t *testing.T) {
	out, err := exec.Command("go", "build", "-gcflags=-m", "-o", t.TempDir(), "./testdata/inline").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !regexp.MustCompile(`inlining call to index\.\(\*Index\[.*\.At`).Match(out) {
		t.Errorf("At is not inlined:\n%s", out)
	}
}

func TestIndexAllocs(t *testing.T) {
	if checked.Enabled {
		t.Skip("this build allocates more")
	}
	var x Index[link]
	got := alloctest.PerRun(t, func() {
		for range 10_000 {
			x.New()
		}
		for h := range Handle[link](100) {
			x.Free(h)
		}
		for range 99 {
			x.New()
		}
		x.Reset()
	})
	if got != 0 {
		t.Errorf("%d allocations in memory that was used before, want 0", got)
	}
}

// TestIndexStale checks that an object cannot be freed twice, nor one that an Index
// does not have.
func TestIndexStale(t *testing.T) {
	const want = "Index.Free of a handle that was freed before"
	var x Index[link]
	h, other := x.New(), x.New()
	x.Free(h)
	panictest.Must(t, want, func() { x.Free(h) })
	panictest.Must(t, want, func() { x.Free(other + 1) })
	panictest.Must(t, want, func() { x.Free(1<<32 - 1) })
	if x.Len() != 1 {
		t.Errorf("%d objects after one Free of two", x.Len())
	}
	again := x.New()
	if !checked.Strict && again != h {
		t.Errorf("handle %d is not used again, New returned %d", h, again)
	}
	x.At(again).n = 1
	x.Free(again)
	panictest.Must(t, want, func() { x.Free(again) })
	if checked.Strict {
		panictest.Must(t, want, func() { x.Free(h) })
		panictest.Must(t, "Index.At of a handle that was freed", func() { x.At(h) })
	}
	x.Reset()
	panictest.Must(t, want, func() { x.Free(other) })

	var handles []Handle[link]
	for range 10_000 {
		handles = append(handles, x.New())
	}
	for _, h := range handles {
		x.Free(h)
	}
	for _, h := range handles {
		panictest.Must(t, want, func() { x.Free(h) })
	}
	seen := map[Handle[link]]bool{}
	for range 20_000 {
		h := x.New()
		if seen[h] {
			t.Fatalf("handle %d has two owners", h)
		}
		seen[h] = true
	}
}
