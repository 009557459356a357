package arena

import "sync"

// A Pool holds arenas.
type Pool struct {
	mu   sync.Mutex
	idle []*PoolItem
}

// A PoolItem is an arena of a Pool.
type PoolItem struct {
	Arena Arena
	Key   uint64
}

// NewArenaPool returns an empty pool.
func NewArenaPool() *Pool { return new(Pool) }

// Acquire returns an arena, which Release gives back.
func (p *Pool) Acquire(key uint64) *PoolItem {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.idle); n > 0 {
		item := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return item
	}
	return &PoolItem{Arena: NewMonotonicArena(), Key: key}
}

// Release gives an arena back.
func (p *Pool) Release(item *PoolItem) {
	item.Arena.Reset()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, item)
}
