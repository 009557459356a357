// Package pool keeps values and byte buffers for the next user of them, so that
// a service does not allocate and collect the same memory for every request.
//
// [Pool] keeps values of one type. [Buffers] keeps byte buffers, by size, and
// drops those that have become larger than their uses need. The zero value of
// both is ready to use, by many goroutines at once, and neither must be copied.
// Once warm, a Pool allocates nothing, and Buffers 512 bytes for each 4096 uses
// of a buffer. Both are a [sync.Pool] underneath: values that two collections in a
// row find unused are collected.
//
// A value belongs to the caller from Get to Put and to the pool after that. A
// pointer or slice that is kept beyond Put reads, and corrupts, the data of the
// next owner. A value that is never put back is collected. The scoped methods (With,
// String, Bytes) do not put it back when the function panics or ends its goroutine: the
// value may still be in use then.
//
// # Misuse
//
// With -tags lessgc_checked or -race, a pool panics, with the positions of the Get, the
// Put and the misuse, when a value is put twice or into another pool, when it was
// changed while the pool had it, and when a method of a [Buffer] is called after Put.
// Values wait before they are handed out again, and their memory is compared then,
// without the objects it points to; so T must not hold a sync.Pool, a Pool or Buffers,
// except behind a pointer. A Buffer is filled with 0xDB. With -race, Put is also a
// write to all of the memory, which races with uses that come too late.
//
// Other builds notice a Buffer that is put twice or used after Put: it panics,
// whoever has its memory by then, without exception for the next 63 uses of the
// memory and again after 4096. In between, each 64th use has the same Buffer, and
// an old owner who comes during that use is taken for the new one. They do not
// notice misuse of the values of a Pool, bytes that are kept beyond Put, copies of
// a Buffer, nor two goroutines that put one Buffer at the same moment, a data race.
// lessgc vet finds most of it in the source.
package pool

// A sync.Pool has a list for each processor without a lock, and the collector empties
// it silently, so a count of values put and got would only ever grow. Here each
// value has a cleanup attached, which counts it out when the collector has taken it. Free
// lists of our own would know without that, but they would need locks or atomic exchanges
// where sync.Pool needs neither, and a timer to find out what the collector knows: that
// memory is short. Nothing is counted while values go around: docs/decisions/0022-pool.md.
