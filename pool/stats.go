package pool

import (
	"runtime"
	"sync/atomic"
	"unsafe"
)

// Stats are the figures of a [Pool] or of [Buffers] since its first use. They
// are not taken at one instant: under load, one figure may be ahead of another
// by the calls and the collections that are running.
type Stats struct {
	// Gets counts the values handed out, by Get and by the scoped methods.
	Gets uint64

	// Misses counts those of them that were allocated.
	Misses uint64

	// Dropped counts the values whose memory went to the collector: not worth
	// keeping, over the limit, unused for two collections, or never put back (of
	// Buffers, one that had been put before).
	Dropped uint64

	// Kept is the number of values that the pool pays for: those that wait in it
	// and those in use. A new Buffer counts from its first Put. What a collection
	// took is counted out shortly after the collection.
	Kept int64

	// KeptBytes is the memory of the Kept values. For a Pool[T] it is the size of
	// T times Kept, without what the values point to.
	KeptBytes int64
}

// HitRate returns the share of Gets that allocated nothing, from 0 to 1. It is
// 0 before the first Get.
func (s Stats) HitRate() float64 {
	if s.Gets == 0 {
		return 0
	}
	return 1 - float64(s.Misses)/float64(s.Gets)
}

// An account is what a pool counts. It is an object of its own, because the
// cleanups of the pooled values refer to it: a cleanup that refers to the pool
// would keep alive whatever the pool is a field of, and with it, perhaps, the
// value.
type account struct {
	misses, dropped atomic.Uint64
	kept, bytes     atomic.Int64
	gets            []line // a power of two of them
}

// A line is a counter that shares its cache line with no other.
type line struct {
	n atomic.Uint64
	_ [56]byte
}

// accountOf returns the account in p, after making it if there is none.
func accountOf(p *atomic.Pointer[account]) *account {
	if a := p.Load(); a != nil {
		return a
	}
	n := 1
	for n < 4*runtime.GOMAXPROCS(0) {
		n *= 2
	}
	p.CompareAndSwap(nil, &account{gets: make([]line, n)})
	return p.Load()
}

// got counts a value that is handed out. A value has one owner and mostly stays
// on one processor, so the counter that its address selects is seldom shared:
// the count costs one atomic addition, not a cache line that all processors
// want.
func (a *account) got(value unsafe.Pointer) {
	hash := uint64(uintptr(value)) * 0x9E3779B97F4A7C15 >> 32
	a.gets[int(hash)&(len(a.gets)-1)].n.Add(1)
}

// stats reads the misses first: each of them was counted in gets before.
func (a *account) stats() Stats {
	s := Stats{
		Misses:    a.misses.Load(),
		Dropped:   a.dropped.Load(),
		Kept:      a.kept.Load(),
		KeptBytes: a.bytes.Load(),
	}
	for i := range a.gets {
		s.Gets += a.gets[i].n.Load()
	}
	return s
}
