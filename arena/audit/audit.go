// Package audit reports which memory of arenas is still in use after Free. There has
// to be none before arenas may recycle it.
//
// A pool audits one arena in [arena.Pool.AuditEvery], in production too; with
// LESSGC_ARENA=audit in the environment so do all pools that do not set it, and
// [arena.NewArena]. The reports name the type and the allocation site of memory kept, and [Keepers] its
// holders.
package audit

import (
	"fmt"
	"strconv"
	"strings"
	"unsafe"

	"lessgc/arena"
	"lessgc/internal/untyped"
)

// An Escape is memory of audited arenas that was still reachable two
// collections after Free: with a policy that recycles it, whoever holds it
// would see the data of another owner. What is used after Free and let go before that is
// no Escape: the checked build and lessgc vet find it. What is only reachable through another
// escape is one too, so the first to look at is often the one with the lowest
// count.
type Escape struct {
	Type  string // such as "main.User", "[]main.User", "[]byte" or "string"
	Site  string // function, file and line where it was allocated
	Owner string // what the arena was for: of package arenagrpc the method, such as "/users.Users/Get"; else ""
	Count int64  // objects, slices or strings
}

// A Report holds the findings of audits.
type Report struct {
	Arenas  int64    // audited and settled; a Reset counts as one more
	Objects int64    // of them that were watched: see [arena.Pool.AuditEvery]
	Pending int64    // arenas that were freed and wait for two collections, or for five if something in them is still there
	Skipped int64    // arenas that were not audited because too much was pending
	Escapes []Escape // most frequent first
}

// Of returns the escapes that the audits of p's arenas have found so far. In the checked build
// all arenas of a policy that recycles are audited.
func Of(p *arena.Pool) Report { return reportOf(untyped.AuditOf(unsafe.Pointer(p))) }

// addressOf returns where p points to, as a number, which keeps nothing in memory.
func addressOf(p *byte) uintptr { return uintptr(unsafe.Pointer(p)) }

// All returns the escapes that all audits of the process have found so far: those of its
// pools, and if the environment has LESSGC_ARENA=audit those of arenas from
// [arena.NewArena].
func All() Report { return reportOf(untyped.AuditOf(nil)) }

// Verify collects garbage until all arenas that were freed before have been
// looked at, so that no audit is pending. It is for the end of a test.
//
// In the checked build it returns the escapes found since the last Verify:
// recycled memory that was written to after Free or is still reachable, and
// arenas that are unreachable but not freed, although they are not empty. While no
// Verify is running, a write and a lost arena of a policy that recycles
// panic. The error includes the [Keepers]. In other builds Verify returns nil.
func Verify() error {
	err := untyped.Verify()
	if err == nil {
		return nil
	}
	keepers, failed := Keepers()
	if failed != nil {
		return fmt.Errorf("%w\n\t(%v)", err, failed)
	}
	for _, k := range keepers {
		err = fmt.Errorf("%w\n\t%v", err, k)
	}
	return err
}

// reportOf returns the report with those figures.
func reportOf(a untyped.Audit) Report {
	r := Report{Arenas: a.Arenas, Objects: a.Objects, Pending: a.Pending, Skipped: a.Skipped}
	for _, e := range a.Escapes {
		r.Escapes = append(r.Escapes, Escape(e))
	}
	return r
}

// String returns the report as text: "0 escapes among 812,345 objects of 1,200,000 arenas", and a line
// for each escape.
func (r Report) String() string {
	n := int64(0)
	for _, e := range r.Escapes {
		n += e.Count
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s among %s of %s", count(n, "escape"), count(r.Objects, "object"), count(r.Arenas, "arena"))
	if r.Pending > 0 {
		fmt.Fprintf(&b, ", %s pending", grouped(r.Pending))
	}
	if r.Skipped > 0 {
		fmt.Fprintf(&b, ", %s skipped", grouped(r.Skipped))
	}
	for _, e := range r.Escapes {
		fmt.Fprintf(&b, "\n\t%s of type %s from %s", grouped(e.Count), e.Type, e.Site)
		if e.Owner != "" {
			b.WriteString(" for " + e.Owner)
		}
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
