package ours

import (
	"container/list"
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"lessgc/arena"
	"lessgc/arena/deep"
)

var (
	latest  *user
	current atomic.Pointer[user]
	shared  sync.Map
	byID    = map[int]*user{}
	ids     = map[string]int{}
	hits    = map[string]int{}
)

func badGlobal(name string) {
	a := arenas.Get()
	defer a.Free()
	latest = build(a, name) // want "outlives"
}

func goodGlobal(name string) {
	a := arenas.Get()
	defer a.Free()
	latest = deep.Clone(build(a, name))
}

func badGlobalMap(name string) {
	a := arenas.Get()
	defer a.Free()
	u := build(a, name)
	byID[u.id] = u // want "outlives"
}

func goodGlobalMap(name string) {
	a := arenas.Get()
	defer a.Free()
	u := build(a, name)
	ids[u.name] = u.id
}

func badMapKey(name string) {
	a := recycled.Get()
	defer a.Free()
	hits[a.String("user/"+name)]++ // want "outlives"
}

func goodMapKey(name string) {
	a := arenas.Get()
	defer a.Free()
	hits[a.String("user/"+name)]++
}

func goodMapLookup(name string) int {
	a := recycled.Get()
	defer a.Free()
	return hits[a.String("user/"+name)]
}

func badAtomic(name string) {
	a := arenas.Get()
	defer a.Free()
	current.Store(build(a, name)) // want "outlives"
}

func goodAtomic(name string) {
	a := arenas.Get()
	defer a.Free()
	u := *build(a, name)
	current.Store(&u)
}

func badSyncMap(name string) {
	a := arenas.Get()
	defer a.Free()
	u := build(a, name)
	shared.Store(u.id, u) // want "outlives"
}

func goodSyncMap(name string) {
	a := arenas.Get()
	defer a.Free()
	u := build(a, name)
	shared.Store(u.id, u.name)
}

// A cache keeps users.
type cache struct {
	last   *user
	all    []*user
	names  []string
	recent list.List
	jobs   chan *user
	counts chan int
}

func (c *cache) badField(name string) {
	a := arenas.Get()
	defer a.Free()
	c.last = build(a, name) // want "outlives"
}

func (c *cache) goodField(name string) {
	a := arenas.Get()
	defer a.Free()
	c.last = arena.Clone(build(a, name))
}

func (c *cache) goodTakenBack(name string) int {
	a := arenas.Get()
	defer a.Free()
	c.last = build(a, name)
	n := c.lookAtLast()
	c.last = nil
	return n
}

func (c *cache) goodTakenBackDeferred(name string) int {
	a := arenas.Get()
	defer a.Free()
	c.last = build(a, name)
	defer func() { c.last = nil }()
	return c.lookAtLast()
}

func (c *cache) lookAtLast() int { return c.last.id }

func (c *cache) badAppended(name string) {
	a := arenas.Get()
	defer a.Free()
	c.all = append(c.all, build(a, name)) // want "outlives"
}

func (c *cache) goodAppended(name string) {
	a := arenas.Get()
	defer a.Free()
	c.names = append(c.names, build(a, name).name)
}

func (c *cache) badInLoop(names []string) {
	for _, name := range names {
		a := arenas.Get()
		c.all = append(c.all, build(a, name)) // want "outlives"
		a.Free()
	}
}

func (c *cache) goodInLoop(names []string) {
	for _, name := range names {
		a := arenas.Get()
		c.all = append(c.all, deep.Detach(a, build(a, name)))
		a.Free()
	}
}

func (c *cache) badElement(name string) {
	a := arenas.Get()
	defer a.Free()
	c.all[0] = build(a, name) // want "outlives"
}

func (c *cache) goodElement(name string) {
	a := arenas.Get()
	defer a.Free()
	*c.all[0] = *build(a, name)
}

func (c *cache) badRangeFunc(text string) {
	for name := range strings.FieldsSeq(text) {
		a := arenas.Get()
		c.last = build(a, name) // want "outlives"
		a.Free()
	}
}

func (c *cache) goodRangeFunc(text string) {
	for name := range strings.FieldsSeq(text) {
		a := arenas.Get()
		c.names = append(c.names, build(a, name).name)
		a.Free()
	}
}

func (c *cache) badSend(name string) {
	a := arenas.Get()
	defer a.Free()
	c.jobs <- build(a, name) // want "outlives"
}

func (c *cache) goodSend(name string) {
	a := arenas.Get()
	defer a.Free()
	c.jobs <- deep.Clone(build(a, name))
}

func (c *cache) badTrySend(name string) bool {
	a := arenas.Get()
	defer a.Free()
	select {
	case c.jobs <- build(a, name): // want "outlives"
		return true
	default:
		return false
	}
}

func (c *cache) goodTrySend(name string) bool {
	a := arenas.Get()
	defer a.Free()
	select {
	case c.counts <- build(a, name).id:
		return true
	default:
		return false
	}
}

// goodAcknowledged waits until the user was looked at.
func (c *cache) goodAcknowledged(name string) int {
	a := arenas.Get()
	defer a.Free()
	c.jobs <- build(a, name)
	return <-c.counts
}

func (c *cache) badHelper(name string) {
	a := arenas.Get()
	defer a.Free()
	c.add(build(a, name)) // want "outlives"
}

func (c *cache) goodHelper(name string) {
	a := arenas.Get()
	defer a.Free()
	c.addName(build(a, name))
}

func (c *cache) add(u *user) { c.all = append(c.all, u) }

func (c *cache) addName(u *user) { c.names = append(c.names, u.name) }

func (c *cache) badPushed(name string) {
	a := arenas.Get()
	defer a.Free()
	c.recent.PushBack(build(a, name)) // want "outlives"
}

