// Package pooldoubleput finds values that are put back into their pool twice.
//
// A pool does not check for that. A value that it holds twice is returned by two Gets,
// to two owners at the same time, and both write to it. The code that fails is never the
// code that put it.
//
// Most often it is a deferred put and another one in a branch for errors, a branch
// that lacks its return, or a function that puts its argument and a caller that puts it
// again. The rule follows a value through functions and methods, also of other packages,
// and reports the later of the two. A method such as Close that puts the value of a field
// counts, and so does a second call of it.
//
// Bad:
//
//	var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
//
//	func send(w io.Writer, v any) error {
//		buf := buffers.Get().(*bytes.Buffer)
//		defer buffers.Put(buf)
//		buf.Reset()
//		if err := json.NewEncoder(buf).Encode(v); err != nil {
//			buffers.Put(buf)
//			return err
//		}
//		_, err := w.Write(buf.Bytes())
//		return err
//	}
//
// Good:
//
//	var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
//
//	func send(w io.Writer, v any) error {
//		buf := buffers.Get().(*bytes.Buffer)
//		defer buffers.Put(buf)
//		buf.Reset()
//		if err := json.NewEncoder(buf).Encode(v); err != nil {
//			return err
//		}
//		_, err := w.Write(buf.Bytes())
//		return err
//	}
//
// It is silent about variables that hold another value by then, or nil, about branches
// that exclude each other, about counted references, sync.OnceFunc and flags, about fields
// that are cleared, and about what cannot be proved: calls through interfaces and function
// values.
//
// Fix: the put before a deferred one is removed.
//
// Severity: error. Data of one owner reaches another.
package pooldoubleput
