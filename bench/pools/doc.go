// Package pools measures lessgc's pools side by side with [sync.Pool], used as people
// use it by hand, and with the public packages of the kind. All of it is tests and
// benchmarks:
//
//	go run ./cmd/lessgc compare -col /impl ./bench/pools
//
// # Shapes
//
// One op takes a value out of a pool, uses it for a moment and puts it back. A row is
// run by one goroutine, and by eight at once.
//
//   - getput: a struct of 64 bytes, of which one field is written and read.
//   - reset: the same with a constructor, and with a Reset that the op cannot do
//     without: the value is found empty each time.
//   - with: reset, in a function that gets the value as its argument.
//   - write: a byte buffer that gets 16 to 100 bytes in one write.
//   - writes: a byte buffer that gets five small writes and five single bytes, as an
//     encoder of a line does.
//   - mixed: a byte buffer whose user does not say how much it writes; most need some
//     hundred bytes, one in a thousand more than 64 KiB.
//   - sized: mixed, but the size is known at the start.
//
// mixed and sized are measured after half a million ops: until it has counted 42,000 uses of
// one size, bytebufferpool keeps everything, and its buffers fit all that comes.
//
// # Implementations
//
//   - syncpool: a sync.Pool of pointers, with the type assertion and the reset by hand;
//     of *bytes.Buffer where bytes are needed, and of those that have grown beyond 64
//     KiB dropped in mixed and sized, without which a few large uses would make every
//     buffer a large one.
//   - syncfunc: in with, a function around it that takes another one.
//   - pool: lessgc/pool.
//   - twopools: values in a sync.Pool, as colega/zeropool keeps them: the pointers that
//     they are stored behind wait in a second sync.Pool. The technique is ours to
//     write down in ten lines; that module is not on every proxy.
//   - bytebufferpool: valyala/bytebufferpool.
//
// The loop is part of each implementation, so that no call which the library does not
// make itself is between a Get and its Put. All loops of a shape return the same
// checksum.
package pools
