package arena

import (
	"bytes"
	"errors"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"weak"

	"lessgc/internal/checked"
)

// A life records what the checked build knows about an arena from when it is
// opened to when it is freed.
type life struct {
	opened *stack
	ended  atomic.Pointer[ending]
	freed  *state            // the state of the arena once it is freed
	owner  atomic.Int64      // the goroutine that may use it, 0 for the first that does
	frames [8]atomic.Uintptr // see mine
	child  bool              // freed by whoever frees its parent
	used   atomic.Bool       // something was allocated
	left   atomic.Bool       // to the collector: the arena need not be freed, see untyped.Leave
	owned  string            // the name of its owner, "" if it has none
	shared bool              // by several goroutines, see Arena.Share
}

// An ending records where memory became free, and by which method.
type ending struct {
	at *stack
	by string
}

// endHere returns the ending that the call to this package is.
func endHere() *ending {
	return &ending{callers(), strings.TrimPrefix(operation(), "Arena.")}
}

// beginLife is called when an arena is opened.
func (st *state) beginLife() {
	st.life = &life{opened: callers()}
	if checked.Strict {
		st.life.owner.Store(goroutine())
	}
	if st.watch != nil {
		st.watch.life = st.life
	}
}

// lend makes the arena one for the goroutine that uses it first.
func (l *life) lend() {
	l.child = true
	l.give(0)
}

// end is called by Free. It returns the state of the freed arena.
func (st *state) end() *state {
	if !checked.Enabled || st == nil || st.life == nil {
		return &freed
	}
	st.life.end(endHere())
	return st.life.freed
}

// end records how the life ended and makes the state of the freed arena.
func (l *life) end(e *ending) {
	l.freed = &state{life: l}
	l.freed.addRaw(&l.freed.raw)
	l.freed.str = &l.freed.raw
	l.ended.Store(e)
}

// freedState returns the state that slabs of a freed arena belong to.
func (st *state) freedState() *state {
	if checked.Enabled && st.life != nil {
		return st.life.freed
	}
	return &freed
}

// dead reports whether st is that of a freed arena.
func (st *state) dead() bool {
	return st == &freed || checked.Enabled && st.life != nil && st.life.ended.Load() != nil
}

// check panics if the arena was freed, or belongs to another goroutine.
func (l *life) check() {
	if e := l.ended.Load(); e != nil {
		panic("arena: " + operation() + " after " + e.by + ": " + l.story(e) + ", used at " + callers().location())
	}
	if checked.Strict && !l.shared && !l.mine() {
		panic("arena: " + operation() + " from a second goroutine: " + l.begun() +
			", used at " + callers().location() + "; hand the arena over with Adopt, or give the goroutine a Child")
	}
}

// checkFree panics if the arena may not be freed here and now. A child is freed
// by the goroutine of its parent.
func (st *state) checkFree() {
	if st != nil && st.life != nil && (!st.life.child || st.dead()) {
		st.life.check()
	}
}

// mine reports whether the calling goroutine owns the arena. To ask for its
// number costs many microseconds. A loop calls from the same line of the same
// stack again and again, so an address that was the owner's before is taken for
// an answer; at worst a second goroutine is missed that got the stack of one
// that is gone.
func (l *life) mine() bool {
	var here byte
	frame := uintptr(pointerTo(&here))
	known := &l.frames[frame/16%uintptr(len(l.frames))]
	if known.Load() == frame {
		return true
	}
	id := goroutine()
	if l.owner.Load() != id && !l.owner.CompareAndSwap(0, id) {
		return false
	}
	known.Store(frame)
	return true
}

// give makes the goroutine with the number the owner, 0 for whoever comes
// first.
func (l *life) give(id int64) {
	for i := range l.frames {
		l.frames[i].Store(0)
	}
	l.owner.Store(id)
}

// story returns where the arena was opened and where its memory became free.
func (l *life) story(e *ending) string {
	verb := "freed"
	switch e.by {
	case "Reset":
		verb = "reset"
	case "Release":
		verb = "released"
	}
	return l.begun() + ", " + verb + " at " + e.at.location()
}

// begun returns where the arena was opened, and what for.
func (l *life) begun() string {
	if l.owned != "" {
		return "opened for " + l.owned + " at " + l.opened.location()
	}
	return "opened at " + l.opened.location()
}

