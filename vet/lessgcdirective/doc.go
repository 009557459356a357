// Package lessgcdirective finds unused or malformed directives.
//
// A comment that begins with //lessgc: is a directive: it silences one of them in one
// place, or says what a function does with memory that it is given. One that is spelled
// wrong is an ordinary comment: the report that it should silence stays, or the function
// is understood wrongly and mistakes in its callers are not found. One that silences a
// report that is not made any more hides the next one, which may be right.
//
// Reported are directives that cannot be understood, an ignore without a reason, an ignore
// of a rule that does not exist, and an ignore of a rule that has run and has no finding
// here. The last two can be fixed: the comment, or the name in it, goes.
//
// Bad:
//
//	var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
//
//	func page() string {
//		b := buffers.Get().(*bytes.Buffer)
//		defer buffers.Put(b)
//		b.Reset()
//		b.WriteString("hello")
//		//lessgc:ignore poolalias the bytes were returned here once
//		return b.String()
//	}
//
// Good:
//
//	var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
//
//	func page() string {
//		b := buffers.Get().(*bytes.Buffer)
//		defer buffers.Put(b)
//		b.Reset()
//		b.WriteString("hello")
//		return b.String()
//	}
//
// It is silent about an ignore of a rule that was not run, such as an advisory rule, off by
// default. Severity: warning.
package lessgcdirective
