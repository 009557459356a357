// Package ours shares arenas of lessgc.
package ours

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"
	"lessgc/arena"
	"lessgc/arena/amap"
)

type doc struct {
	id    int
	words []string
}

var pool = arena.Pool{Policy: arena.RecycleTyped}

func badLoop(ids []int) int {
	a := arena.NewArena()
	defer a.Free()
	docs := make([]*doc, len(ids))
	var wg sync.WaitGroup
	for i, id := range ids {
		wg.Add(1)
		go func() { // want `goroutines started in this loop allocate from one arena at the same time`
			defer wg.Done()
			docs[i] = arena.New[doc](a)
			docs[i].id = id
		}()
	}
	wg.Wait()
	return len(docs)
}

func badMaps(ids []int) {
	a := arena.NewArena()
	defer a.Free()
	counts := make([]*amap.Map[int, int], len(ids))
	var wg sync.WaitGroup
	for i, id := range ids {
		wg.Add(1)
		go func() { // want `goroutines started in this loop allocate from one arena at the same time`
			defer wg.Done()
			counts[i] = amap.New[int, int](a, id)
		}()
	}
	wg.Wait()
}

func goodChild(ids []int) int {
	a := arena.NewArena()
	defer a.Free()
	docs := make([]*doc, len(ids))
	var wg sync.WaitGroup
	for i, id := range ids {
		wg.Add(1)
		child := a.Child()
		go func() {
			defer wg.Done()
			docs[i] = arena.New[doc](child)
			docs[i].id = id
		}()
	}
	wg.Wait()
	return len(docs)
}

func goodOwn(ids []int) {
	var wg sync.WaitGroup
	for _, id := range ids {
		wg.Go(func() {
			a := pool.Get()
			defer a.Free()
			arena.New[doc](a).id = id
		})
	}
	wg.Wait()
}

func badGroup(ctx context.Context, ids []int) error {
	a := pool.Get()
	defer a.Free()
	var g errgroup.Group
	for _, id := range ids {
		g.Go(func() error { // want `goroutines started in this loop allocate from one arena at the same time`
			d := load(a, id)
			d.words = append(d.words, "x")
			return ctx.Err()
		})
	}
	return g.Wait()
}

func goodGroupLimited(ctx context.Context, ids []int) error {
	a := pool.Get()
	defer a.Free()
	var g errgroup.Group
	g.SetLimit(1)
	for _, id := range ids {
		g.Go(func() error {
			d := load(a, id)
			d.words = append(d.words, "x")
			return ctx.Err()
		})
	}
	return g.Wait()
}

func load(a *arena.Arena, id int) *doc {
	d := arena.New[doc](a)
	d.id = id
	return d
}

func badPassed(a *arena.Arena, ids []int, out chan<- *doc) {
	for _, id := range ids {
		go send(a, id, out) // want `goroutines started in this loop allocate from one arena at the same time`
	}
}

func send(a *arena.Arena, id int, out chan<- *doc) { out <- load(a, id) }

func goodPassed(a *arena.Arena, ids []int, out chan<- int) {
	for _, id := range ids {
		go count(load(a, id), out)
	}
}

func count(d *doc, out chan<- int) { out <- len(d.words) }

func goodLocked(a *arena.Arena, ids []int) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	for _, id := range ids {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			load(a, id)
		})
	}
	wg.Wait()
}

func badUnlocked(a *arena.Arena, ids []int) int {
	var wg sync.WaitGroup
	var mu sync.Mutex
	n := 0
	for _, id := range ids {
		wg.Go(func() { // want `goroutines started in this loop allocate from one arena at the same time`
			mu.Lock()
			n += id
			mu.Unlock()
			load(a, id)
		})
	}
	wg.Wait()
	return n
}

func badTwo(a *arena.Arena) (left, right *doc) {
	var wg sync.WaitGroup
	wg.Go(func() { left = load(a, 1) })
	wg.Go(func() { right = load(a, 2) }) // want `this goroutine and one that was started before allocate from one arena`
	wg.Wait()
	return left, right
}

func goodTwo(a *arena.Arena) (left, right *doc) {
	var wg sync.WaitGroup
	wg.Go(func() { left = load(a, 1) })
	wg.Wait()
	wg.Go(func() { right = load(a, 2) })
	wg.Wait()
	return left, right
}

func badStarter(a *arena.Arena) (left, right *doc) {
	done := make(chan struct{})
	go func() { // want `the goroutine allocates from an arena that its parent uses at the same time`
		left = load(a, 1)
		close(done)
	}()
	right = load(a, 2)
	<-done
	return left, right
}

func goodStarter(a *arena.Arena) (left, right *doc) {
	done := make(chan struct{})
	go func() {
		left = load(a, 1)
		close(done)
	}()
	<-done
	right = load(a, 2)
	return left, right
}

func badFreed(id int, out chan<- int) {
	a := pool.Get()
	go func() { // want `the goroutine allocates from an arena that is freed without waiting for it`
		d := load(a, id)
		out <- d.id
	}()
	a.Free()
}

