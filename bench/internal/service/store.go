package service

import "sync"

// SessionBytes is about what a session occupies of the heap. TestSessionBytes measures it.
const SessionBytes = 1360

const itemsPerSession = 15

// An item is 64 bytes, most of them pointers.
type item struct {
	next        *item
	name, value string
	refs        [2]*item
	n           uint64
}

type session struct {
	id    uint64
	name  string
	items *item // a list
}

func newSession(id uint64) *session {
	s := &session{id: id, name: text(id)}
	for i := range uint64(itemsPerSession) {
		s.items = &item{next: s.items, name: s.name, value: text(id ^ i<<40), n: id + i}
		s.items.refs = [2]*item{s.items.next, s.items}
	}
	return s
}

// text returns 16 bytes of the heap.
func text(n uint64) string {
	var b [16]byte
	for i := range b {
		b[i] = 'a' + byte(n>>(4*i))&15
	}
	return string(b[:])
}

// shards are locked one by one.
const shards = 16

// A Store is a cache of sessions. Any number of goroutines may use it.
type Store struct {
	shards [shards]struct {
		sync.RWMutex
		sessions map[uint64]*session
	}
	mu   sync.Mutex
	next uint64 // id of the next session
	old  uint64 // id of the oldest that Resize has left
}

// NewStore returns a store with n sessions.
func NewStore(n int) *Store {
	s := new(Store)
	for i := range s.shards {
		s.shards[i].sessions = make(map[uint64]*session)
	}
	s.Add(n)
	return s
}

// Add adds n sessions.
func (s *Store) Add(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for range n {
		shard, made := &s.shards[s.next%shards], newSession(s.next)
		shard.Lock()
		shard.sessions[s.next] = made
		shard.Unlock()
		s.next++
	}
}

// Resize adds sessions, or removes the oldest, until n are left.
func (s *Store) Resize(n int) {
	s.mu.Lock()
	have := s.next - s.old
	for ; have > uint64(max(0, n)); have-- {
		s.remove(s.old)
		s.old++
	}
	s.mu.Unlock()
	s.Add(n - int(have))
}

// Halve removes every second session.
func (s *Store) Halve() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.shards {
		shard := &s.shards[i]
		shard.Lock()
		odd := false
		for id := range shard.sessions {
			if odd = !odd; odd {
				delete(shard.sessions, id)
			}
		}
		shard.Unlock()
	}
}

func (s *Store) remove(id uint64) {
	shard := &s.shards[id%shards]
	shard.Lock()
	delete(shard.sessions, id)
	shard.Unlock()
}

// Len returns the number of sessions.
func (s *Store) Len() (n int) {
	for i := range s.shards {
		s.shards[i].RLock()
		n += len(s.shards[i].sessions)
		s.shards[i].RUnlock()
	}
	return n
}

// read sums up a session, 0 if there is none.
func (s *Store) read(id uint64) (sum uint64) {
	shard := &s.shards[id%shards]
	shard.RLock()
	found := shard.sessions[id]
	shard.RUnlock()
	if found == nil {
		return 0
	}
	for i := found.items; i != nil; i = i.next {
		sum += i.n + uint64(len(i.value))
	}
	return sum
}
