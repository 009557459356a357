package arena

import (
	"os"
	"sync/atomic"
)

// A Policy decides what becomes of memory when its arena is freed.
type Policy uint8

const (
	// Default is RecycleTyped for a Pool.
	Default Policy = iota

	// Safe leaves freed memory to the collector: a pointer that was kept
	// stays valid, and nothing can go wrong. A kept pointer keeps its chunk
	// alive, at most 64 KiB, with what the arena's other objects in there
	// point to. Strings and other memory without pointers share chunks with
	// the arenas before and after, so that small arenas do not pay for one
	// each.
	Safe

	// RecycleTyped zeroes objects, slices and bytes and hands them out again,
	// but never strings: a string stays what it is for as long as anyone
	// holds it. Any other pointer that is kept past Free will see another
	// owner's data, always of its own type.
	RecycleTyped

	// RecycleAll recycles strings too. A string that is kept past Free
	// changes: as a key it makes a map inconsistent. It is the fastest.
	RecycleAll

	// Heap makes arenas nil: everything is on the heap.
	Heap

	// Std takes chunks from the arenas of the Go runtime, which unmaps them
	// at Free: use of a kept pointer faults. It needs the build tag lessgc_std
	// and GOEXPERIMENT=arenas, which make it the policy of NewArena; without,
	// it is Safe.
	Std

	// Audit is Safe, but a sample of the arenas watches what it handed out and
	// reports what is still reachable some time after Free, see [Escapes].
	Audit
)

var policyNames = [...]string{"default", "safe", "recycle-typed", "recycle-all", "heap", "std", "audit"}

// String returns the name of p as it appears in reports, such as
// "recycle-typed".
func (p Policy) String() string {
	if int(p) < len(policyNames) {
		return policyNames[p]
	}
	return "unknown"
}

// recycles reports whether memory is handed out again.
func (p Policy) recycles() bool { return p == RecycleTyped || p == RecycleAll }

// useHeap is the run-time switch.
var useHeap atomic.Bool

func init() { useHeap.Store(os.Getenv("LESSGC_ARENA") == "heap") }

// UseHeap turns arenas off, or on again: NewArena and Pool.Get then return nil,
// which is the heap. Arenas that are open stay what they are. It is the way
// back in production; the environment variable LESSGC_ARENA=heap does it from
// the start, the build tag lessgc_heap for good.
func UseHeap(on bool) { useHeap.Store(on) }
