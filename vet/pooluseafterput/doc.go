// Package pooluseafterput finds values that are used after they were put back.
//
// After the put, a value belongs to the next Get, on any goroutine. A read sees the data of
// that other owner, and a write changes them: the answer to one request shows up in
// another. It happens rarely, under load, and far from the line that is wrong. The race
// detector sees it only if the two accesses meet.
//
// The rule follows a value through variables, methods and functions, also of other
// packages, with all memory that aliases it: the bytes of a buffer, parts of a slice,
// addresses of fields, strings made without a copy. It reports accesses to them after
// the put. Deferred calls count where they run: in reverse order, at the end. A put in a
// branch counts where the branches have met, unless a later condition may depend on what
// decided it.
//
// Bad:
//
//	var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
//
//	func send(w io.Writer, v any) (int, error) {
//		buf := buffers.Get().(*bytes.Buffer)
//		buf.Reset()
//		fmt.Fprintln(buf, v)
//		_, err := w.Write(buf.Bytes())
//		buffers.Put(buf)
//		return buf.Len(), err
//	}
//
// Good:
//
//	var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
//
//	func send(w io.Writer, v any) (int, error) {
//		buf := buffers.Get().(*bytes.Buffer)
//		defer buffers.Put(buf)
//		buf.Reset()
//		fmt.Fprintln(buf, v)
//		_, err := w.Write(buf.Bytes())
//		return buf.Len(), err
//	}
//
// It is silent about copies (String, string(b), bytes.Clone, append to another slice),
// about the length of a slice and a comparison with nil, which access nothing, about memory
// taken out of the value before the put, about a variable that holds another value
// by then, about branches that exclude each other, about counted references, and about
// what cannot be proved: calls through interfaces and function values.
//
// Severity: error. Data of one owner reaches another.
package pooluseafterput
