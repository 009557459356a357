// Package errgroup stands for the package of this name: it has what the cases use.
package errgroup

import (
	"context"
	"sync"
)

// A Group runs functions.
type Group struct {
	wg   sync.WaitGroup
	once sync.Once
	err  error
}

// WithContext returns a group.
func WithContext(ctx context.Context) (*Group, context.Context) { return new(Group), ctx }

// Go calls f in a goroutine.
func (g *Group) Go(f func() error) {
	g.wg.Go(func() {
		if err := f(); err != nil {
			g.once.Do(func() { g.err = err })
		}
	})
}

// Wait waits for all of them and returns the first error.
func (g *Group) Wait() error {
	g.wg.Wait()
	return g.err
}
