// Package poolmismatch finds pools that get back something other than they gave out.
//
// A sync.Pool takes any value. If a []byte is put where a *[]byte is asserted, the program
// works until Get happens to return that value, and panics then, in another request. A value
// that is put into another pool than it came from leaves the one empty and gives the other
// values that were made for another use. The address of a copy is not the pointer that
// Get returned: that one is lost, and each use allocates. So does calling New where Get was
// meant. A copied pool or arena is two that share memory.
//
// Reported are: types that surely differ between Put, New and the assertion of Get, also
// through functions of the package; a type that goes into a pool from which only others are
// taken, with a second result; an unchecked assertion on a pool without New; a Put of
// nil; values that surely came from another pool; a parameter that the value from Get works on, put in its stead; Put(&x) where x is a copy of what Get
// gave, or that of a copy in a field or a list there; New called where the value is put back, or where nothing ever calls Get; copies of
// the pools and arenas of lessgc. Copies of a sync.Pool are found by go vet's copylocks.
//
// Bad:
//
//	var requests = sync.Pool{New: func() any { return new([]byte) }}
//
//	func send(w io.Writer, s string) {
//		p := requests.Get().(*[]byte)
//		b := append((*p)[:0], s...)
//		w.Write(b)
//		requests.Put(b)
//	}
//
// Good:
//
//	var requests = sync.Pool{New: func() any { return new([]byte) }}
//
//	func send(w io.Writer, s string) {
//		p := requests.Get().(*[]byte)
//		b := append((*p)[:0], s...)
//		w.Write(b)
//		*p = b
//		requests.Put(p)
//	}
//
// It is silent about assertions to an interface, or after another check of Get's result;
// about pools that are chosen by index, branch or size; about values that circulate through
// several pools; and about pools that are exported or passed on, whose uses it does not
// all see.
//
// Fix: the argument gets the & or * that it lacks, goes to the pool that it is from, or Get is
// called instead of New.
//
// Severity: error where the program panics or memory gets two owners, otherwise warning.
package poolmismatch
