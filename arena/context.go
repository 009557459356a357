package arena

import "context"

// contextKey is the key of the arena in a context.
type contextKey struct{}

// NewContext returns a context that carries a, for the goroutine that uses a: others
// need a [Arena.Child] of their own.
func NewContext(ctx context.Context, a *Arena) context.Context {
	return context.WithValue(ctx, contextKey{}, a)
}

// FromContext returns the arena that ctx carries, or nil, which is the heap, if there is
// none or it was freed: code that outlives the arena works on the heap.
func FromContext(ctx context.Context) *Arena {
	a, _ := ctx.Value(contextKey{}).(*Arena)
	if a == nil || a.freed() {
		return nil
	}
	return a
}