func (c *cache) goodPushed(name string) {
	a := arenas.Get()
	defer a.Free()
	c.recent.PushBack(build(a, name).name)
}

func badToParameter(to *user, name string) {
	a := arenas.Get()
	defer a.Free()
	to.friend = build(a, name) // want "outlives"
}

func goodToParameter(to *user, name string) {
	a := arenas.Get()
	defer a.Free()
	to.name = build(a, name).name
}

func badOutSlice(out []*user, names []string) {
	a := arenas.Get()
	defer a.Free()
	for i, name := range names {
		out[i] = build(a, name) // want "outlives"
	}
}

func goodOutSlice(out []int, names []string) {
	a := arenas.Get()
	defer a.Free()
	for i, name := range names {
		out[i] = build(a, name).id
	}
}

func badOutPointer(to **user, name string) {
	a := arenas.Get()
	defer a.Free()
	*to = build(a, name) // want "outlives"
}

func goodOutPointer(to *user, name string) {
	a := arenas.Get()
	defer a.Free()
	*to = *build(a, name)
}

func badOutMap(to map[string][]byte, key string, line []byte) {
	a := arenas.Get()
	defer a.Free()
	to[key] = a.Bytes(line) // want "outlives"
}

func goodOutMap(to map[string]string, key string, line []byte) {
	a := arenas.Get()
	defer a.Free()
	to[key] = a.StringFrom(line)
}

type contextKey struct{}

func badContext(ctx context.Context, name string) context.Context {
	a := arenas.Get()
	defer a.Free()
	return context.WithValue(ctx, contextKey{}, build(a, name)) // want "outlives"
}

func goodContext(ctx context.Context, name string) context.Context {
	a := arenas.Get()
	defer a.Free()
	return context.WithValue(ctx, contextKey{}, build(a, name).id)
}

func audit(u *user) { hits[u.name]++ }

func badGo(name string) {
	a := arenas.Get()
	defer a.Free()
	go audit(build(a, name)) // want "outlives"
}

func goodGo(name string) {
	a := arenas.Get()
	defer a.Free()
	go audit(deep.Clone(build(a, name)))
}

func badGoClosure(name string, out chan<- int) {
	a := arenas.Get()
	defer a.Free()
	u := build(a, name)
	go func() { out <- u.id }() // want "outlives"
}

func goodGoClosure(name string, out chan<- int) {
	a := arenas.Get()
	defer a.Free()
	id := build(a, name).id
	go func() { out <- id }()
}

func goodGoJoined(names []string) {
	a := arenas.Get()
	defer a.Free()
	var wg sync.WaitGroup
	for _, name := range names {
		u := build(a, name)
		wg.Add(1)
		go func() {
			defer wg.Done()
			audit(u)
		}()
	}
	wg.Wait()
}

func badWaitGroup(names []string) {
	a := arenas.Get()
	defer a.Free()
	var wg sync.WaitGroup
	for _, name := range names {
		u := build(a, name)
		wg.Go(func() { audit(u) }) // want "outlives"
	}
}

func goodWaitGroup(names []string) {
	a := arenas.Get()
	defer a.Free()
	var wg sync.WaitGroup
	for _, name := range names {
		u := build(a, name)
		wg.Go(func() { audit(u) })
	}
	wg.Wait()
}

func goodDeferredWait(names []string) {
	a := arenas.Get()
	defer a.Free()
	var wg sync.WaitGroup
	defer wg.Wait()
	for _, name := range names {
		u := build(a, name)
		wg.Go(func() { audit(u) })
	}
}

func goodGoDone(name string) {
	a := arenas.Get()
	defer a.Free()
	u := build(a, name)
	done := make(chan struct{})
	go func() {
		defer close(done)
		audit(u)
	}()
	<-done
}

func goodGoOwns(name string) {
	a := arenas.Get()
	u := build(a, name)
	go func() {
		a.Adopt()
		defer a.Free()
		audit(u)
	}()
}

func badTimer(name string) *time.Timer {
	a := arenas.Get()
	defer a.Free()
	u := build(a, name)
	return time.AfterFunc(time.Second, func() { audit(u) }) // want "outlives"
}

func goodTimer(name string) *time.Timer {
	a := arenas.Get()
	defer a.Free()
	u := deep.Clone(build(a, name))
	return time.AfterFunc(time.Second, func() { audit(u) })
}

type job struct {
	arena *arena.Arena
	user  *user
}

func goodJobOwns(out chan<- job, name string) {
	a := arenas.Get()
	out <- job{a, build(a, name)}
}

func badJob(out chan<- job, name string) {
	a := arenas.Get()
	defer a.Free()
	out <- job{user: build(a, name)} // want "outlives"
}

func goodLocalChannel(names []string) (n int) {
	a := arenas.Get()
	defer a.Free()
	queue := make(chan *user, len(names))
	for _, name := range names {
		queue <- build(a, name)
	}
	close(queue)
	for u := range queue {
		n += u.id
	}
	return n
}

// goodInFlight keeps the user in the table as long as it is worked on.
func goodInFlight(name string) int {
	a := arenas.Get()
	defer a.Free()
	u := build(a, name)
	byID[u.id] = u
	defer delete(byID, u.id)
	return len(byID)
}

// A registry does with users what cannot be seen.
type registry interface{ Visit(u *user) }

// visit only looks at u.
//
//lessgc:borrows u
func visit(r registry, c *cache, u *user) {
	c.last = u
	r.Visit(u)
	c.last = nil
}

func goodDirective(r registry, c *cache, name string) {
	a := arenas.Get()
	defer a.Free()
	visit(r, c, build(a, name))
}