func goodFreed(id int, out chan<- int) {
	a := pool.Get()
	go func() {
		d := load(a, id)
		out <- d.id
		a.Free()
	}()
}

func badFreedLater(id int, out chan<- int) {
	a := pool.Get()
	defer a.Free()
	go func() { // want `the goroutine allocates from an arena that is freed without waiting for it`
		d := load(a, id)
		out <- d.id
	}()
}

func goodFreedLater(id int, out chan<- int) {
	a := pool.Get()
	defer a.Free()
	var wg sync.WaitGroup
	defer wg.Wait()
	wg.Go(func() {
		d := load(a, id)
		out <- d.id
	})
}

// A server has one arena for all.
type server struct {
	scratch *arena.Arena
	jobs    chan int
	done    sync.WaitGroup
}

func (s *server) badRun(n int) {
	for range n {
		s.done.Add(1)
		go s.work() // want `goroutines started in this loop allocate from one arena at the same time`
	}
	s.done.Wait()
}

func (s *server) work() {
	defer s.done.Done()
	for id := range s.jobs {
		load(s.scratch, id)
	}
}

// A worker has an arena of its own.
type worker struct {
	server  *server
	scratch *arena.Arena
}

func (s *server) goodRun(n int) {
	for range n {
		w := &worker{server: s, scratch: arena.NewArena()}
		s.done.Add(1)
		go w.work()
	}
	s.done.Wait()
}

func (w *worker) work() {
	defer w.server.done.Done()
	for id := range w.server.jobs {
		load(w.scratch, id)
	}
}

func (s *server) badWorkers(n int) {
	for range n {
		w := &worker{server: s, scratch: s.scratch}
		s.done.Add(1)
		go w.work() // want `goroutines started in this loop allocate from one arena at the same time`
	}
	s.done.Wait()
}

func badSlab(a *arena.Arena, ids []int) {
	docs := arena.Of[doc](a)
	var wg sync.WaitGroup
	for _, id := range ids {
		wg.Go(func() { docs.New().id = id }) // want `goroutines started in this loop allocate from one arena at the same time`
	}
	wg.Wait()
}

func goodSlab(a *arena.Arena, ids []int) {
	docs := arena.Of[doc](a)
	var wg sync.WaitGroup
	for _, id := range ids {
		d := docs.New()
		wg.Go(func() { d.id = id })
	}
	wg.Wait()
}

func goodAdopted(id int, out chan<- *doc) {
	a := arena.NewArena()
	d := load(a, id)
	go func() {
		a.Adopt()
		d.words = arena.Append(a, d.words, "y")
		out <- d
	}()
}

func badNotAdopted(id int, out chan<- *doc) {
	a := arena.NewArena()
	d := load(a, id)
	go func() { // want `the goroutine allocates from an arena that its parent uses`
		d.words = arena.Append(a, d.words, "y")
		out <- d
	}()
	out <- load(a, id+1)
}

func goodOneByOne(a *arena.Arena, ids []int) {
	turn := make(chan struct{}, 1)
	for _, id := range ids {
		turn <- struct{}{}
		go func() {
			defer func() { <-turn }()
			load(a, id)
		}()
	}
	turn <- struct{}{}
}

func badFewAtOnce(a *arena.Arena, ids []int) {
	turn := make(chan struct{}, 4)
	for _, id := range ids {
		turn <- struct{}{}
		go func() { // want `goroutines started in this loop allocate from one arena at the same time`
			defer func() { <-turn }()
			load(a, id)
		}()
	}
}

func goodWaitEach(a *arena.Arena, ids []int) {
	for _, id := range ids {
		done := make(chan struct{})
		go func() {
			defer close(done)
			load(a, id)
		}()
		<-done
	}
}

// background starts a goroutine that nobody waits for.
func background(a *arena.Arena, id int) {
	go func() { load(a, id) }()
}

func badBackground(a *arena.Arena, ids []int) {
	for _, id := range ids {
		background(a, id) // want `goroutines started in this loop allocate from one arena at the same time`
	}
}

// inTurn waits for its goroutine.
func inTurn(a *arena.Arena, id int) {
	var wg sync.WaitGroup
	wg.Go(func() { load(a, id) })
	wg.Wait()
}

func goodInTurn(a *arena.Arena, ids []int) {
	for _, id := range ids {
		inTurn(a, id)
	}
}

func goodShare(a *arena.Arena, ids []int) {
	a.Share()
	for _, id := range ids {
		go load(a, id)
	}
}

func badShareOther(a, b *arena.Arena, ids []int) {
	b.Share()
	for _, id := range ids {
		go load(a, id) // want `goroutines started in this loop allocate from one arena at the same time`
	}
}

type step struct{ next *step }

// goodWalk goes along a list by a variable that function literals change, and that it sets from itself only.
func goodWalk(n int) (all int) {
	var last *step
	add := func() { last = &step{last} }
	for range n {
		add()
	}
	for ; last != nil; last = last.next {
		all++
	}
	return all
}

func goodWalks() (all []int) {
	for i, n := range []int{goodWalk(3)} {
		all = append(all, i, n)
	}
	return all
}
