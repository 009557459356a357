package audit

import (
	"fmt"
	"strings"
	"testing"

	"lessgc/arena"
	"lessgc/internal/checked"
)

type user struct{ _ string }

var kept *user

// TestOf checks that a report has the type, site and count of what was kept, that of
// the process has all, and that Verify leaves nothing pending.
func TestOf(t *testing.T) {
	if (&arena.Pool{}).Get() == nil {
		t.Skip("arenas are the heap")
	}
	if err := Verify(); err != nil {
		t.Fatal(err)
	}
	before := All()
	pools := [2]arena.Pool{{AuditEvery: 1}, {AuditEvery: 1}}
	for i := range pools {
		for range 3 {
			a := pools[i].Get()
			kept = arena.New[user](a)
			arena.New[int](a)
			a.Free()
		}
		if r := Of(&pools[i]); r.Pending != 3 || r.Arenas != 0 {
			t.Errorf("before Verify: %v", r)
		}
	}
	if err := Verify(); err != nil {
		t.Error(err)
	}
	if r := Of(&pools[0]); r.Arenas != 3 || r.Objects != 6 || r.Pending != 0 || r.Escapes != nil {
		t.Errorf("of the pool whose memory nobody kept: %v", r)
	}
	r := Of(&pools[1])
	if r.Arenas != 3 || len(r.Escapes) != 1 || r.Escapes[0].Type != "audit.user" || r.Escapes[0].Count != 1 ||
		!strings.Contains(r.Escapes[0].Site, "audit_test.go:") {
		t.Errorf("of the pool whose memory was kept: %v", r)
	}
	if all := All(); all.Arenas-before.Arenas != 6 || all.Objects-before.Objects != 12 || !strings.Contains(all.String(), r.Escapes[0].Site) {
		t.Errorf("of the process: %v", all)
	}
	kept = nil
}

// TestVerify checks that the checked build says what was kept of recycled memory, and
// a plain one nothing.
func TestVerify(t *testing.T) {
	p := arena.Pool{Policy: arena.RecycleTyped}
	a := p.Get()
	if a == nil {
		t.Skip("arenas are the heap")
	}
	kept = arena.New[user](a)
	a.Free()
	err := Verify()
	if checked.Strict != (err != nil) || err != nil && !strings.Contains(fmt.Sprint(err), "audit.user") ||
		err != nil && !strings.Contains(err.Error(), " is kept by a package variable") {
		t.Errorf("checked build: %v; error %v", checked.Strict, err)
	}
	kept = nil
}

// TestReportString pins the text.
func TestReportString(t *testing.T) {
	check := func(r Report, want string) {
		t.Helper()
		if got := r.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	check(Report{}, "0 escapes among 0 objects of 0 arenas")
	check(Report{Arenas: 1_200_000, Objects: 5}, "0 escapes among 5 objects of 1,200,000 arenas")
	check(Report{Arenas: 1, Pending: 1000, Skipped: 3, Escapes: []Escape{{"string", "main.f server/main.go:5", "/a.B/C", 1}}},
		"1 escape among 0 objects of 1 arena, 1,000 pending, 3 skipped\n\t1 of type string from main.f server/main.go:5 for /a.B/C")
	check(Report{Arenas: 999, Escapes: []Escape{{"T", "f a.go:1", "", 1000}, {"U", "g b.go:2", "", 1}}},
		"1,001 escapes among 0 objects of 999 arenas\n\t1,000 of type T from f a.go:1\n\t1 of type U from g b.go:2")
}
