package sizemap

import (
	"fmt"
	"strings"
	"testing"
)

// entriesOf are entries of which the first share of each ten have kind 0, and the others 1.
func entriesOf(n, share int) (all []*entry) {
	for i := range n {
		e := &entry{name: fmt.Sprintf("entry %03d", i), parts: []int{2 * i, 2*i + 1}}
		if i%10 >= share {
			e.kind = 1
		}
		all = append(all, e)
	}
	return all
}

func TestLengths(t *testing.T) {
	for _, n := range []int{1, 9, 48} {
		all := entriesOf(n, 9)
		c := cataloged(all)
		if len(c.byName) != n-n/10 || len(c.byKind) != min(n/10, 1) || c.byName[all[0].name] != all[0] {
			t.Errorf("%d: %v", n, c)
		}
		for i, m := range []map[string]*entry{named(all), elsewhere(all), maybe(all, 1), field(new(holder), &struct{ entries []*entry }{all}).held} {
			if len(m) != n || m[all[n-1].name] != all[n-1] {
				t.Errorf("%d: map %d has %d entries", n, i, len(m))
			}
		}
		for i, m := range []map[string]*entry{firsts(all), later(all), addressed(all), captured(all), late(all)} {
			if len(m) != n-1 {
				t.Errorf("%d: map %d has %d entries", n, i, len(m))
			}
		}
		if len(ranged(named(all))) != n || len(nested(all)) != 2*n || hidden(all) == nil || len(maybe(all, -1)) != 0 {
			t.Errorf("%d: entries are missing", n)
		}
		if len(positions(strings.Repeat("a", n))) != n || len(few(all)) != n || len(chosen(all)) != n/10 {
			t.Errorf("%d: entries are missing", n)
		}
	}
	if len(pointed((*[48]*entry)(entriesOf(48, 9)))) != 48 || len(received(sent(entriesOf(48, 9)))) != 48 {
		t.Error("entries are missing")
	}
}

// sent is a channel with entries.
func sent(all []*entry) chan *entry {
	c := make(chan *entry, len(all))
	for _, e := range all {
		c <- e
	}
	close(c)
	return c
}

func BenchmarkLengths(b *testing.B) {
	all, many := entriesOf(48, 9), entriesOf(480, 9)
	for b.Loop() {
		for range 16 {
			keep(cataloged(all))
			keep(named(all))
			keep(firsts(all))
			keep(positions("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrst\n"))
			keep(later(all))
			keep(addressed(all))
			keep(captured(all))
			keep(pointed((*[48]*entry)(all)))
			keep(ranged(last.(map[string]*entry)))
			keep(received(sent(all)))
			keep(nested(all[:24]))
			keep(elsewhere(all))
			keep(field(new(holder), &struct{ entries []*entry }{all}))
			keep(few(many))
			keep(chosen(many))
			keep(late(all))
			keep(maybe(all, 1))
			keep(hidden(all))
			keep(labelled(all))
		}
	}
}
