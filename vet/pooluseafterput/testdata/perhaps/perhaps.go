// Package perhaps has functions that put a value, or drop it for a reason that their callers cannot
// know.
package perhaps

import (
	"bytes"
	"io"
	"math/rand"
	"sync"
	"sync/atomic"
)

var (
	buffers  = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	idle     = make(chan struct{}, 64)
	disabled bool
	puts     atomic.Int64
	dropped  atomic.Int64
)

// putIdle drops a buffer while too many are idle.
//
// summary: b: released or dropped, used
func putIdle(b *bytes.Buffer) {
	select {
	case idle <- struct{}{}:
		b.Reset()
		buffers.Put(b)
	default:
		dropped.Add(1)
	}
}

func badFull() int {
	b := buffers.Get().(*bytes.Buffer)
	putIdle(b)
	b.WriteString("x") // want "b is used after it was put back"
	return 0
}

func goodFull() int {
	b := buffers.Get().(*bytes.Buffer)
	b.WriteString("x")
	putIdle(b)
	return 0
}

// summary: b: released or dropped
func putEnabled(b *bytes.Buffer) {
	if disabled {
		return
	}
	buffers.Put(b)
}

func badEnabled(w io.Writer) {
	b := buffers.Get().(*bytes.Buffer)
	putEnabled(b)
	w.Write(b.Bytes()) // want "b is used after it was put back"
}

// Whoever looks at the flag knows.
func goodEnabled(w io.Writer) {
	b := buffers.Get().(*bytes.Buffer)
	putEnabled(b)
	if disabled {
		w.Write(b.Bytes())
	}
}

// summary: b: released or dropped
func putSampled(b *bytes.Buffer) {
	if rand.Intn(8) != 0 {
		buffers.Put(b)
	}
}

func badSampled() int {
	b := buffers.Get().(*bytes.Buffer)
	putSampled(b)
	return b.Len() // want "b is used after it was put back"
}

func goodSampled() int {
	b := buffers.Get().(*bytes.Buffer)
	n := b.Len()
	putSampled(b)
	return n
}

// summary: b: released or dropped
func putEach(b *bytes.Buffer) {
	if n := puts.Add(1); n%100 == 0 {
		return
	}
	buffers.Put(b)
}

func badEach() int {
	b := buffers.Get().(*bytes.Buffer)
	putEach(b)
	return b.Len() // want "b is used after it was put back"
}

// A pool that is bounded, and can be closed.
type pool struct {
	mu     sync.Mutex
	closed bool
	n, max int
	pool   sync.Pool
	ok     func() bool
}

type item struct {
	data  []byte
	owned bool
	refs  int
}

// summary: p: escapes, detaches n, used; it: released or dropped
func (p *pool) put(it *item) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.n >= p.max {
		return
	}
	p.n++
	p.pool.Put(it)
}

func (p *pool) badPut(it *item) {
	p.put(it)
	it.owned = false // want "it is used after it was put back"
}

func (p *pool) goodPut(it *item) {
	it.owned = false
	p.put(it)
}

func (p *pool) goodClosed(it *item) {
	p.put(it)
	if p.closed {
		it.owned = false
	}
}

func (p *pool) isClosed() bool { return p.closed }

// summary: p: used; it: released or dropped
func (p *pool) putOpen(it *item) {
	if !p.isClosed() {
		p.pool.Put(it)
	}
}

func (p *pool) badOpen(it *item) int {
	p.putOpen(it)
	return len(it.data) // want "it is used after it was put back"
}

func (p *pool) goodOpen(it *item) int {
	p.putOpen(it)
	if p.isClosed() {
		return len(it.data)
	}
	return 0
}

// summary: p: escapes, detaches n, used; it: released
func (p *pool) putThrough(it *item) {
	if it == nil {
		return
	}
	p.put(it)
}

func (p *pool) badThrough(it *item) int {
	p.putThrough(it)
	return len(it.data) // want "it is used after it was put back"
}

// Whether it is owned is known to its owner.
//
// summary: p: used; it: perhaps released, used
func (p *pool) putOwned(it *item) {
	if it.owned {
		p.pool.Put(it)
	}
}

func (p *pool) goodOwned(it *item) int {
	p.putOwned(it)
	return len(it.data)
}

// summary: p: used; it: perhaps released, detaches refs, used
func (p *pool) putLast(it *item) {
	it.refs--
	if it.refs == 0 {
		p.pool.Put(it)
	}
}

func (p *pool) goodLast(it *item) int {
	p.putLast(it)
	return len(it.data)
}

// unref counts down.
func (it *item) unref() bool {
	it.refs--
	return it.refs == 0
}

