package pools

import (
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestPools(t *testing.T) {
	equal := func(what string, got, want any) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %v, not %v", what, got, want)
		}
	}
	for range 3 {
		equal("render", render(4), "0123")
		s, err := early(42)
		equal("early", s, "42")
		equal("early", err, nil)
		_, err = early(-1)
		equal("early", err, errShort)
		equal("onSome", onSome(3), 10)
		equal("onSome", onSome(200), 207)
		equal("inLoop", inLoop([]int{1, -3, 22}), 3)
		equal("afterPut", afterPut(17), 2)
		equal("deferred", deferred("a", "b"), 2)
		equal("deferredLater", deferredLater("a", "b"), 3)
		equal("deferredLiteral", deferredLiteral("a", "b"), 2)
		equal("deferredLiteral", deferredLiteral("a", ""), -1)
		equal("onOneLine", onOneLine("a"), 1)
		equal("deferredArgument", deferredArgument("a", "b"), 2)
		equal("deferredTwice", deferredTwice("a", "b"), 2)
		equal("another", another("a", "b"), 2)
		equal("literal", literal("a", "b"), 2)
		equal("decode", decode("abc"), "bcd")
		equal("decode", len(decode(string(make([]byte, 100)))), 100)
		equal("always", always("abc"), 3)
		equal("isNil", isNil("abc"), 3)
		equal("fromPool", fromPool("abc"), 3)
		equal("sometimes", sometimes(4), 6)
		equal("sometimes", sometimes(200), 19900)
		equal("recursive", recursive(4), 10)
	}
}

// TestNext checks what the next one finds in the pool.
func TestNext(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for i := range 3 {
		for _, c := range []struct {
			name      string
			got, want int
		}{
			{"nestedAssert", nestedAssert(9), 1}, {"nestedAssert", nestedAssert(1), 1}, {"emptyElse", emptyElse(1), 1},
			{"elseIf", elseIf(9), 1}, {"elseIf", elseIf(1), 1}, {"innerPut", innerPut(1), 1}, {"innerPut", innerPut(9), 1},
			{"deferredGrown", deferredGrown(1), i}, {"deferredOther", deferredOther(make([]int, i+1)), i},
			{"twoOfNone", twoOfNone(3), 6}, {"useMarked", useMarked(2), 0},
		} {
			if c.got != c.want {
				t.Errorf("%s: %d, not %d", c.name, c.got, c.want)
			}
		}
	}
	if deferredEmptied(); emptiedLength() != 0 {
		t.Error("the slice that was put back had no elements")
	}
}

// TestAllocs counts what is made for each Put.
func TestAllocs(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection empties pools
	want := 1.0
	if os.Getenv("LESSGC_EDITED") != "" {
		want = 0
	}
	for name, f := range map[string]func(){
		"onSome":           func() { onSome(3) },
		"inLoop":           func() { inLoop([]int{7}) },
		"deferred":         func() { deferred("a") },
		"deferredLater":    func() { deferredLater("a") },
		"deferredLiteral":  func() { deferredLiteral("a") },
		"deferredTwice":    func() { deferredTwice("a") },
		"deferredArgument": func() { deferredArgument("a") },
		"onOneLine":        func() { onOneLine("a") },
		"literal":          func() { literal("a") },
		"isNil":            func() { isNil("abc") },
		"fromPool":         func() { fromPool("abc") },
		"sometimes":        func() { sometimes(4) },
		"recursive":        func() { recursive(1) },
	} {
		f()
		if got := testing.AllocsPerRun(100, f); got != want {
			t.Errorf("%s: %v allocations, want %v", name, got, want)
		}
	}
	// decode makes a text, too.
	if got := testing.AllocsPerRun(100, func() { decode("abc") }); got != want+1 {
		t.Errorf("decode: %v allocations, want %v", got, want+1)
	}
}

// TestOutgrown checks that the memory which a slice has outgrown stays until the Put if the pool keeps pointers, and not else.
func TestOutgrown(t *testing.T) {
	outgrown(func(old []byte) {
		gone := make(chan bool, 1)
		runtime.AddCleanup(&old[0], func(gone chan bool) { gone <- true }, gone)
		wait := 10 * time.Second
		if os.Getenv("LESSGC_EDITED") != "" {
			wait = 50 * time.Millisecond
		}
		old = nil
		runtime.GC()
		select {
		case <-gone:
			if os.Getenv("LESSGC_EDITED") != "" {
				t.Error("it is gone")
			}
		case <-time.After(wait):
			if os.Getenv("LESSGC_EDITED") == "" {
				t.Error("it stays")
			}
		}
	})
}

func TestInTest(t *testing.T) {
	inTest.Put(make([]byte, 0, 64))
	if n := useInTest(1); n != 1 {
		t.Errorf("%d bytes, not 1", n)
	}
}

func BenchmarkRender(b *testing.B) {
	for range b.N {
		render(4)
	}
}
