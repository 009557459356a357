// Package heappointer finds Go pointers in memory that the garbage collector does not scan.
//
// Many arenas hand out parts of a []byte, of a memory mapping or of C's heap as values of
// any type. The collector does not look into such memory: a string, slice, map, interface
// or pointer that is stored there keeps nothing alive. An object that only it points to is freed and
// its memory reused, while the program still reads it through the arena: the program crashes,
// or reads another object's data. It happens at the next collection at the earliest, so
// that small tests pass.
//
// Bad:
//
//	type region struct {
//		mem []byte
//		off int
//	}
//
//	type user struct{ name string }
//
//	func (r *region) user(name string) *user {
//		u := (*user)(unsafe.Pointer(&r.mem[r.off]))
//		r.off += int(unsafe.Sizeof(*u))
//		u.name = name
//		return u
//	}
//
// Good:
//
//	type region struct {
//		mem []byte
//		off int
//	}
//
//	type user struct{ from, to int }
//
//	func (r *region) user(name string) *user {
//		u := (*user)(unsafe.Pointer(&r.mem[r.off]))
//		r.off += int(unsafe.Sizeof(*u))
//		u.from, u.to = r.off, r.off+copy(r.mem[r.off:], name)
//		return u
//	}
//
// The rule knows ortuman/nuke, wundergraph/go-arena, dgraph-io/ristretto's package z and
// others of that kind, mmap, C's allocators, and casts of bytes that the package made, also
// in generic functions, by the type arguments of each call. It is silent
// about types without pointers, about reads, about objects that are visibly kept alive otherwise
// (constants, memory of the same kind, a value that is also stored in a slice or map), and
// where it cannot prove that nothing else keeps a value alive. The standard library's arena and
// lessgc/arena are scanned.
//
// Severity: error.
package heappointer
