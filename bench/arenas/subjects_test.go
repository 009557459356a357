package arenas

import (
	"slices"
	"sync"
	"unsafe"

	"github.com/dgraph-io/ristretto/v2/z"
	"github.com/jokruger/slab"
	"github.com/ortuman/nuke"
	bytearena "github.com/siddontang/go/arena"
	goarena "github.com/wundergraph/go-arena"
	offheap "github.com/xDarkicex/memory"
	"lessgc/arena"
	malloc "modernc.org/memory"
)

// A subject is an allocator as the hazards see it.
type subject struct {
	name string

	// open returns an empty region of about size bytes, on memory of regions
	// that were closed before if the library uses memory again.
	open func(size int) *region

	null func() *object // an object from a nil region
	zero func() *object // an object from the zero value

	// shared returns what several goroutines may call at once for an object,
	// or nil if the library has nothing for that.
	shared func() func() *object
}

// A region allocates objects and bytes. An entry is nil if the library has no
// such thing; bytes returns nil if the library refuses.
type region struct {
	object func() *object
	bytes  func(n int) []byte
	text   func(s string) string
	close  func()

	// read reads the id of the object that was allocated last, as the library
	// wants objects to be read: p.id if it is nil.
	read func() int64
}

// textIn returns a text for libraries that only hand out bytes.
func textIn(bytes func(n int) []byte) func(string) string {
	return func(s string) string { return str(bytes(len(s)), s) }
}

// subjects are the rows of the table, in its order, as far as this build has
// them. Memory of their regions is kept in variables, not in a pool that drops
// it at a collection: what goes wrong must go wrong every time.
var subjects = slices.Concat(experimentalSubjects, []subject{
	{
		name: "ortuman/nuke", open: reuse(openNuke),
		null:   func() *object { return nuke.New[object](nil) },
		shared: func() func() *object { return inNuke(nuke.NewConcurrentArena(nuke.NewMonotonicArena(4<<20, 1))) },
	},
	{
		name: "wundergraph/go-arena", open: reuse(openGoArena),
		null:   func() *object { return goarena.Allocate[object](nil) },
		shared: func() func() *object { return inGoArena(goarena.NewConcurrentArena(goarena.NewMonotonicArena())) },
	},
	{
		name: "dgraph-io/ristretto `z.Allocator`", open: reuse(openRistretto),
		null: func() *object { return zNew[object](nil) },
		zero: func() *object { return zNew[object](new(z.Allocator)) },
		shared: func() func() *object {
			a := z.NewAllocator(1<<10, "shared")
			return func() *object { return zNew[object](a) }
		},
	},
	{
		name: "xDarkicex/memory `Arena`", open: reuse(openOffHeap(nil)),
		null: func() *object { p, _ := offheap.ArenaAlloc[object](nil); return p },
		zero: func() *object { p, _ := offheap.ArenaAlloc[object](new(offheap.Arena)); return p },
		shared: func() func() *object {
			a, err := offheap.NewArena(4<<20, 8)
			check(err)
			return func() *object { return offheap.MustArenaAlloc[object](a) }
		},
	},
	{name: "the same, its `ArenaNewString`", open: reuse(openOffHeap(offheap.MustArenaNewString))},
	{
		name: "modernc.org/memory", open: openMalloc,
		null: func() *object { return mallocNew[object](nil) },
		zero: func() *object { return mallocNew[object](new(malloc.Allocator)) },
	},
	{name: "siddontang/go `arena`", open: reuse(openByteArena)},
	{
		name: "jokruger/slab", open: reuse(openSlab),
		null: func() *object { return (*slab.Slab[object])(nil).Alloc() },
		zero: func() *object { return new(slab.Slab[object]).Alloc() },
	},
	lessgcSubject("lessgc, `Safe`", func() *arena.Arena { return arena.NewArena() }),
	lessgcSubject("lessgc, `RecycleTyped`", (&arena.Pool{Policy: arena.RecycleTyped}).Get),
	lessgcSubject("lessgc, `RecycleAll`", (&arena.Pool{Policy: arena.RecycleAll}).Get),
})

