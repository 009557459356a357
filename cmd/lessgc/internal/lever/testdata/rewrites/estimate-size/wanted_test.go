package estimatesize

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func TestWanted(t *testing.T) {
	words := strings.Fields(strings.Repeat("word ", 20))
	var values []any
	for _, w := range words {
		values = append(values, w)
	}
	want := strings.Repeat("word$$", 20)
	if got, ok := keyOf(values...); got != want || !ok {
		t.Errorf("the key is %q", got)
	}
	if got, ok := keyOf("word", 1); got != "" || ok {
		t.Errorf("the key of a number is %q", got)
	}
	if got, err := keyOrError(values...); got != want || err != nil {
		t.Errorf("the key is %q: %v", got, err)
	}
	if got, err := keyOrError("word", 1); got != "" || !errors.Is(err, errUnknown) {
		t.Errorf("the key of a number is %q: %v", got, err)
	}
	negative := func() next { return numbers(1, -1) }
	for i, f := range []func(next) (string, error){keyOrNone, bareError, deferredError, bareDeferred, failure} {
		got, err := f(upTo(2))
		if strings.TrimSuffix(got, ".") != "numbers: number 1 number 2" || err != nil {
			t.Errorf("%d: %q, %v", i, got, err)
		}
		if got, err = f(negative()); strings.TrimSuffix(got, ".") != "" || err != nil {
			t.Errorf("%d: %q, %v", i, got, err)
		}
	}
	mustPanic(t, func() { keyOrPanic(negative()) })
	if got := byEach([]next{upTo(1), upTo(2)}); len(got) != 2 || got[1] != "numbers: number 1 number 2" {
		t.Errorf("the texts are %q", got)
	}
	if _, ok := early(upTo(1), true); ok {
		t.Error("there is a text of none")
	}
}

// TestUnwanted checks that what is given no text allocates no more for it than the first writes do.
func TestUnwanted(t *testing.T) {
	if n := testing.AllocsPerRun(10, func() { keyOf(1) }); n > 0 {
		t.Errorf("%v allocations for no text", n)
	}
	if n := testing.AllocsPerRun(10, func() { atTimes(numbers()) }); n > 1 { // for numbers
		t.Errorf("%v allocations for an empty text", n)
	}
}

// numbers returns some numbers.
func numbers(all ...int) next {
	return func() (int, bool) {
		if len(all) == 0 {
			return 0, false
		}
		i := all[0]
		all = all[1:]
		return i, true
	}
}

func BenchmarkWanted(b *testing.B) {
	var values []any
	for range 20 {
		values = append(values, "a word")
	}
	for b.Loop() {
		for n := 18; n < 30; n++ {
			keyOf(values...)
			keyOrError(values...)
			for _, f := range []func(next) (string, error){keyOrNone, bareError, deferredError, bareDeferred, failure} {
				f(upTo(n))
			}
			both := func() []next { return []next{upTo(n), upTo(n)} }
			text, _ := early(upTo(n), false)
			letters, _ := lettersOf(strings.Repeat("a<b> ", n))
			sink += len(keyOrPanic(upTo(n))) + counts(upTo(n)) + len(byEach(both())) + len(bySome(both())) + len(untilFound(both())) + len(text) + len(letters)
			put(upTo(n), io.Discard)
			putSome(upTo(n), io.Discard)
			sink += len(atTimes(upTo(n * min(1, n%4))))
		}
	}
}
