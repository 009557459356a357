// Package buffers is the published pooled-buffer workload: a string is
// repeated n times into a byte slice, by many goroutines at once.
//
// One op writes the string n times and hands the bytes to a function of the
// caller. They are the caller's until that function returns, and no longer.
// This shape is what lets every strategy do the same work: a strategy that
// reuses its buffer knows when it may, and none has to copy.
//
// # Strategies
//
//   - new: a new [bytes.Buffer] for every call.
//   - mutex: one buffer, shared behind a [sync.Mutex]. The caller's function
//     runs with the lock held.
//   - pool: a buffer from a [sync.Pool], put back when the caller's function
//     has returned. Buffers that have grown beyond 64 KiB are not put back.
//   - typed: the same from a [lessgc/pool.Pool].
//   - sized: a buffer of [lessgc/pool.Buffers], which is asked for the size of
//     the result and decides by itself what is worth keeping. Its WriteString is
//     inlined, that of a bytes.Buffer is called.
//   - scoped: sized, but in a function that [lessgc/pool.Buffers.With] calls.
//
// There is no stdarena strategy: the arena alone is two allocations, the buffer
// is one.
//
// # Published
//
// One row, run in parallel:
//
//	                ns/op  B/op  allocs/op
//	strategy=new     1175   132          1
//	strategy=mutex    686     -          -
//	strategy=pool     407     0          0
//
// Neither string nor n is published. One allocation of 132 B per op, averaged
// over a parallel run, suggests a buffer of 128 B that is grown once, so ours is
// 128 times one byte.
//
// The published pool returns buf.Bytes() of a buffer that it has put back: the
// next call overwrites what the caller holds. TestPublished shows it. A
// strategy wins if it is faster than pool, allocates nothing, and passes
// TestHeld. The typed one is not meant to: its Get and Put are those of pool behind
// one more call each.
package buffers
