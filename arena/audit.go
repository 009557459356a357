package arena

import (
	"cmp"
	"math/bits"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"weak"

	"lessgc/internal/checked"
	"lessgc/internal/untyped"
)

// defaultAuditEvery is the AuditEvery of a Pool that does not set it, with
// LESSGC_ARENA=audit in the environment.
const defaultAuditEvery = 100

// auditAll reports whether the environment asks for audits of all pools that
// do not say otherwise, and of arenas from NewArena.
var auditAll = os.Getenv("LESSGC_ARENA") == "audit"

// An audit collects what becomes of watched arenas.
type audit struct {
	mu                                sync.Mutex
	arenas, objects, pending, skipped int64
	escapes                           map[escape]int64

	recent map[escape][]weak.Pointer[byte] // the last objects of each, of everything only

	open *batch // that samples are added to, with the mutex of the queue; nil if there was none
}

// An escape identifies memory that was kept: its site, and the owner of its arenas, or nil.
type escape struct {
	site  *site
	owner *owner
}

// everything is the audit of the process.
var everything audit

// wait counts arenas that were freed.
func (a *audit) wait(arenas int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.pending += arenas
}

// skip counts an arena that should have been sampled.
func (a *audit) skip() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.skipped++
}

// settle counts arenas that were looked at.
func (a *audit) settle(arenas, objects int64, escapes map[escape]int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.pending -= arenas
	a.arenas += arenas
	a.objects += objects
	for s, n := range escapes {
		if a.escapes == nil {
			a.escapes = make(map[escape]int64)
		}
		a.escapes[s] += n
	}
}

// maxRecent is the number of objects that are remembered for each escape, the latest ones,
// so that their keepers can be found.
const maxRecent = 4

// note notes an object that is kept.
func (a *audit) note(e escape, object weak.Pointer[byte]) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.recent == nil {
		a.recent = map[escape][]weak.Pointer[byte]{}
	}
	objects := a.recent[e]
	if len(objects) == maxRecent {
		objects = slices.Delete(objects, 0, 1)
	}
	a.recent[e] = append(objects, object)
}

// kept returns objects that were found to be kept and still are, a few of each escape.
func (a *audit) kept() (all []untyped.Kept) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for e, objects := range a.recent {
		objects = slices.DeleteFunc(objects, func(w weak.Pointer[byte]) bool { return w.Value() == nil })
		if a.recent[e] = objects; len(objects) == 0 {
			delete(a.recent, e)
		}
		for _, w := range objects {
			all = append(all, untyped.Kept{Escape: e.told(1), Object: w})
		}
	}
	return all
}

// told returns what is said of n objects that were kept.
func (e escape) told(n int64) untyped.Escape {
	found := untyped.Escape{Type: e.site.typ, Site: e.site.name(), Count: n}
	if e.owner != nil {
		found.Owner = e.owner.name
	}
	return found
}

// report returns what was found so far.
func (a *audit) report() untyped.Audit {
	a.mu.Lock()
	defer a.mu.Unlock()
	r := untyped.Audit{Arenas: a.arenas, Objects: a.objects, Pending: a.pending, Skipped: a.skipped}
	for e, n := range a.escapes {
		r.Escapes = append(r.Escapes, e.told(n))
	}
	slices.SortFunc(r.Escapes, func(x, y untyped.Escape) int {
		return cmp.Or(-cmp.Compare(x.Count, y.Count), cmp.Compare(x.Site, y.Site), cmp.Compare(x.Type, y.Type), cmp.Compare(x.Owner, y.Owner))
	})
	return r
}

// auditEvery returns the n of which one arena in n is audited, 0 if none is.
func (p *Pool) auditEvery() int {
	if p.AuditEvery == 0 && auditAll {
		return defaultAuditEvery
	}
	return max(p.AuditEvery, 0)
}

// openWatched returns a state with a watch, or nil if this arena is not to have
// one: audits take one in n at random, which needs no counter that all
// processors share, and cannot keep step with a program.
func (p *Pool) openWatched() *state {
	every := p.auditEvery()
	if every == 0 && !checked.Strict && !sanitized {
		return nil
	}
	hi, _ := bits.Mul64(rand.Uint64(), uint64(every)) // less than rand.IntN, which each Get would pay
	audited := every > 0 && hi == 0
	if audited && queue.objects.Load() > maxPending {
		p.audit.skip()
		everything.skip()
		audited = false
	}
	if !audited && !(checked.Strict || sanitized && p.Policy.recycles()) {
		return nil
	}
	if audited && every > 1 && !checked.Strict && !sanitized {
		return p.openSampled()
	}
	st := newState(p, newWatch(p, audited))
	st.begin()
	return st
}
