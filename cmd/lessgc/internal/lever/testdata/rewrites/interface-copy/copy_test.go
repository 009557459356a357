package copies

import (
	"fmt"
	"testing"
)

func some() []*rule { return []*rule{{}, {}, {}} }

func check(t *testing.T, want string, rules []*rule) {
	t.Helper()
	got := ""
	for _, r := range rules {
		if r.last != nil {
			got += fmt.Sprint(r.last.role(1), ";")
		}
		for _, x := range r.all {
			got += fmt.Sprint(x, ";")
		}
	}
	if got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

func TestCopies(t *testing.T) {
	run := func(want string, f func([]*rule)) {
		t.Helper()
		rules := some()
		f(rules)
		check(t, want, rules)
	}
	q := request{roles: [4]int{0, 1}}
	run("1;1;1;", func(all []*rule) {
		if matches(all, q) != 3 {
			t.Error("no match")
		}
	})
	run("a.;a.;", func(all []*rule) { sets(all, "a") })
	run("7000;7000;7000;7000;7000;7000;", func(all []*rule) { nested(all, 7) })
	run("0;1;2;", func(all []*rule) { changed(all, q) })
	run("a;a.;a..;", func(all []*rule) { changedAfter(all, "a") })
	run("1008;1009;", func(all []*rule) { counted(all, 1008) })
	run("0;1;2;", func(all []*rule) { addressed(all, q) })
	run("0;1;2;", func(all []*rule) { sliced(all, q) })
	run("2;3;4;", func(all []*rule) { allowed(all, q) })
	run("2;3;4;", func(all []*rule) { captured(all, q) })
	run("1;2;3;", func(all []*rule) {
		var set func(int)
		n := 0
		deferred(all, func(f func(int)) {
			if f != nil {
				set = f
				return
			}
			n++
			set(n)
		})
	})
	run("x;y;z;", func(all []*rule) { each(all, []string{"x", "y", "z"}) })
	run("a;b;c;", func(all []*rule) { field(all, new(request)) })
	run("5;1005;5;1005;5;1005;", func(all []*rule) { again(all, 5) })
	run("1;", func(all []*rule) { found(all, q) })
	run("1;1;1;", func(all []*rule) { named(all, q) })
	run("9;9;9;", func(all []*rule) { typed(all, 9) })
	run("2;2;2;", func(all []*rule) {
		for _, f := range later(all, 1) {
			f()
		}
	})
	run("{a [0 0 0 0]};{b [0 0 0 0]};{a [0 0 0 0]};{b [0 0 0 0]};{a [0 0 0 0]};{b [0 0 0 0]};", func(all []*rule) { two(all, request{path: "a"}, request{path: "b"}) })
}
