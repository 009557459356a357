// Package poolnoreset finds pools whose values are not reset.
//
// Get returns a value as its last user left it. A bytes.Buffer that is not reset still has
// the last response in it, and the next one is appended to that: data of one user
// reaches another. A value is reset either after Get or before Put.
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
// The rule examines all functions that may have a value: those that get or put it, their callees, and
// the whole package if it is stored or returned to others.
//
// Values with a method Reset, of the standard library or the package itself, are reported if they are
// written to and nothing in these functions may be a reset, even of a part: a method whose name says
// so, an assignment that does not only add, clear or delete, reading the buffer dry. What a function gets and
// only puts back is not reported.
//
// Buffers (bytes.Buffer and strings.Builder) are also looked at one Get at a time. If some function puts a
// buffer that it has written, without a reset in between, then each Get is reported from which a path leads to
// a read of the whole buffer without a reset, even if other functions reset theirs. It is silent where a buffer
// gets to code that is not followed: closures, fields, function values, other packages.
//
// The fields of structs of the package are checked one by one, wherever they are written and reset:
//
//	type encoder struct {
//		buf    []byte
//		indent string
//	}
//
//	func (e *encoder) reset() { e.buf = e.buf[:0] } // not e.indent
//
//	func (e *encoder) setIndent(s string) { e.indent = s }
//
// A field is reported if methods add to it, set it as an option or an error, or give it a text, a time
// or a flag, nothing empties or replaces it, and it is read after a Get before it is overwritten on some
// path. An option is also what a method sets that returns its receiver, if readers ask whether it is set. A
// field that a function sets in one branch after its Get, depending on an argument, is reported if a read of it
// is always executed. So is a list of structs that is cut to nothing and later made longer in its own memory, if
// a list in its elements is appended to and nothing empties that. Not reported are sums and counters, maps that
// are only looked up, room that is used by index, and fields whose address goes elsewhere.
//
// Slices that are put back cut to what was read into them are reported if users read into what they get, and do
// not make it longer again.
//
// Fix: Get's result is reset, where the type has a method Reset that is never called. If the rule would
// fall silent for the whole pool, all values from it are reset together.
//
// It is advisory, off by default. Severity: warning.
package poolnoreset
