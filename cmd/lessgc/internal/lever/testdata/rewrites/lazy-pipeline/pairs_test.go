package lazypipeline

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func check(t *testing.T, name string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s = %#v; want %#v", name, got, want)
	}
}

func TestPairs(t *testing.T) {
	in := func() []int { return []int{1, 2, 3, 4} }
	check(t, "sumEven", sumEven(in()), 6)
	check(t, "sumEven of none", sumEven(nil), 0)
	check(t, "longest", longest([]string{" a", "", "bcd ", "efg", " "}), "BCD2")
	out, err := squaresAndNames(4)
	check(t, "squares", out, []string{"0", "1", "4", "9"})
	check(t, "squares", err, nil)
	out, err = squaresAndNames(0)
	check(t, "no squares", out, []string{})
	check(t, "no squares", err, nil)
	out, err = squaresAndNames(200)
	check(t, "many squares", out, []string(nil))
	check(t, "many squares", err, errLong)
	check(t, "firstBig", firstBig(in(), 3), 4)
	check(t, "firstBig", firstBig(in(), 8), -1)
	check(t, "untilNegative", untilNegative([]int{1, 2, -1, 4}), 5)
	check(t, "untilNegative", untilNegative([]int{1, 100, 4}), 103)
	check(t, "counted", counted(map[string]int{"a": 1, "b": 3}), map[string]bool{"b": true})
	check(t, "nested", nested([][]int{{1, 2}, {}, {3}}), 18)
	check(t, "quotients", quotients(in(), 2), 4)
	check(t, "panic", panics(func() { quotients(in(), 0) }), "runtime error: integer divide by zero")
}

func panics(f func()) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	f()
	return ""
}

func TestRefusedPairs(t *testing.T) {
	in := func() []int { return []int{1, 2, 3, 4} }
	check(t, "bothFail", panics(func() { bothFail(in(), 0, nil) }), "runtime error: integer divide by zero")
	total, n := counts(in())
	check(t, "counts", []int{total, n}, []int{40, 4})
	check(t, "running", running([]int{5, 2}), 7)
	check(t, "number", number(in()), 3)
	check(t, "room", room(in()) > 6, true)
	_, none := orNil([]int{1})
	check(t, "orNil", none, true)
	check(t, "indexed", indexed(in()), 4)
	check(t, "twice", twice(in()), 48)
	_, all := kept(in())
	check(t, "kept", all, []int{2, 4})
	check(t, "written", written(in()), 6)
	check(t, "overwritten", overwritten(in()), 6)
	check(t, "captured", captured(in())(), 8)
	check(t, "capturedSum", capturedSum(in()), 10)
	var log strings.Builder
	loud(in(), &log)
	check(t, "loud", log.String(), "aaaabbbb")
	log.Reset()
	unknown(in(), func(v int) bool { log.WriteString("f"); return true })
	check(t, "unknown", log.String(), "ffff")
	calls = 0
	check(t, "counter", counter(in()), 24)
	_, err := failsLate([]int{1, -1}, nil)
	check(t, "failsLate", err, errLong)
	total, err = partial([]int{1, -1})
	check(t, "partial", total, 0)
	check(t, "partial", err, errLong)
	check(t, "recovered", recovered([]int{1}, 0), 0)
	check(t, "stopsEarly", stopsEarly(append(in(), 5, 6)), 6)
	check(t, "inSwitch", inSwitch(in()), 2)
	total, n = skipped(in())
	check(t, "skipped", []int{total, n}, []int{8, 4})
	check(t, "ofInner", ofInner([][]int{{1, 0, 2}, {3}}), 1)
	check(t, "addresses", addresses(in()), 10)
	check(t, "shadowed", shadowed(in()), 140)
	check(t, "between", between(in()), 30)
	check(t, "again", again([][]int{{1}, {2}}), 4)
	check(t, "grows", grows(in()), 11)
	check(t, "ownInput", ownInput([]int{1, 2}), []int{1, 1, 2, 2})
	check(t, "overInput", overInput([]int{1, 2, 3}), 321)
	check(t, "asInterface", asInterface([]square{1}), 1)
	check(t, "collected", len(collected(in())), 4)
	ch := make(chan int, 4)
	for range 4 {
		ch <- 1
	}
	check(t, "received", received(in(), ch), 10)
	var last int
	deferred(in(), func(v int) { last = v })
	check(t, "deferred", last, 1)
	check(t, "endless", panics(func() { endless([]int{1}, 0) }), "runtime error: integer divide by zero")
	check(t, "jumped", jumped(in()), 30)
}
