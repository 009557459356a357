package heaps

import (
	"container/heap"
	"fmt"
	"testing"
	"time"
)

func TestHeaps(t *testing.T) {
	all := []int{5, 3, 900, 3, 8, 1, 7, 400, 2}
	names := []string{"b", "a", "ccc", "d", "ee", "f"}
	check := func(got any, want string) {
		t.Helper()
		if fmt.Sprint(got) != want {
			t.Errorf("got %v, want %s", got, want)
		}
	}
	check(sorted(all), "[1 2 3 3 5 5 7 8 14 400]")
	check(conditions(all), "[9 400 900]")
	check(new(service).run(names), "[b d a ee y ccc f z ccc ee a b d f]")
	out, text := largest(all[3:6])
	check(out, "[8 3 1]")
	check(text, "bdi")
	check(ordering([]float64{2, 1, 3}), "[1 2 3]")
	check(orderedTexts(names), "[a b ccc d ee f]")
	cheap, places := cheapest(names)
	check(cheap, "[b ccc ee a d f]")
	check(places, fmt.Sprint(places))
	check(inTime(time.Unix(1, 0), names), "[ b d a ee f ccc]")
	check(mix(new(mixed), names), "[b a d f ee ccc]")
	check(plotted([]point{{3, 1}, {2, 5}}), "112355")

}

// TestEmpty checks that an empty heap panics, and stays as it is.
func TestEmpty(t *testing.T) {
	for name, pop := range map[string]func() any{
		"numbers": func() any { return heap.Pop(new(numbers)) },
		"queue":   func() any { return heap.Pop(new(queue)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error(name)
				}
			}()
			pop()
		}()
	}
}

func BenchmarkHeaps(b *testing.B) {
	for b.Loop() {
		mix(new(mixed), []string{"b", "a", "ccc", "d"})
	}
}
