// Package lib keeps what servers give it.
package lib

import (
	"sync"

	"cases/pb"
)

// Recent is the users that were seen last.
type Recent struct {
	mu    sync.Mutex
	users []*pb.User
	names []string
}

// Add adds a user.
func (r *Recent) Add(u *pb.User) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.users = append(r.users, u)
}

// AddName adds a name.
func (r *Recent) AddName(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.names = append(r.names, name)
}

// Valid reports whether a user can be stored.
func Valid(u *pb.User) bool { return u.GetId() != 0 && u.GetName() != "" }

// A Cache holds values by key.
type Cache[K comparable, V any] struct {
	mu     sync.Mutex
	values map[K]V
}

// Add adds a value.
func (c *Cache[K, V]) Add(k K, v V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.values == nil {
		c.values = map[K]V{}
	}
	c.values[k] = v
}

// Get returns a value.
func (c *Cache[K, V]) Get(k K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.values[k]
	return v, ok
}
