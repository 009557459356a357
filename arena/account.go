package arena

import "sync/atomic"

// An account records what the rest of the process knows about one state: its share
// of the bytes of the pool, the memory kept for the next arena and that which an
// open arena has added. It lives apart from the state: a sync.Pool drops states
// without a word, and arenas need not be freed. Then a cleanup settles the account.
// Until then only the owner of the state uses it.
type account struct {
	sum   *atomic.Int64 // of the pool
	bytes int64
}

// set makes the account one of n bytes.
func (ac *account) set(n int64) {
	if n != ac.bytes {
		ac.sum.Add(n - ac.bytes)
		ac.bytes = n
	}
}

// settle closes the account.
func (ac *account) settle() { ac.set(0) }
