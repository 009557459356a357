package arena

import "os"

// A Policy decides which memory of a freed arena is handed out again.
type Policy uint8

const (
	// Safe hands out no memory twice: freed memory is left to the collector. A
	// pointer that was kept stays valid, and nothing can go wrong. Small arenas
	// allocate as new and make do, larger ones several objects at once; a kept
	// pointer keeps at most 1 KiB alive besides what it points to, with what the
	// other objects in there point to.
	Safe Policy = iota

	// RecycleTyped zeroes objects, slices and bytes and hands them out again,
	// but never strings: a string stays what it is for as long as anyone
	// holds it. Any other pointer that is kept past Free will see another
	// owner's data, always of its own type.
	RecycleTyped

	// RecycleAll recycles strings too. A string that is kept past Free
	// changes: as a key it makes a map inconsistent. It is the fastest.
	RecycleAll
)

var policyNames = [...]string{"safe", "recycle-typed", "recycle-all"}

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

// allHeap is the way back in production, without a new build: with
// LESSGC_ARENA=heap in the environment every arena is nil.
var allHeap = os.Getenv("LESSGC_ARENA") == "heap"
