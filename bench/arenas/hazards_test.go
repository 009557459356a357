package arenas

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"unsafe"
	"weak"
)

// A hazard is a column of the table. It runs in a process of its own, which
// may die of it, and returns a short text that is the same in every run.
type hazard struct {
	title string
	run   func(s subject) string
}

const notApplicable = "–"

var hazards = []hazard{
	{"heap strings damaged", heapStrings},
	{"live memory", liveMemory},
	{"used again", usedAgain},
	{"kept pointer", keptPointer},
	{"kept string", keptString},
	{"lets go of the heap", letsGo},
	{"1 MiB from 64 KiB", large},
	{"nil", func(s subject) string { return special(s.null) }},
	{"zero value", func(s subject) string { return special(s.zero) }},
	{"several goroutines", goroutines},
}

// heapStrings stores the only pointer to each of 20,000 strings in an object of
// a live region, and counts the strings that are something else after three
// collections. The strings come from the region if the row is about those.
//
// There are no other collections: one that finds the address of a string that
// was collected on a stack may end the process.
func heapStrings(s subject) string {
	const n = 20_000
	r := s.open(4 << 20)
	if r.object == nil {
		return notApplicable
	}
	text := heapText
	if strings.Contains(s.name, "ArenaNewString") {
		text = func(i int) string { return r.text(heapText(i)) }
	}
	debug.SetGCPercent(-1)
	objects := make([]*object, n)
	for i := range objects {
		objects[i] = r.object()
		objects[i].id, objects[i].name = int64(i), text(i)
	}
	for range 3 {
		runtime.GC()
		churn(4 * n)
	}
	damaged := 0
	for i, o := range objects {
		if o.id != int64(i) || strings.Clone(o.name) != heapText(i) {
			damaged++
		}
	}
	runtime.KeepAlive(r)
	switch {
	case damaged == 0:
		return "0 of 20,000"
	case damaged >= n-1:
		return "≥ 19,999 of 20,000"
	}
	return "some of 20,000"
}

// heapText is a string of 48 bytes that belongs to object i alone.
func heapText(i int) string { return fmt.Sprintf("the name of object %029d", i) }

// churned keeps the compiler from dropping the garbage.
var churned []byte

// churn writes to memory that collections have freed, in the size class of
// heapText.
func churn(n int) {
	for range n {
		churned = make([]byte, 48)
		for i := range churned {
			churned[i] = '#'
		}
	}
}

// liveMemory allocates objects and bytes of many sizes in regions that follow
// each other, and checks that what is alive is aligned and nobody else's.
func liveMemory(s subject) string {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 60 {
		r := s.open(64 << 10)
		var objects []*object
		var buffers [][]byte
		for i := range 40 {
			if r.object != nil {
				o := r.object()
				if uintptr(unsafe.Pointer(o))%unsafe.Alignof(*o) != 0 {
					return "misaligned"
				}
				o.id = int64(i)
				objects = append(objects, o)
			}
			size := 1 + rnd.IntN(100)
			if rnd.IntN(20) == 0 {
				size = 1 + rnd.IntN(20_000)
			}
			if b := r.bytes(size); b != nil {
				for j := range b {
					b[j] = byte(i)
				}
				buffers = append(buffers, b)
			}
		}
		for i, o := range objects {
			if o.id != int64(i) {
				return "overlaps"
			}
		}
		for _, b := range buffers {
			for _, c := range b {
				if c != b[0] {
					return "overlaps"
				}
			}
		}
		r.close()
	}
	return "disjoint"
}

// usedAgain says what is in the memory of a new region after one of the same
// size was closed.
func usedAgain(s subject) string {
	const n = 100
	r := s.open(64 << 10)
	for range n {
		if r.object != nil {
			o := r.object()
			o.id, o.name = 42, "full"
		}
		copy(r.bytes(40), strings.Repeat("full", 10))
	}
	r.close()
	r = s.open(64 << 10)
	oldObjects, oldBytes := false, false
	for range n {
		if r.object != nil {
			oldObjects = oldObjects || *r.object() != object{}
		}
		oldBytes = oldBytes || strings.Trim(string(r.bytes(40)), "\x00") != ""
	}
	switch {
	case oldObjects && oldBytes:
		return "old contents"
	case oldObjects:
		return "old objects"
	case oldBytes && r.object != nil:
		return "zeroed, but old bytes"
	case oldBytes:
		return "old bytes"
	}
	return "zeroed"
}

