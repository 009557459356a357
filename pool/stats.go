package pool

import "sync/atomic"

// Stats are the figures of a [Pool] or of [Buffers] since its first use. They
// are not taken at one instant: under load, one figure may be ahead of another
// by the calls and the collections that are running.
type Stats struct {
	// Misses counts the values that were allocated, by Get and by the scoped methods.
	// The others are not counted: each would cost an atomic addition.
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

// An account holds the counters of a pool. It is an object of its own, because the
// cleanups of the pooled values refer to it: a cleanup that refers to the pool would
// keep alive whatever the pool is a field of, and with it, perhaps, the value.
type account struct {
	misses, dropped atomic.Uint64
	kept, bytes     atomic.Int64
}

// accountOf returns the account in p, after making it if there is none.
func accountOf(p *atomic.Pointer[account]) *account {
	if a := p.Load(); a != nil {
		return a
	}
	p.CompareAndSwap(nil, new(account))
	return p.Load()
}

func (a *account) stats() Stats {
	return Stats{
		Misses:    a.misses.Load(),
		Dropped:   a.dropped.Load(),
		Kept:      a.kept.Load(),
		KeptBytes: a.bytes.Load(),
	}
}
