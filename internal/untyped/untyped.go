// Package untyped gives the other packages of lessgc the memory of arenas for
// types that are only known at run time, as decoders need it. Package arena
// fills in the functions; whoever uses this package also imports that one.
package untyped

import (
	"reflect"
	"unsafe"
	"weak"
)

// A Slab hands out zeroed memory for one type from one arena. It is the first
// part of package arena's own slab. Nobody uses one after the function that asked
// for it has returned, but by asking the arena again: Free and Reset do not know
// about it.
type Slab struct {
	grown   uintptr // of a loose one
	Off, Lo uintptr // [Lo, Off) of Chunk is free, in bytes
	Size    uintptr // of an element
	Chunk   unsafe.Pointer
}

// A Rehasher finds some of its contents by addresses. Deep copies call Rehash after they
// have changed the pointers in it. The parameter keeps types of others from being one.
type Rehasher interface{ Rehash(Moved) }

// Moved is the parameter of Rehash.
type Moved struct{}

// An Opaque describes what values of a struct type refer to by pointers whose type is not known: n
// values of type elem, at data. Get returns a nil elem if there are none; Set makes it another
// place with the same. Deep copies look at nothing else in such a value.
type Opaque struct {
	Get func(p unsafe.Pointer) (elem reflect.Type, n int, data unsafe.Pointer)
	Set func(p, data unsafe.Pointer)
}

// Opaques holds them by type. Only init functions add to it.
var Opaques = map[reflect.Type]Opaque{}

// A Span is an address range.
type Span struct{ Base, Size uintptr }

// An Audit holds the findings of audits of arenas: see package arena/audit.
type Audit struct {
	Arenas, Objects, Pending, Skipped int64
	Escapes                           []Escape // most frequent first
}

// An Escape counts how often memory of one type, site and owner was kept.
type Escape struct {
	Type, Site, Owner string
	Count             int64
}

// A Kept is memory that an audit has found to be kept, and that still is.
type Kept struct {
	Escape
	Object weak.Pointer[byte]
}

// An Owner identifies the purpose of arenas: with package arenagrpc, a method. Reports of
// checked builds and audits on these arenas name it.
type Owner struct {
	// Own makes it the owner of an arena that was just opened, and is not nil.
	Own func(Arena)

	// Audit returns what audits of its arenas have found so far.
	Audit func() Audit
}

// An Arena is an *arena.Arena.
type Arena = unsafe.Pointer

