// Package poollocal finds pools that are local variables and empty whenever they are used.
//
// A pool keeps values from one use to the next. One that is a local variable is made by
// every call of the function and is gone when it returns: each Get allocates, Put keeps
// values that no Get will ever return, and the pool itself costs an allocation and an entry in the
// runtime's list of pools.
//
// Bad:
//
//	func render(w io.Writer, s string) {
//		pool := sync.Pool{New: func() any { return new(bytes.Buffer) }}
//		b := pool.Get().(*bytes.Buffer)
//		defer pool.Put(b)
//		b.WriteString(s)
//		b.WriteTo(w)
//	}
//
// Good:
//
//	var pool = sync.Pool{New: func() any { return new(bytes.Buffer) }}
//
//	func render(w io.Writer, s string) {
//		b := pool.Get().(*bytes.Buffer)
//		defer pool.Put(b)
//		b.WriteString(s)
//		b.WriteTo(w)
//	}
//
// So is the copy of a sync.Pool that a call makes with the struct around it: by a method with a value receiver, a
// parameter that is not a pointer, an assignment, or a loop over values. What is put into it is lost with it.
//
// The pools and arena pools of lessgc are checked, too.
//
// It is silent when Get is called in a loop, in another goroutine or after a Put,
// since the pool may be of use within the call then; when a closure that may outlive the call
// uses the pool, or its address is passed on, stored or returned; and in main, init and
// test files.
//
// Fix: the pool becomes a package variable.
//
// It is advisory, off by default. Severity: warning.
package poollocal