// reuse keeps one closed region of each size.
func reuse(open func(size int) *region) func(size int) *region {
	var mu sync.Mutex
	closed := map[int]*region{}
	return func(size int) *region {
		mu.Lock()
		defer mu.Unlock()
		r := closed[size]
		if r == nil {
			r = open(size)
			reset := r.close
			r.close = func() { reset(); closed[size] = r }
		}
		delete(closed, size)
		return r
	}
}

func inNuke(a nuke.Arena) func() *object {
	return func() *object { return nuke.New[object](a) }
}

func openNuke(size int) *region {
	a := nuke.NewMonotonicArena(size, 1)
	bytes := func(n int) []byte { return nuke.MakeSlice[byte](a, n, n) }
	return &region{object: inNuke(a), bytes: bytes, text: textIn(bytes), close: func() { a.Reset(false) }}
}

func inGoArena(a goarena.Arena) func() *object {
	return func() *object { return goarena.Allocate[object](a) }
}

func openGoArena(size int) *region {
	a := goarena.NewMonotonicArena(goarena.WithMinBufferSize(size))
	bytes := func(n int) []byte { return goarena.AllocateSlice[byte](a, n, n) }
	return &region{object: inGoArena(a), bytes: bytes, text: textIn(bytes), close: a.Reset}
}

func openRistretto(size int) *region {
	a := z.NewAllocator(size, "hazards")
	return &region{
		object: func() *object { return zNew[object](a) },
		bytes:  a.Allocate,
		text:   textIn(a.Allocate),
		close:  a.Reset,
	}
}

// openOffHeap opens arenas whose texts are made by newText, or by hand.
func openOffHeap(newText func(*offheap.Arena, string) string) func(size int) *region {
	return func(size int) *region {
		a, err := offheap.NewArena(uint64(size), 8)
		check(err)
		bytes := func(n int) []byte {
			s, err := offheap.ArenaSlice[byte](a, n)
			if err != nil {
				return nil
			}
			return s[:n]
		}
		text := textIn(bytes)
		if newText != nil {
			text = func(s string) string { return newText(a, s) }
		}
		return &region{
			object: func() *object { return offheap.MustArenaAlloc[object](a) },
			bytes:  bytes, text: text, close: a.Reset,
		}
	}
}

func openMalloc(int) *region {
	a := new(malloc.Allocator)
	bytes := func(n int) []byte { return mallocMake[byte](a, n)[:n] }
	return &region{
		object: func() *object { return mallocNew[object](a) },
		bytes:  bytes, text: textIn(bytes),
		close: func() { check(a.Close()) },
	}
}

func openByteArena(size int) *region {
	a := bytearena.NewArena(size)
	return &region{bytes: a.Make, text: textIn(a.Make), close: a.Reset}
}

func openSlab(size int) *region {
	objects := slab.NewSlab[object](size/int(unsafe.Sizeof(object{})), nil)
	buffers := slab.NewSliceSlab[byte](16, size/16)
	bytes := func(n int) []byte { return buffers.Alloc(n, true) }
	return &region{object: objects.Alloc, bytes: bytes, text: textIn(bytes), close: func() {
		objects.Reset()
		buffers.Reset()
	}}
}

func lessgcSubject(name string, get func() *arena.Arena) subject {
	return subject{
		name: name,
		shared: func() func() *object {
			a := get()
			a.Share()
			return func() *object { return arena.New[object](a) }
		},
		open: func(int) *region {
			a := get()
			return &region{
				object: func() *object { return arena.New[object](a) },
				bytes:  func(n int) []byte { return arena.MakeSlice[byte](a, n, n) },
				text:   a.String,
				close:  a.Free,
			}
		},
		null: func() *object { return arena.New[object](nil) },
		zero: func() *object { return arena.New[object](new(arena.Arena)) },
	}
}
