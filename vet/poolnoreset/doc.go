// Package poolnoreset finds pools whose values nobody resets.
//
// What Get gives is as its last user left it. A bytes.Buffer that is not reset still has
// the answer to the last request in it, and the next one is written behind that: data of
// one user gets to another. Either the one who gets a value resets it, or the one who puts
// it back.
//
// Bad:
//
//	var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
//
//	func page(w io.Writer, name string) {
//		b := buffers.Get().(*bytes.Buffer)
//		defer buffers.Put(b)
//		fmt.Fprintf(b, "<h1>%s</h1>", name)
//		w.Write(b.Bytes())
//	}
//
// Good:
//
//	var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
//
//	func page(w io.Writer, name string) {
//		b := buffers.Get().(*bytes.Buffer)
//		defer buffers.Put(b)
//		b.Reset()
//		fmt.Fprintf(b, "<h1>%s</h1>", name)
//		w.Write(b.Bytes())
//	}
//
// It looks at values with a method Reset, of the standard library or the package itself,
// that are written to, and at all functions that may have one in their hands: those that
// get or put it, what they call, and the whole package if it is stored.
//
// It says nothing if anything in these functions may be a reset, even of a part: a method
// whose name says so, an assignment to the value or to a field that does not only add to
// it, clear or delete, reading the buffer dry; if the value gets to code of another
// package that may do so; and if an exported function returns it.
//
// Fix: what Get gives is reset.
//
// Severity: error, for data gets to where it does not belong.
package poolnoreset
