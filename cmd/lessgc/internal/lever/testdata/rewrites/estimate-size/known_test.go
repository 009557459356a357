package estimatesize

import (
	"strings"
	"testing"
)

func problemOf(n int) *problem {
	p := &problem{names: map[string]string{"file": "schema.graphql"}, message: strings.Repeat("x", n), places: []place{{12, 34}}}
	p.seen = p
	return p
}

func TestKnown(t *testing.T) {
	check := func(got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
	check((*problem)(nil).located(), "")
	check(problemOf(3).located(), "schema.graphql:12:34: xxx")
	check((&problem{message: "none", path: path{name("a"), index(1)}}).located(), "input: a[1] none")
	check(heading("a title", 12), "a title: 12 of a title")
}

// TestLater checks that no length is asked for that there is not yet.
func TestLater(t *testing.T) {
	check := func(want string, f func()) {
		t.Helper()
		defer func() {
			t.Helper()
			if got := recover(); got != want {
				t.Errorf("it panics with %v", got)
			}
		}()
		f()
	}
	check("no problem", func() { laterMessage(nil) })
	check("no number", func() { numberedProblem(nil) })
	check("not seen", func() { nestedMessage(&problem{}) })
}

// TestKnownRoom checks that what is written in some cases only costs no allocation where it is short, nor more than without room.
func TestKnownRoom(t *testing.T) {
	for n := range 100 {
		p := problemOf(n)
		if got := testing.AllocsPerRun(10, func() { sink += len(p.located()) }); got > allocsOf(len("schema.graphql"), len(":12:34: "), n) {
			t.Errorf("%d: %v allocations", n, got)
		}
	}
}

// allocsOf counts the allocations of a builder that is not given room.
func allocsOf(parts ...int) float64 {
	return testing.AllocsPerRun(10, func() {
		var b strings.Builder
		for _, n := range parts {
			b.WriteString(long[:n])
		}
		sink += b.Len()
	})
}

// TestEmptyPair checks that an empty text needs no memory.
func TestEmptyPair(t *testing.T) {
	p := problemOf(0)
	if n := testing.AllocsPerRun(10, func() { sink += len(pair("", "", p)) }); n > 1 { // for the builder
		t.Errorf("%v allocations for an empty text", n)
	}
}

var long = strings.Repeat("x", 1000)

func BenchmarkKnown(b *testing.B) {
	for b.Loop() {
		for n := 18; n < 30; n++ {
			p, title := func() *problem { return problemOf(n) }, long[:n]
			sink += len(p().located()) + len(heading(title, n)) + len(sureHeading(title, p())) + len(otherTitle(title)) + len(retitled(title)) + len(laterMessage(p()))
			sink += len(cleared(p())) + len(told(p(), clearing{p()})) + len(printedProblem(p())) + len(nestedMessage(p())) + len(returning(p(), false))
			sink += len(inLoop(p(), upTo(n))) + len(afterBranch(p(), true)) + len(shadowedLength(title)) + len(quotes(problemOf(4*n))) + len(summed(p())) + len(numberedProblem(p())) + len(pair(long[:20], long[:40], p()))
		}
	}
}
