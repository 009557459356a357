package loop

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func TestLoops(t *testing.T) {
	equal := func(what string, got any, want string) {
		if fmt.Sprint(got) != want {
			t.Errorf("%s: %v, not %s", what, got, want)
		}
	}
	names := []string{"anna", "", "bo", "c"}
	rows := [][]int{{4, 6, 1}, {2}, {3, 5, 7, 9}}
	equal("lines", strings.Join(lines(names), "|"), "anna|2. bo|3. c")
	equal("joined", strings.Join(joined([][]string{{"a", "b"}, {}, {"", "c"}}), "|"), "A,B||C")
	equal("sums", sums(rows), "[42 5 0]")
	equal("keys", keys(names, map[string]int{"key/bo": 1, "key/": 2, "key/anna": 4, "key/boa": 8}), "7")
	equal("shared", fmt.Sprintf("%s", shared(names)), "[anna  bo c]")
	equal("kept", kept(rows), "[[4 6] [2] []]")
	equal("none", none(rows), "1")
	large := make([]int, 100)
	equal("room", room([][]int{large, {1}}) == room([][]int{large})+room([][]int{{1}}), "true")
	all := pointers(rows)
	equal("pointers", *all[0]+*all[1]+*all[2], "9")
	equal("cut", cut(rows), "[[6 1] [] [5 7 9]]")
	equal("zeroed", zeroed(rows), "8")
	var w strings.Builder
	later(names, &w)
	equal("later", w.String(), "cboanna")
	f := captured(rows)
	equal("captured", f[0]()+f[1]()+f[2](), "9")
	var kept []*bytes.Buffer
	passed(names, func(b *bytes.Buffer) { kept = append(kept, b) })
	equal("passed", kept[0], "anna")
	equal("again", again(rows), "8")
	equal("outer", outer(rows), "1")
	equal("length", length(rows, 1), "8")
	func() {
		defer func() { equal("panics", recover() != nil, "true") }()
		length(rows, -1)
	}()
	one := 1
	equal("alive", alive([][]*int{{&one}, {&one}}, func() {}), "2")
	equal("typed", typed(rows), "37")
	equal("other", other(rows), "[3 5 7 9 7]")
}