// What package arena provides.
var (
	// NewOwner returns an owner with that name.
	NewOwner func(name string) *Owner

	// Fault returns whose memory a fault in the checked build came to: text about the object
	// that was freed, and the line that used it, as the deferred function that recovered
	// from the panic sees it. It is "" for other panics; see runtime/debug.SetPanicOnFault.
	Fault func(recovered any) string

	// Leave returns a function that leaves an arena, which was just opened and is not nil, to the collector:
	// the checked build does not report that it is never freed. The function may be called while another
	// goroutine uses the arena. In other builds it does nothing.
	Leave func(arena unsafe.Pointer) func()

	// Of returns the slab of T in an arena, which is not nil. The arena is
	// an *arena.Arena, ptr a *T that may be nil.
	Of func(arena unsafe.Pointer, ptr any) *Slab

	// Open makes an arena, which is zero or was freed, what Get of a pool returns, or NewArena if the
	// pool is nil: it returns that arena, another one, or nil, which is the heap. Nobody
	// else may have the arena, as calls after its Free would not panic any more.
	Open func(pool, arena unsafe.Pointer) Arena

	// Loose returns a slab of T that belongs to no arena and whose memory is the collector's, with
	// ptr as for Of. It may be used indefinitely, by one goroutine at a time. What it hands out keeps
	// the rest of its chunk in memory, of 512 bytes if T has no pointers; else Slab.Forget has to come
	// between values that have nothing to do with each other.
	Loose func(ptr any) *Slab

	// Place returns a word for a pointer that is kept with the slabs of an arena,
	// which is not nil: it is nil at first, and lives as long as they do, that
	// is for the arenas after this one too. There is one per arena, so there is
	// one user: package arenapb.
	Place func(arena unsafe.Pointer) *unsafe.Pointer

	// ContextKey is the key of the *arena.Arena in a context.
	ContextKey any

	// Used returns what an arena, which is not nil, has handed out: bytes, and
	// objects without strings; and whether all is kept.
	Used func(arena unsafe.Pointer) (bytes, objects int64, kept bool)

	// Spans returns the address ranges that an arena, which is not nil, and its
	// children have handed out and will hand out again, and those arenas: none if
	// the arena recycles nothing. It panics if the arena was freed.
	Spans func(arena unsafe.Pointer) (spans []Span, arenas []unsafe.Pointer)

	// AuditOf returns what the audits of an *arena.Pool have found so far, those of
	// the process if it is nil.
	AuditOf func(pool unsafe.Pointer) Audit

	// KeptNow returns the last objects that audits of the process have found, a few of each kind, as
	// far as they are still reachable.
	KeptNow func() []Kept

	// CallAt returns the function, and the folder, file and line, of a call that returns to pc. The function
	// is "" if it is not known.
	CallAt func(pc uintptr) (function, position string)

	// Verify waits until all arenas that were freed have been looked at, and returns
	// what the checked build found.
	Verify func() error

	// Grow gives the slab room for one element.
	Grow func(s *Slab)

	// Take returns memory for n elements, one after the other.
	Take func(s *Slab, n int) unsafe.Pointer

	// Safe reports whether nothing that an arena, which is not nil, hands out is looked at when it is
	// freed.
	Safe func(arena unsafe.Pointer) bool

	// Unopened reports whether an arena, which is not nil, has handed out nothing that it has to know of.
	Unopened func(arena unsafe.Pointer) bool

	// TextRecycled reports whether memory from Text is used again when an arena, which is not nil, is freed.
	TextRecycled func(arena unsafe.Pointer) bool

	// Text returns n > 0 bytes of an arena, of the heap if it is nil, as strings get
	// them. What is in them is undefined.
	Text func(arena unsafe.Pointer, n int) unsafe.Pointer

	// GrowText returns b, which is memory of an arena as strings get it and lacks room
	// for n bytes, with that room; the arena is not nil. What is in it is undefined.
	GrowText func(arena unsafe.Pointer, b []byte, n int) []byte

	// TrimText returns b, which GrowText returned, without its unused capacity if an
	// arena, which is not nil, can take that back, else b.
	TrimText func(arena unsafe.Pointer, b []byte) []byte

	// Extend makes n elements at p, the last slice that the slab handed out,
	// longer by extra. It reports whether it did.
	Extend func(s *Slab, p unsafe.Pointer, n, extra int) bool
)

// AllHeap reports whether LESSGC_ARENA=heap is in the environment.
var AllHeap bool

// Watched reports whether arenas are watched, whatever pool they are from: by audits, in the
// checked build, or because they are to be the heap.
var Watched bool

// New returns an element.
func (s *Slab) New() unsafe.Pointer {
	if s.Off <= s.Lo {
		Grow(s)
	}
	s.Off -= s.Size
	return unsafe.Add(s.Chunk, s.Off)
}

// Forget makes a loose slab as it was when it was new: it holds no memory any more.
func (s *Slab) Forget() { s.grown, s.Off, s.Lo, s.Chunk = 0, 0, 0, nil }

// Make returns n > 0 elements, one after the other.
func (s *Slab) Make(n int) unsafe.Pointer {
	const small = 1 << 12 // elements, so that nothing overflows
	if bytes := uintptr(n) * s.Size; n <= small && bytes < s.Off-s.Lo && s.Size <= small {
		p := unsafe.Add(s.Chunk, s.Lo)
		s.Lo += bytes
		return p
	}
	return Take(s, n)
}
