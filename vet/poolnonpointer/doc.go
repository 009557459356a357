// Package poolnonpointer finds values put into a sync.Pool that are not pointers.
//
// Put takes an interface. An interface holds one pointer, so a slice, string, number or
// struct is copied to the heap first: every Put allocates, where the pool is there to
// avoid that. A pool of []byte allocates 24 bytes for each buffer that it saves.
//
// Keep a *[]byte in the pool instead, and put back the pointer that Get returned: Put(&b)
// of a local variable would allocate just as much.
//
// Bad:
//
//	var buffers = sync.Pool{New: func() any { return make([]byte, 0, 4096) }}
//
//	func send(w io.Writer, s string) {
//		b := buffers.Get().([]byte)
//		b = append(b[:0], s...)
//		w.Write(b)
//		buffers.Put(b)
//	}
//
// Good:
//
//	var buffers = sync.Pool{New: func() any { return new([]byte) }}
//
//	func send(w io.Writer, s string) {
//		p := buffers.Get().(*[]byte)
//		*p = append((*p)[:0], s...)
//		w.Write(*p)
//		buffers.Put(p)
//	}
//
// Functions that put their parameter are followed, in other packages too: the Put of a
// generic pool that is used for slices is reported where it is called.
//
// It is silent about pointers, channels, maps, functions and structs of nothing but one of
// these; about values without a size, a single byte or bool, and constants; and about
// interfaces, which have been made already.
//
// It is advisory, off by default. Severity: note.
package poolnonpointer
