package arena

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// settleCycles is the number of collections that a batch waits for, all of which begin after
	// it is left to the collector. One would do for plain memory; the second also frees what a
	// finalizer or an interrupted function still retained in the first. (The stack of an
	// interrupted function is scanned conservatively, dead values included.)
	settleCycles = 2

	// doubtCycles is the number of collections that a batch waits for once more if something in it
	// is still there: where collections follow each other closely, two in a row may interrupt
	// functions that have the same dead value on their stack. It is more than one as to look at a
	// weak pointer keeps its object in a collection that is at work.
	doubtCycles = 3

	// maxPending bounds the objects in the queue, about 100 bytes each with
	// their weak pointers. Above it nothing more is sampled.
	maxPending = 1 << 18

	// maxHeld bounds the memory in quarantine, in bytes.
	maxHeld = 64 << 20
)

// A batch holds the memory that became free at one moment, and waits to be looked at.
type batch struct {
	audits  []*audit
	owner   *owner // nil if it has none
	objects []target
	arenas  int64 // 1, or 0 if the arena lives on; more if samples share the batch
	closed  bool  // nothing is added any more
	ticks   int   // of the queue, since it was freed

	held int64 // bytes in quarantine: not yet left to the collector

	// ended records where the memory became free. It is nil if later writes to it, and references
	// that remain, are not to be reported.
	ended *ending
	life  *life
}

// A waitingList has the batches that wait, and in a checked build the arenas
// that are open. Its clock is a sentinel that dies in each collection, as long
// as there is something to wait for.
type waitingList struct {
	mu      sync.Mutex
	batches []*batch
	open    []openArena
	waiting int   // batches, those that are being looked at included
	held    int64 // bytes in quarantine
	armed   bool
	ticked  chan struct{} // closed by the next tick, if someone waits for it

	objects atomic.Int64 // in batches
}

var queue waitingList

// add puts b in the queue.
func (q *waitingList) add(b *batch) {
	q.objects.Add(int64(len(b.objects)))
	for _, a := range b.audits {
		a.wait(b.arenas)
	}
	q.mu.Lock()
	q.batches = append(q.batches, b)
	q.waiting++
	q.held += b.held
	for i := 0; q.held > maxHeld && i < len(q.batches); i++ {
		q.held -= q.batches[i].leave()
	}
	q.arm()
	q.mu.Unlock()
	findings.complain()
}

// addSample puts what was sampled in arenas of an owner or else a pool, whose audit is the
// first of audits, in the queue: in the batch of the samples before, unless that is looked at.
func (q *waitingList) addSample(audits []*audit, o *owner, objects []target, arenas int64) {
	own := audits[0]
	q.mu.Lock()
	b := own.open
	if b == nil || b.closed {
		q.mu.Unlock()
		b = &batch{audits: audits, owner: o, objects: slices.Clone(objects), arenas: arenas}
		q.add(b)
		q.mu.Lock()
		own.open = b
		q.mu.Unlock()
		return
	}
	b.objects = append(b.objects, objects...)
	b.arenas += arenas
	q.objects.Add(int64(len(objects)))
	for _, a := range audits {
		a.wait(arenas)
	}
	q.mu.Unlock()
}

// arm makes a sentinel, if there is none. With the mutex held.
func (q *waitingList) arm() {
	if q.armed {
		return
	}
	q.armed = true
	sentinel := new([2]*byte) // not one of the small ones that share a block
	runtime.AddCleanup(sentinel, (*waitingList).tick, q)
}

// tick is called once in each collection, some time after it. Collections that
// end while it runs are not counted.
func (q *waitingList) tick() {
	q.mu.Lock()
	batches, open := q.batches, q.open
	q.batches, q.open = nil, nil
	for _, b := range batches {
		q.held -= b.held
		b.closed = true
	}
	q.mu.Unlock()

	var still []*batch
	for _, b := range batches {
		if b.look() {
			still = append(still, b)
		} else {
			q.objects.Add(-int64(len(b.objects)))
		}
	}
	open = lookForLost(open)

	q.mu.Lock()
	q.waiting -= len(batches) - len(still)
	q.batches = append(still, q.batches...)
	q.open = append(open, q.open...)
	q.armed = false
	if len(q.batches)+len(q.open) > 0 {
		q.arm()
	}
	if q.ticked != nil {
		close(q.ticked)
		q.ticked = nil
	}
	q.mu.Unlock()
	findings.complain()
}

// settle collects until nothing waits that was in the queue when it was called:
// settleCycles times and, in doubt, doubtCycles times, once for the first tick, which
// looks at nothing, and once because another tick may have begun before the call.
func (q *waitingList) settle() {
	for range settleCycles + doubtCycles + 2 {
		q.mu.Lock()
		if q.waiting == 0 && len(q.open) == 0 {
			q.mu.Unlock()
			return
		}
		if q.ticked == nil {
			q.ticked = make(chan struct{})
		}
		ticked := q.ticked
		q.mu.Unlock()
		awaitTick(ticked)
	}
}

// awaitTick collects until a tick has run. One collection may not be enough: what the
// tick hangs on may still be on the stack of an interrupted function, and a program that
// only waits then would be said to be in a deadlock.
func awaitTick(ticked <-chan struct{}) {
	for {
		time.Sleep(time.Millisecond) // let interrupted goroutines go on, or a collection finds them as the one before
		runtime.GC()
		select {
		case <-ticked:
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// look is called after each collection. It reports whether b has to wait on.
// The collection before the first call does not count: it may have marked b
// before b was freed.
func (b *batch) look() bool {
	b.leave()
	b.ticks++
	cycles := settleCycles
	if b.ticks > settleCycles+1 || b.ticks == settleCycles+1 && b.anyLeft() {
		cycles += doubtCycles
	}
	if b.ticks <= cycles {
		return true
	}
	var escapes map[escape]int64
	for i := range b.objects {
		o := &b.objects[i]
		if p := o.weak.Value(); p != nil {
			if escapes == nil {
				escapes = make(map[escape]int64)
			}
			e := escape{o.site, b.owner}
			escapes[e]++
			everything.note(e, o.weak)
			b.kept(o, pointerTo(p))
			if o.holding != nil {
				registerWeak(pointerTo(p), o.bytes) // to be found by checkForeign
			}
		} else if o.holding != nil {
			holdings.CompareAndDelete(o.addr, o.holding)
		}
	}
	for _, a := range b.audits {
		a.settle(b.arenas, int64(len(b.objects)), escapes)
	}
	return false
}

// anyLeft reports whether an object of b has not been freed.
func (b *batch) anyLeft() bool {
	return slices.ContainsFunc(b.objects, func(o target) bool { return o.weak.Value() != nil })
}

// leave ends the quarantine of b: who wrote to it since it was freed is found,
// and the collector gets it. It returns how many bytes that were.
func (b *batch) leave() int64 {
	bytes := b.held
	b.held = 0
	if bytes > 0 {
		for i := range b.objects {
			o := &b.objects[i]
			b.verify(o, o.held)
			o.held = nil
		}
		b.unlist()
	}
	return bytes
}

// unlist takes what nobody holds by right out of the registry. To look up a
// chunk there makes the collector keep it, if it is at work.
func (b *batch) unlist() {
	for i := range b.objects {
		o := &b.objects[i]
		forget(span{o.addr, o.bytes, o.weak})
	}
}
