package arena

import "sync/atomic"

// An account is what the rest of the process knows about one state: its part of
// the bytes that the pool keeps, and its chunks. It lives apart from the state: a
// sync.Pool drops states without a word, and arenas need not be freed. Then a
// cleanup settles the account. Until then only the owner of the state uses it.
type account struct {
	sum    *atomic.Int64 // of the pool
	bytes  int64
	chunks map[uintptr]uintptr // address -> size of those in the registry
}

// set makes the account one of n bytes.
func (ac *account) set(n int64) {
	if n != ac.bytes {
		ac.sum.Add(n - ac.bytes)
		ac.bytes = n
	}
}

// list enters a chunk in the registry.
func (ac *account) list(base, bytes uintptr) {
	if ac.chunks == nil {
		ac.chunks = make(map[uintptr]uintptr)
	}
	ac.chunks[base] = bytes
	register(base, bytes)
}

// unlist removes a chunk, which may be in use still: it is ordinary memory then.
func (ac *account) unlist(base uintptr) {
	unregister(base, ac.chunks[base])
	delete(ac.chunks, base)
}

// settle closes the account.
func (ac *account) settle() {
	ac.set(0)
	for base, bytes := range ac.chunks {
		unregister(base, bytes)
	}
}
