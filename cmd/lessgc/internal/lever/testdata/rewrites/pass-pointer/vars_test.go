package vars

import "testing"

type keeper struct{ all []Scope }

func (k *keeper) Visit(s Scope) { k.all = append(k.all, s) }

func TestVars(t *testing.T) {
	equal := func(what string, got, want int) {
		if got != want {
			t.Errorf("%s: %d, not %d", what, got, want)
		}
	}
	names := []string{"a", "b"}
	equal("changes", changes(names, 4), 22)
	equal("parameter", parameter(names, values{names: names}, 4), 22)
	equal("pointed", pointed(names, &values{names: names}), 4)
	equal("address", address(names, 3), 0)
	equal("captured", captured(names, 3), 0)
	equal("remembered", remembered(names, 3), 6)
	equal("last", last.get("a"), 3)
	equal("prints", prints(names, 1), len("vars.values"))
	equal("compares", compares(3), 1)
	to := make(chan Scope, 3)
	sends(3, to)
	equal("sent", (<-to).get(""), 0)
	equal("bound", binds(3)[0](""), 0)
	all := make([]Scope, 3)
	copies(all)
	equal("copied", all[0].get(""), 0)
	equal("asked", isAsked(3), 3)
	equal("keys", keys(3, map[Scope]int{point{1, 0}: 7}), 7)
	var run []func()
	runs(3, func(f func()) { run = append(run, f) })
	run[0]()
	equal("later", last.get(""), 0)
	k := new(keeper)
	visits(3, k)
	equal("visited", k.all[0].get(""), 0)
	equal("takes", takes(names, 3), 15)
}
