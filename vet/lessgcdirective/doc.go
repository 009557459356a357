// Package lessgcdirective finds unused or malformed directives.
//
// A comment that begins with //lessgc: is a directive: it silences a rule on one line, or
// declares what a function does with memory that it is given. A misspelled directive is an
// ordinary comment: the finding that it should silence stays, or the function is
// understood wrongly and mistakes in its callers are not found. A directive that no longer
// silences a finding hides the next one, which may be right.
//
// Reported are malformed directives, an ignore without a reason, an ignore of a rule that
// does not exist, and an ignore of a rule that has run and has no finding on its lines.
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
// It is silent about an ignore of a rule that was not run, such as an advisory rule, which is
// off by default.
//
// Fix: the unused directive, or the name of the unused rule in it, is removed.
//
// Severity: warning.
package lessgcdirective