// where returns the positions that a message of another kind ends with, in the
// checked build.
func (a *Arena) where() string {
	if !checked.Enabled || a == nil || a.st == nil || a.st.life == nil {
		return ""
	}
	return ": " + a.st.life.begun() + ", used at " + callers().location()
}

// goroutine returns the number of the calling goroutine, as it is in the
// header of its stack trace.
func goroutine() int64 {
	var buf [64]byte
	line := buf[:runtime.Stack(buf[:], false)]
	line = bytes.TrimPrefix(line, []byte("goroutine "))
	digits, _, _ := bytes.Cut(line, []byte(" "))
	id, err := strconv.ParseInt(string(digits), 10, 64)
	if err != nil {
		panic("arena: unknown form of stack trace: " + string(line))
	}
	return id
}

// Adopt makes the calling goroutine the owner of a: in the checked build, an
// arena may only be used by the goroutine that opened it, and a [Arena.Child]
// by the first that uses it. It is for an arena that is handed over, after the
// goroutine before has stopped using it. In other builds Adopt does nothing.
func (a *Arena) Adopt() {
	if !checked.Strict || a == nil || a.st == nil || a.st.life == nil {
		return
	}
	a.st.life.give(goroutine())
	a.st.check()
}

// renew is the end of Reset in the checked build: what the arena had is never
// used again.
func (a *Arena) renew() {
	old := a.st
	if old.watch == nil {
		return
	}
	a.st = old.pool.open()
	a.st.life, a.st.watch.life = old.life, old.life
	a.st.watch.owner, a.st.watch.audits = old.watch.owner, old.watch.audits
	old.life = &life{opened: old.life.opened, owned: old.life.owned}
	old.life.end(endHere())
	old.retire()
}

// fresh returns an arena with that state for the checked build, which notices it if
// it becomes unreachable.
func (st *state) fresh() *Arena {
	a := &Arena{st: st}
	queue.expectFree(a)
	return a
}

// An openArena is one that is not freed yet.
type openArena struct {
	handle   weak.Pointer[Arena]
	life     *life
	recycles bool // else to forget Free costs nothing
}

// expectFree notes that someone has to free a.
func (q *waitingList) expectFree(a *Arena) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.open = append(q.open, openArena{weak.Make(a), a.st.life, a.st.policy.recycles()})
	q.arm()
}

// lookForLost returns the arenas that are still open. It complains about those
// that can no longer be freed, unless they are empty or were left to the collector.
func lookForLost(open []openArena) []openArena {
	return slices.DeleteFunc(open, func(o openArena) bool {
		if o.handle.Value() != nil {
			return o.life.ended.Load() != nil
		}
		if o.life.ended.Load() == nil && o.life.used.Load() && !o.life.left.Load() {
			o.lost()
		}
		return true
	})
}

// lost reports an arena that became unreachable without Free.
func (o openArena) lost() {
	text := "never freed: " + o.life.begun() + o.life.opened.String()
	if o.recycles {
		findings.fault(text)
	} else {
		findings.doubt(text)
	}
}

// findings lists the mistakes that the checked build found too late to panic
// where they were made.
var findings findingList

type findingList struct {
	mu      sync.Mutex
	faults  []string // mistakes for certain
	doubts  []string // what may do no harm
	waiters int      // calls of verify, which return both
}

// maxFindings bounds the texts of each kind.
const maxFindings = 100

// fault adds a mistake.
func (f *findingList) fault(text string) { f.add(&f.faults, text) }

// doubt adds what may be one.
func (f *findingList) doubt(text string) { f.add(&f.doubts, text) }

// add adds a text to a list that does not have it yet.
func (f *findingList) add(list *[]string, text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if text = "arena: " + text; len(*list) < maxFindings && !slices.Contains(*list, text) {
		*list = append(*list, text)
	}
}

// complain panics if there is a mistake and nobody else will tell.
func (f *findingList) complain() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.faults) > 0 && f.waiters == 0 {
		panic(strings.Join(f.faults, "\n"))
	}
}

// take returns all texts as one error, or nil.
func (f *findingList) take() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.waiters--
	texts := append(f.faults, f.doubts...)
	f.faults, f.doubts = nil, nil
	if len(texts) == 0 {
		return nil
	}
	return errors.New(strings.Join(texts, "\n"))
}

// verify collects garbage until all arenas that were freed before have been looked
// at, and returns what was found since the last call, in the checked build: see package
// audit.
func verify() error {
	findings.mu.Lock()
	findings.waiters++
	findings.mu.Unlock()
	queue.settle()
	return findings.take()
}
