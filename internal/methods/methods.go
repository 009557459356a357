// Package methods holds counters of the RPC methods that use arenas: package arenagrpc sets them,
// package live serves them. Neither imports the other.
package methods

import (
	"slices"
	"sync"
)

// A Method sums up the RPCs of one so far: see arenagrpc.MethodStats.
type Method struct {
	Method   string
	Messages int64
	Bytes    int64
	Memory   int64
	Objects  int64
	Kept     int64
	Errors   int64
	Live     int64
	Audited  int64
	Escapes  int64
	Fallback string
}

var (
	mu      sync.Mutex
	sources []*source
)

type source struct{ tell func() ([]Method, bool) }

// Add adds a source, which is asked until it returns false: it has nothing to tell any more.
func Add(tell func() ([]Method, bool)) {
	mu.Lock()
	defer mu.Unlock()
	sources = append(sources, &source{tell})
}

// All returns the counters of all sources, in the order in which they were added. A source may call it, or Add.
func All() []Method {
	mu.Lock()
	asked := slices.Clone(sources)
	mu.Unlock()
	var all []Method
	for _, s := range asked {
		methods, ok := s.tell()
		all = append(all, methods...)
		if !ok {
			mu.Lock()
			sources = slices.DeleteFunc(sources, func(x *source) bool { return x == s })
			mu.Unlock()
		}
	}
	return all
}
