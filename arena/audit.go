package arena

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"lessgc/internal/checked"
)

// DefaultAuditEvery is the AuditEvery of a Pool with policy [Audit] that does
// not set it.
const DefaultAuditEvery = 100

// auditAll is whether the environment asks for audits of all pools that do not
// say otherwise, and of arenas from NewArena.
var auditAll = os.Getenv("LESSGC_ARENA") == "audit"

// An Escape is memory of audited arenas that was still reachable two
// collections after Free: with a policy that recycles it, whoever holds it
// would see the data of another owner. What is only reachable through another
// escape is one too, so the first to look at is often the one with the lowest
// count.
type Escape struct {
	Type  string // such as "main.User", "[]main.User", "[]byte" or "string"
	Site  string // function, file and line where it was allocated
	Count int64  // objects, slices or strings
}

// A Report says what audits found.
type Report struct {
	Arenas  int64    // audited and settled; a Reset counts as one more
	Objects int64    // that were allocated in them
	Pending int64    // arenas that were freed and wait for two collections
	Skipped int64    // arenas that were not audited because too much was pending
	Escapes []Escape // most frequent first
}

// Audit returns what the audits of p's arenas found so far. See
// [Pool.AuditEvery]; in the checked build all arenas of a policy that recycles
// are audited.
func (p *Pool) Audit() Report { return p.audit.report() }

// Escapes returns what all audits of the process found so far: those of its
// pools, and if the environment has LESSGC_ARENA=audit those of arenas from
// [NewArena].
func Escapes() Report { return everything.report() }

// String returns the report as text: "0 escapes in 1,200,000 arenas", and a line
// for each escape.
func (r Report) String() string {
	n := int64(0)
	for _, e := range r.Escapes {
		n += e.Count
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s in %s", count(n, "escape"), count(r.Arenas, "arena"))
	if r.Pending > 0 {
		fmt.Fprintf(&b, ", %s pending", grouped(r.Pending))
	}
	if r.Skipped > 0 {
		fmt.Fprintf(&b, ", %s skipped", grouped(r.Skipped))
	}
	for _, e := range r.Escapes {
		fmt.Fprintf(&b, "\n\t%s of type %s from %s", grouped(e.Count), e.Type, e.Site)
	}
	return b.String()
}

// count returns n things in words.
func count(n int64, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return grouped(n) + " " + thing
}

// grouped returns n >= 0 with commas.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// An audit collects what becomes of watched arenas.
type audit struct {
	mu                                sync.Mutex
	arenas, objects, pending, skipped int64
	escapes                           map[*site]int64
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
func (a *audit) settle(arenas, objects int64, escapes map[*site]int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.pending -= arenas
	a.arenas += arenas
	a.objects += objects
	for s, n := range escapes {
		if a.escapes == nil {
			a.escapes = make(map[*site]int64)
		}
		a.escapes[s] += n
	}
}

func (a *audit) report() Report {
	a.mu.Lock()
	defer a.mu.Unlock()
	r := Report{Arenas: a.arenas, Objects: a.objects, Pending: a.pending, Skipped: a.skipped}
	for s, n := range a.escapes {
		r.Escapes = append(r.Escapes, Escape{s.typ, s.name(), n})
	}
	slices.SortFunc(r.Escapes, func(x, y Escape) int {
		return cmp.Or(-cmp.Compare(x.Count, y.Count), cmp.Compare(x.Site, y.Site), cmp.Compare(x.Type, y.Type))
	})
	return r
}

// auditEvery returns the n of which one arena in n is audited, 0 if none is.
func (p *Pool) auditEvery() int {
	if p.AuditEvery == 0 && (p.Policy == Audit || auditAll) {
		return DefaultAuditEvery
	}
	return max(p.AuditEvery, 0)
}

// openWatched returns a state with a watch, or nil if this arena is not to have
// one: audits take one in n at random, which needs no counter that all
// processors share, and cannot keep step with a program.
func (p *Pool) openWatched(every int) *state {
	audited := every > 0 && p.Policy != Std && rand.IntN(every) == 0
	if audited && queue.objects.Load() > maxPending {
		p.audit.skip()
		everything.skip()
		audited = false
	}
	if !audited && !(checked.Strict || sanitized && p.policy().recycles()) || p.Policy == Std {
		return nil
	}
	st := newState(p, p.policy())
	st.watch = newWatch(p, audited)
	if st.text.record == nil {
		st.addRaw(&st.text)
	}
	st.str = &st.text // to tell strings from bytes
	st.begin()
	return st
}
