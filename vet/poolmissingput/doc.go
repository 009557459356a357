// Package poolmissingput finds values from a pool that are not put back.
//
// Nothing breaks: the garbage collector frees the value. But the pool has to allocate
// another one, and a pool that loses its values is slower than none.
//
// The rule reports a value that is put on some paths through the function and lost on
// another, most often at a return for an error, and one that is never put. Functions
// that get one for their caller count as well, also of other packages.
// So does a channel of the package into which nothing but values from pools is sent, if one of those who
// receive from it puts what it received; and a goroutine that puts what it was given, if the function that
// starts it leaves the value to it.
//
// Bad:
//
//	var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
//
//	func send(w io.Writer, t *template.Template, data any) error {
//		buf := buffers.Get().(*bytes.Buffer)
//		buf.Reset()
//		if err := t.Execute(buf, data); err != nil {
//			return err
//		}
//		_, err := w.Write(buf.Bytes())
//		buffers.Put(buf)
//		return err
//	}
//
// Good:
//
//	var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
//
//	func send(w io.Writer, t *template.Template, data any) error {
//		buf := buffers.Get().(*bytes.Buffer)
//		defer buffers.Put(buf)
//		buf.Reset()
//		if err := t.Execute(buf, data); err != nil {
//			return err
//		}
//		_, err := w.Write(buf.Bytes())
//		return err
//	}
//
// It is silent about values that another function has to put: returned, stored, sent,
// passed to a goroutine or to a function that retains them; about values that are dropped on
// purpose, because they are too large (not because they are empty) or a method of
// theirs has failed; about panics and the end of the program; and about what cannot be
// proved: a value that was passed through an interface or to an unknown function value, unless the
// function puts it after that call where nothing has failed.
//
// Fix: a deferred Put right after the Get, if the value is never put and has a name.
//
// Severity: warning. The memory is lost to the pool, not to the program.
package poolmissingput
