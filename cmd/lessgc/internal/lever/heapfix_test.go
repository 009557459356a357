package lever

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
)

// A loggedHeap notes the calls of its methods Less and Swap. It has methods push and pop as heap-fix writes them.
type loggedHeap struct {
	items []loggedItem
	calls []string
}

type loggedItem struct{ key, number, index int }

func (h *loggedHeap) Len() int { return len(h.items) }

func (h *loggedHeap) Less(i, j int) bool {
	h.calls = append(h.calls, fmt.Sprintf("less %d %d, %v %v", i, j, h.items[i], h.items[j]))
	return h.items[i].key < h.items[j].key
}

func (h *loggedHeap) Swap(i, j int) {
	h.calls = append(h.calls, fmt.Sprintf("swap %d %d", i, j))
	h.items[i], h.items[j] = h.items[j], h.items[i]
	h.items[i].index, h.items[j].index = i, j
}

func (h *loggedHeap) Push(x any) {
	it := x.(loggedItem)
	it.index = len(h.items)
	h.items = append(h.items, it)
}

func (h *loggedHeap) Pop() any {
	n := len(h.items) - 1
	it := h.items[n]
	h.items[n] = loggedItem{}
	h.items = h.items[:n]
	it.index = -1
	return it
}

func (h *loggedHeap) push(x loggedItem) {
	it := x
	it.index = len(h.items)
	h.items = append(h.items, it)
	heap.Fix(h, h.Len()-1)
}

func (h *loggedHeap) pop() loggedItem {
	h.Swap(0, h.Len()-1)
	n := len(h.items) - 1
	it := h.items[n]
	h.items[n] = loggedItem{}
	h.items = h.items[:n]
	it.index = -1
	heap.Fix(h, 0)
	return it
}

// tryPop pops an item of a heap, or returns what it panics with.
func tryPop(pop func() loggedItem) (result any) {
	defer func() {
		if r := recover(); r != nil {
			result = fmt.Sprint(r)
		}
	}()
	return pop()
}

// TestHeapFixCalls checks, with the package container/heap of this version of Go, that what heap-fix writes calls Less and Swap as heap.Push and
// heap.Pop do, and leaves the same memory: of random heaps with many equal items, and of empty ones.
func TestHeapFixCalls(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		var was, is loggedHeap
		for step := range 300 {
			var gotWas, gotIs any
			switch r.IntN(5) {
			case 0, 1:
				it := loggedItem{key: r.IntN(1 + int(seed)%10), number: step}
				heap.Push(&was, it)
				is.push(it)
			case 2, 3:
				gotWas = tryPop(func() loggedItem { return heap.Pop(&was).(loggedItem) })
				gotIs = tryPop(is.pop)
			case 4: // both ways may be mixed
				if n := was.Len(); n > 0 {
					i := r.IntN(n)
					gotWas, gotIs = heap.Remove(&was, i), heap.Remove(&is, i)
				}
			}
			if gotWas != gotIs || !slices.Equal(was.calls, is.calls) || !slices.Equal(was.items[:cap(was.items)], is.items[:cap(is.items)]) || len(was.items) != len(is.items) {
				t.Fatalf("seed %d, step %d: %v and %v, of\n%v\n%v\ncalls %q\n%q", seed, step, gotWas, gotIs, was.items, is.items, was.calls, is.calls)
			}
			was.calls, is.calls = was.calls[:0], is.calls[:0]
		}
	}
}

// TestHeapFixAlso checks that each line at which an interface is made counts the others, but for what calls that stay make.
func TestHeapFixAlso(t *testing.T) {
	const folder = "./testdata/rewrites/heap-fix"
	program, err := Load(t.Context(), ".", []string{folder}, false)
	if err != nil {
		t.Fatal(err)
	}
	program.Sites, program.Ops = sitesIn(t, folder), observedOps
	file, err := filepath.Abs(filepath.Join(folder, "mixed.go"))
	if err != nil {
		t.Fatal(err)
	}
	shares := map[string]float64{} // of lines, and of others from there
	for _, s := range program.Sites {
		line := program.lineOf(s)
		if s.File != file || line == nil {
			continue
		}
		f := heapFix.find(line)
		if len(f.Edits) == 0 {
			continue
		}
		of := func(name string) string {
			return name[len("lessgc/cmd/lessgc/internal/lever/testdata/rewrites/heap-fix."):]
		}
		shares[of(s.Func)] = f.Share
		for _, a := range f.Also {
			for _, other := range program.Sites {
				if other.File == a.Line.File && other.Line == a.Line.Line {
					shares[of(s.Func)+" "+of(other.Func)] = a.Share(other).Lo
				}
			}
		}
	}
	for what, want := range map[string]float64{"mix": 1, "(*mixed).Pop": 0.5, "mix (*mixed).Pop": 0.5, "(*mixed).Pop mix": 1} {
		if got := shares[what]; got != want {
			t.Errorf("%s: the change is about %g of the bytes, want %g: %v", what, got, want, shares)
		}
	}
}
