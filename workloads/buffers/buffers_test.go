package buffers

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"lessgc/internal/alloctest"
)

func TestStrategies(t *testing.T) {
	for _, s := range Strategies {
		t.Run("strategy="+s.Name, func(t *testing.T) {
			check := func(text string, n int) {
				t.Helper()
				want := strings.Repeat(text, n)
				called := 0
				s.Repeat(text, n, func(got []byte) {
					called++
					if string(got) != want {
						t.Fatalf("%d times %q: got %q, want %q", n, text, got, want)
					}
				})
				if called != 1 {
					t.Fatalf("%d times %q: use called %d times, want once", n, text, called)
				}
			}
			check("", 0)
			check("", 8)
			check("x", 0)
			check("x", 128)
			check("x", 2*maxPooled)
			check("x", 1)
			rnd := rand.New(rand.NewPCG(1, 2))
			for range 500 {
				check(strings.Repeat(string(rune('a'+rnd.IntN(26))), rnd.IntN(30)), rnd.IntN(200))
			}
		})
	}
}

// TestHeld checks that no other call touches the bytes while they are in use.
func TestHeld(t *testing.T) {
	for _, s := range Strategies {
		var wg sync.WaitGroup
		for g := range 8 {
			text := string(rune('a' + g))
			want := strings.Repeat(text, 128)
			wg.Go(func() {
				for range 200 {
					s.Repeat(text, 128, func(got []byte) {
						runtime.Gosched()
						if string(got) != want {
							t.Errorf("strategy=%s: got %q, want %q", s.Name, got, want)
						}
					})
				}
			})
		}
		wg.Wait()
	}
}

// TestPanic checks that a strategy works again after a use that panicked.
func TestPanic(t *testing.T) {
	for _, s := range Strategies {
		func() {
			defer func() { recover() }()
			s.Repeat("x", 8, func([]byte) { panic("use") })
		}()
		s.Repeat("y", 8, func(got []byte) {
			if string(got) != "yyyyyyyy" {
				t.Errorf("strategy=%s: got %q after a panic", s.Name, got)
			}
		})
	}
}

var publishedPool = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// published does what the published pool does, and is wrong: the buffer is
// back in the pool before the caller has seen its bytes.
func published(s string, n int) []byte {
	buf := publishedPool.Get().(*bytes.Buffer)
	defer publishedPool.Put(buf)
	buf.Reset()
	fill(buf, s, n)
	return buf.Bytes()
}

// TestPublished shows that the second call overwrites the result of the first
// one. It tries more than once because a pool may drop what it is given.
func TestPublished(t *testing.T) {
	for range 1000 {
		first := published("a", 8)
		published("b", 8)
		if string(first) == "bbbbbbbb" {
			return
		}
	}
	t.Error("the result of a call never changed: this is not a sample of the bug any more")
}

func TestAllocs(t *testing.T) {
	want := map[string]int{"new": 1, "mutex": 0, "pool": 0, "typed": 0, "sized": 0, "scoped": 0}
	for _, s := range Strategies {
		want, ok := want[s.Name]
		if !ok {
			t.Errorf("strategy=%s: no count to compare with", s.Name)
			continue
		}
		if got := alloctest.PerRun(t, func() { s.Repeat("x", 128, func([]byte) {}) }); got != want {
			t.Errorf("strategy=%s: %d allocations, want %d", s.Name, got, want)
		}
	}
}

func BenchmarkBuffers(b *testing.B) {
	const n = 128
	for _, s := range Strategies {
		b.Run(fmt.Sprintf("strategy=%s/n=%d", s.Name, n), func(b *testing.B) {
			var total atomic.Int64
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				sum := 0
				use := func(p []byte) { sum += len(p) }
				for pb.Next() {
					s.Repeat("x", n, use)
				}
				total.Add(int64(sum))
			})
			if got, want := total.Load(), int64(b.N*n); got != want {
				b.Errorf("%d bytes, want %d", got, want)
			}
		})
	}
}
