// Package pool keeps values and byte buffers for the next user of them, so that
// a service does not allocate and collect the same memory for every request.
//
// [Pool] keeps values of one type. [Buffers] keeps byte buffers, by size, and
// drops those that have become larger than their uses need. The zero value of
// both is ready to use, by many goroutines at once, and neither must be copied.
// Once warm, a Pool allocates nothing, and Buffers 512 bytes for each 16 uses.
//
// # Who owns a value
//
// A value belongs to the caller from Get to Put and to the pool after that. A
// pointer or slice that is kept beyond Put shows, and changes, the data of the
// next owner. The scoped methods give a value back by themselves: With has no
// result, and what [Buffers.String] and [Buffers.Bytes] return is always a copy.
// The type system cannot do more: a function can still store its argument in a
// variable outside. The checked build finds the use of it.
//
// Nothing happens if a value is never put back: the collector takes it. That is
// what the scoped methods do when the function panics or ends its goroutine,
// because nobody knows then who still holds the value.
//
// # The checked build
//
// With -tags lessgc_checked or -race, a pool panics when it is misused, and says
// where the value was got, where it was put and where that was noticed:
//
//   - a value is put twice;
//   - a value is put that this pool did not give out;
//   - a value was changed after it was put. The pool keeps it out of use for a
//     while, and compares its memory before it hands it out again. A [Buffer] is
//     filled with 0xDB, so that whoever still reads it sees that too. Of other
//     values, the memory of the value itself is compared, without what it points
//     to: it must not change while the pool has it, not even by a goroutine of
//     its own or by the runtime. So T must not hold a [sync.Pool], a Pool or
//     Buffers, except behind a pointer;
//   - a method of a [Buffer] is called after it was put.
//
// A write to a buffer whose memory Put did not keep is not found: there is nobody
// whom it could harm.
//
// With -race, Put also counts as a write to all of the memory, so that a use by
// another goroutine is reported as the data race that it is.
//
// # What a plain build notices
//
// Of Buffers, which have a [Buffer] for each Get: one that is put twice, however
// long after, or into another pool, panics; so does a use after Put, but for the
// methods that are inlined. Those work on memory of their own then: what they write
// is lost, and never reaches the next owner.
//
// A plain build does not notice
//
//   - with a Pool: a value that is put twice, which gives it two owners; one that is
//     put into a pool that did not give it out; a use after Put. A *T is all that the
//     pool and its user share, and to look one up in each Put would cost more than
//     the pool saves;
//   - bytes of a Buffer that are used after Put: the next owner's are in the same
//     memory;
//   - a copy of a Buffer, by value, that is put as well: go vet finds it;
//   - one Buffer that two goroutines put at the same moment, which is a data race.
//
// lessgc vet finds most of these in the source, the checked build when they happen.
//
// # What it is built on
//
// Both types are a [sync.Pool] underneath: it has a list for each processor
// without a lock, and the collector empties it of what two collections in a row
// found unused, so an idle service gives its memory back. It does so without a
// word, so a count of what was put and got would only ever grow. Here each value
// has a cleanup attached, which counts it out when the collector has taken it.
// Free lists of our own would know without that, but they would need locks or
// atomic exchanges where sync.Pool needs neither, and a timer to find out what
// the collector knows: that memory is short. The price of the figures is one
// atomic addition in each Get.
package pool