// keptPointer reads an object after its region was closed and others were used
// in the same way. Regions before it have found their size, and it is closed
// full: the runtime keeps an arena mapped that is not.
func keptPointer(s subject) string {
	for range 3 {
		r := s.open(64 << 10)
		if r.object == nil {
			return notApplicable
		}
		for range 2000 {
			r.object()
		}
		r.close()
	}
	r := s.open(64 << 10)
	for range 1000 {
		r.object()
	}
	kept := r.object()
	kept.id = 1
	read := func() int64 { return kept.id }
	if r.read != nil {
		read = r.read
	}
	fill(r)
	r.close()
	for range 3 {
		next := s.open(64 << 10)
		for range 2000 {
			next.object().id = 2
		}
		next.close()
		next = s.open(64 << 10)
		for range 2000 {
			next.object().id = 2
		}
		runtime.GC()
		if id := read(); id != 1 {
			return map[int64]string{0: "zero", 2: "next owner's data"}[id]
		}
		next.close()
	}
	return "own data"
}

// keptString is keptPointer for a string that was copied into the region.
func keptString(s subject) string {
	const own = "the text of the first owner"
	r := s.open(64 << 10)
	kept := r.text(own)
	fill(r)
	r.close()
	for range 3 {
		next := s.open(64 << 10)
		for range 500 {
			next.text("another text of equal size.")
		}
		runtime.GC()
		if strings.Clone(kept) != own {
			return "changes"
		}
		next.close()
	}
	return "unchanged"
}

// fill takes 9 MiB more from a region that has no fixed size.
func fill(r *region) {
	for range 9 << 6 {
		if r.bytes(16<<10) == nil {
			return
		}
	}
}

// letsGo checks whether the heap memory that objects pointed to is collected
// when their region is closed, and its memory is kept for the next one.
func letsGo(s subject) string {
	r := s.open(64 << 10)
	if r.object == nil {
		return notApplicable
	}
	target := point(r.object())
	runtime.GC()
	if target.Value() == nil {
		return "never held"
	}
	fill(r)
	r.close()
	runtime.GC()
	runtime.GC()
	held := target.Value() != nil
	runtime.KeepAlive(r)
	if held {
		return "no"
	}
	return "yes"
}

// point makes the only pointer to a string on the heap, in o.
func point(o *object) weak.Pointer[byte] {
	o.name = heapText(0)
	return weak.Make(unsafe.StringData(o.name))
}

// large asks regions of 64 KiB for 1 MiB. In the third one, memory comes from
// the heap or not.
func large(s subject) string {
	const n = 1 << 20
	var before, after runtime.MemStats
	for range 3 {
		r := s.open(64 << 10)
		runtime.ReadMemStats(&before)
		b := r.bytes(n)
		runtime.ReadMemStats(&after)
		if len(b) != n {
			return "error"
		}
		b[n-1] = 1
		r.close()
	}
	if after.TotalAlloc-before.TotalAlloc >= n {
		return "heap"
	}
	return "grows"
}

// special allocates from a nil region or a zero value.
func special(alloc func() *object) string {
	if alloc == nil {
		return notApplicable
	}
	p := alloc()
	if p == nil {
		return "error"
	}
	p.id = 1
	runtime.GC()
	return "works"
}

// goroutines allocates on four goroutines at once from what the library offers
// for that.
func goroutines(s subject) string {
	if s.shared == nil {
		return "no"
	}
	alloc := s.shared()
	const each = 5000
	var all [4][each]*object
	var wg sync.WaitGroup
	for g := range all {
		wg.Go(func() {
			for i := range each {
				all[g][i] = alloc()
				all[g][i].id = int64(g*each + i)
			}
		})
	}
	wg.Wait()
	for g := range all {
		for i, o := range all[g] {
			if o.id != int64(g*each+i) {
				return "overlaps"
			}
		}
	}
	return "yes"
}
