// Package methods has what the RPC methods of a process do with arenas: package arenagrpc tells,
// package live serves it. Neither imports the other.
package methods

import (
	"slices"
	"sync"
)

// A Method is what the RPCs of one did so far: see arenagrpc.MethodStats.
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
	sources []func() ([]Method, bool)
)

// Add adds a source, which is asked until it returns false: it has nothing to tell any more.
func Add(source func() ([]Method, bool)) {
	mu.Lock()
	defer mu.Unlock()
	sources = append(sources, source)
}

// All returns what all sources tell, in the order in which they were added.
func All() []Method {
	mu.Lock()
	defer mu.Unlock()
	var all []Method
	sources = slices.DeleteFunc(sources, func(source func() ([]Method, bool)) bool {
		methods, ok := source()
		all = append(all, methods...)
		return !ok
	})
	return all
}
