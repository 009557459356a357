// Package poolunbounded finds pools that keep whatever size their values have grown to.
//
// A buffer that once held a large request keeps its memory when it is put back, through
// all small requests after it. Reset and clear empty a value, but do not shrink it. Leave
// values above a size limit to the garbage collector. pool.Buffers of lessgc does so
// automatically, by the sizes of the last uses.
//
// Bad:
//
//	var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
//
//	func read(r io.Reader) (string, error) {
//		b := buffers.Get().(*bytes.Buffer)
//		b.Reset()
//		_, err := b.ReadFrom(r)
//		s := b.String()
//		buffers.Put(b)
//		return s, err
//	}
//
// Good:
//
//	var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
//
//	func read(r io.Reader) (string, error) {
//		b := buffers.Get().(*bytes.Buffer)
//		b.Reset()
//		_, err := b.ReadFrom(r)
//		s := b.String()
//		if b.Cap() <= 64<<10 {
//			buffers.Put(b)
//		}
//		return s, err
//	}
//
// Reported are buffers, slices and maps, and structs that hold some, also within other structs of the
// package, which grow with their input: slices and strings of unknown length are appended or
// written, single elements in a loop, keys are added.
//
// It is silent about values of a fixed size; when the memory that grows is replaced; when the input is limited anywhere, as by
// io.LimitReader; and of pools that are seen in part only.
//
// A function on the way to Put that compares a capacity or length with a limit, and not with what is needed, as
// before growth, is a guard. If a pool has a guard, a Put is reported only where the same function gets the value
// and has it grow, and nothing that it calls is a guard: others may leave the test to their callers.
//
// Fix: the value is put only if its capacity is at most 64 KiB. If the rule would fall silent for the whole
// pool, all puts of it are guarded together.
//
// It is advisory, off by default. Severity: note.
package poolunbounded
