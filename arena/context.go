package arena

import "context"

// contextKey is the key of the arena in a context.
type contextKey struct{}

// NewContext returns a context that carries a. The arena must not be freed
// before everything that uses the context is done.
func NewContext(ctx context.Context, a *Arena) context.Context {
	return context.WithValue(ctx, contextKey{}, a)
}

// FromContext returns the arena that ctx carries, or nil, which is the heap.
func FromContext(ctx context.Context) *Arena {
	a, _ := ctx.Value(contextKey{}).(*Arena)
	return a
}