// summary: p: used; it: perhaps released, detaches refs, used
func (p *pool) putUnref(it *item) {
	if it.unref() {
		p.pool.Put(it)
	}
}

func (p *pool) goodUnref(it *item) int {
	p.putUnref(it)
	return len(it.data)
}

// References may be counted elsewhere.
type group struct {
	left atomic.Int32
	pool sync.Pool
}

// summary: g: used; it: perhaps released
func (g *group) done(it *item) {
	if g.left.Add(-1) == 0 {
		g.pool.Put(it)
	}
}

func (g *group) goodDone(it *item) int {
	g.done(it)
	return len(it.data)
}

// summary: p: used; it: perhaps released
func (p *pool) putIf(it *item, how func() bool) {
	if how() {
		p.pool.Put(it)
	}
}

func (p *pool) goodIf(it *item) int {
	p.putIf(it, func() bool { return it.owned })
	return len(it.data)
}

// What is not put is kept.
func (p *pool) putLater(it *item, list *[]*item) {
	if p.closed {
		*list = append(*list, it)
		return
	}
	p.pool.Put(it)
}

func (p *pool) goodLater(it *item, list *[]*item) int {
	p.putLater(it, list)
	return len(it.data)
}

// A mark says that it was put.
func (p *pool) putNoted(it *item, gone *bool) {
	if p.closed {
		return
	}
	p.pool.Put(it)
	*gone = true
}

func (p *pool) goodNoted(it *item) int {
	var gone bool
	p.putNoted(it, &gone)
	if gone {
		return 0
	}
	return len(it.data)
}

// recycle reports whether it was put.
//
// summary: p: used; it: released or dropped, as results tell, dropped if result 0 is zero and else released
func (p *pool) recycle(it *item) bool {
	if p.closed {
		return false
	}
	p.pool.Put(it)
	return true
}

func (p *pool) goodRecycle(it *item) int {
	if p.recycle(it) {
		return 0
	}
	return len(it.data)
}

func (p *pool) badRecycle(it *item) int {
	if p.recycle(it) {
		return len(it.data) // want "it is used after it was put back"
	}
	return 0
}

func (p *pool) badUntold(it *item) int {
	p.recycle(it)
	return len(it.data) // want "it is used after it was put back"
}

// recycleDone does so for one that is done.
func (p *pool) recycleDone(it *item) bool {
	if it.refs > 0 {
		return false
	}
	p.pool.Put(it)
	return true
}

// One more reference is held.
func (p *pool) goodUntold(it *item) int {
	p.recycleDone(it)
	return len(it.data)
}

// summary: p: used; it: perhaps released, dropped if reuse is zero and else released
func (p *pool) finish(it *item, reuse bool) {
	if reuse {
		p.pool.Put(it)
	}
}

func (p *pool) badFinish(it *item) int {
	p.finish(it, true)
	return len(it.data) // want "it is used after it was put back"
}

func (p *pool) goodFinish(it *item) int {
	p.finish(it, false)
	return len(it.data)
}

func (p *pool) badFinishIf(it *item, reuse bool) int {
	p.finish(it, reuse)
	if reuse {
		return len(it.data) // want "it is used after it was put back"
	}
	return 0
}

func (p *pool) goodFinishIf(it *item, reuse bool) int {
	p.finish(it, reuse)
	if !reuse {
		return len(it.data)
	}
	return 0
}

func (p *pool) badFinishPerhaps(it *item, reuse bool) int {
	p.finish(it, reuse)
	return len(it.data) // want "it is used after it was put back"
}

func (p *pool) goodFinishPerhaps(it *item, reuse bool) int {
	n := len(it.data)
	p.finish(it, reuse)
	return n
}

// In a function it is known whether it was put.
func (p *pool) goodInside(it *item) int {
	if !p.closed {
		p.pool.Put(it)
		return 0
	}
	return len(it.data)
}

// A node has an atomic count, and a mark that only one caller can set.
type node struct {
	refs atomic.Int32
	free atomic.Bool
	data []byte
}

func (n *node) unref() bool { return n.refs.Add(-1) == 0 }

func (n *node) claim() bool { return n.free.CompareAndSwap(false, true) }

var nodes, selfReaders sync.Pool

// summary: n: perhaps released, used
func putNode(n *node) {
	if n.unref() {
		nodes.Put(n)
	}
}

func goodNode(n *node) int {
	putNode(n)
	return len(n.data)
}

// summary: n: perhaps released, used
func putClaimed(n *node) {
	if n.claim() {
		nodes.Put(n)
	}
}

func goodClaimed(n *node) {
	putClaimed(n)
	putClaimed(n)
}
