// Package errgroup stands for the package of this name: it has the methods that the cases
// use.
package errgroup

import (
	"context"
	"sync"
)

// A Group is goroutines.
type Group struct {
	wg   sync.WaitGroup
	once sync.Once
	err  error
	room chan struct{}
}

// WithContext returns a group.
func WithContext(ctx context.Context) (*Group, context.Context) { return new(Group), ctx }

// SetLimit bounds how many of them run.
func (g *Group) SetLimit(n int) { g.room = make(chan struct{}, n) }

// Go starts one.
func (g *Group) Go(f func() error) {
	if g.room != nil {
		g.room <- struct{}{}
	}
	g.wg.Go(func() {
		if err := f(); err != nil {
			g.once.Do(func() { g.err = err })
		}
		if g.room != nil {
			<-g.room
		}
	})
}

// Wait waits for all.
func (g *Group) Wait() error {
	g.wg.Wait()
	return g.err
}
