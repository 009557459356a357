// Package poolalias finds memory of a pooled value that outlives its put.
//
// A function that returns buf.Bytes() with a deferred put returns memory that the next Get
// hands to another owner: the data change while the caller reads them, and a cache that
// stored them serves one user the data of another. The same holds for memory that is stored
// in a field, a map or a global, sent on a channel, or passed to a goroutine that is not
// waited for.
//
// The memory of a value is its bytes, every part of them, addresses of its fields, slices
// that it keeps for the next use, strings made of it without a copy, and whatever holds
// one of these: a struct, a reader, the body of a request or response. An HTTP transport may
// read the body of a request after it has returned, until it closes the body.
//
// Bad:
//
//	var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
//
//	func encode(v any) ([]byte, error) {
//		buf := buffers.Get().(*bytes.Buffer)
//		defer buffers.Put(buf)
//		buf.Reset()
//		err := json.NewEncoder(buf).Encode(v)
//		return buf.Bytes(), err
//	}
//
// Good:
//
//	var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
//
//	func encode(v any) ([]byte, error) {
//		buf := buffers.Get().(*bytes.Buffer)
//		defer buffers.Put(buf)
//		buf.Reset()
//		err := json.NewEncoder(buf).Encode(v)
//		return bytes.Clone(buf.Bytes()), err
//	}
//
// It is silent about copies, about numbers, about errors of other functions, about memory
// taken out of the value before the put, about fields that are cleared or restored
// before the function ends, about values that are handed over (no put, or one only where
// it fails), about goroutines that are waited for, and about what cannot be proved: calls
// through interfaces and unknown function values, and an io.Writer, which must not retain
// its argument.
//
// Fix: bytes that are returned are copied, if the put is deferred.
//
// Severity: error. Data of one owner reaches another.
package poolalias
