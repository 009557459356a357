package estimatesize

import "testing"

// upTo counts from 1 to n.
func upTo(n int) next {
	i := 0
	return func() (int, bool) {
		i++
		return i, i <= n
	}
}

func mustPanic(t *testing.T, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Error("it does not panic")
		}
	}()
	f()
}

func TestResults(t *testing.T) {
	for n := range 80 {
		want := n * (n + 1) / 2
		for i, got := range []int{sum(upTo(n)), lex(upTo(n)), wrap(upTo(n)).total(), noted(upTo(n)), shadowed(upTo(n)), varied(upTo(n)), huge(upTo(n))} {
			if got != want {
				t.Errorf("%d: function %d returns %d", n, i, got)
			}
		}
		if got := doubled(numbersTo(n)); got != 2*want {
			t.Errorf("%d: doubled returns %d", n, got)
		}
		if got := countEvens(upTo(n)); got != n/2 {
			t.Errorf("%d: %d are even", n, got)
		}
		if got := hasOdds(upTo(n)); got != (n > 0) {
			t.Errorf("%d: a slice without elements is not nil", n)
		}
		if got := hasEvens(upTo(n)); got != (n > 1) {
			t.Errorf("%d: a slice without elements is not nil", n)
		}
	}
	if last(upTo(0)) != 0 || last(upTo(4)) != 4 || last(upTo(5)) != -5 {
		t.Error("the last one is wrong")
	}
}

func TestRoom(t *testing.T) {
	if got := room(upTo(5)); got != 8 {
		t.Errorf("room for %d", got)
	}
	if got := cap(Exported(upTo(5))); got != 8 {
		t.Errorf("Exported returns room for %d", got)
	}
	mustPanic(t, func() { padded(upTo(4)) })
	if got := lent(upTo(5), func(s []int) int { return cap(s) }); got != 8 {
		t.Errorf("room for %d is lent", got)
	}
	if stored(upTo(5)); cap(all) != 8 {
		t.Errorf("room for %d is stored", cap(all))
	}
	if got := cap(later(upTo(5))()); got != 8 {
		t.Errorf("room for %d is returned later", got)
	}
	if got := cap(lexOpen(upTo(5)).Tokens); got != 8 {
		t.Errorf("the field has room for %d", got)
	}
}

func TestAliases(t *testing.T) {
	if a, b := branches(upTo(4)); a[4] != 1 || b[4] != 2 {
		t.Error("two slices have the same last element")
	}
	if got := first(upTo(5)); got != 5 {
		t.Errorf("the first element that was is %d", got)
	}
	if old, now := lexSet(upTo(4)); old != 1 || now != -1 {
		t.Errorf("of the older slice the first element is %d", old)
	}
	if a, b := lexTwice(upTo(4), upTo(2)); a[0] != 1 || b[0] != 2 {
		t.Error("two structs have the same last element")
	}
	if a, b := lexParts(upTo(4), upTo(2)); a[0] != 1 || b[0] != 2 {
		t.Error("a struct and what it was before have the same last element")
	}
	if got := lexNested(upTo(4)).sum(); got != 19 {
		t.Errorf("the sum is %d", got)
	}
}

func TestPanics(t *testing.T) {
	out, err := recovered(func() (int, bool) { panic("at once") })
	if out != nil || err == nil {
		t.Error("there is a result of a panic")
	}
	l, err := lazily(upTo(1), func(int) int { panic("at once") })
	if !l.none() || err == nil {
		t.Error("there is a field after a panic")
	}
}

var sink int

func BenchmarkAll(b *testing.B) {
	for b.Loop() {
		for n := 18; n < 30; n++ {
			sink += sum(upTo(n)) + last(upTo(n)) + countEvens(upTo(2*n)) + lex(upTo(n)) + wrap(upTo(n)).total() + room(upTo(n)) + len(Exported(upTo(n)))
			sink += noted(upTo(n)) + shadowed(upTo(n)) + first(upTo(n)) + lent(upTo(n), func(s []int) int { return len(s) }) + len(later(upTo(n))())
			if hasOdds(upTo(2*n)) && hasEvens(upTo(2*n)) {
				sink++
			}
			x, y := branches(upTo(n))
			sink += len(x) + len(y) + len(lexOpen(upTo(n)).Tokens) + lexNested(upTo(n)).sum()
			lexSet(upTo(n))
			lexTwice(upTo(n), upTo(2))
			lexParts(upTo(n), upTo(2))
			stored(upTo(n))
			recovered(upTo(n))
			lazily(upTo(n), func(i int) int { return i })
			sink += doubled(numbersTo(n))
			varied(upTo(8))
			huge(upTo(300))
		}
		varied(upTo(1000))
		varied(upTo(2000))
		if cap(all) > 0 {
			sink += padded(upTo(19))
		}
	}
}
