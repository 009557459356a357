package programs

import (
	"reflect"
	"testing"
)

func BenchmarkCandPass(b *testing.B) {
	type inner struct{ A, B string }
	target := reflect.ValueOf(struct{ X, Y *inner }{&inner{}, &inner{}})
	tree := map[string]any{"X": map[string]any{"A": "1", "B": "2"}, "Y": map[string]any{"A": "1", "B": "2"}}
	form := &passForm{"a name", map[string]int{"one": 1, "two": 2}}
	board := &passBoard{map[string]int{"a": 3, "b": 2, "c": 1, "d": 0}}
	keep := func(c *passCounts) { sink = c }
	for b.Loop() {
		sink = passConvert(tree, &target)
		sink = passCount([]string{"a", "b"}, new(passCounts), 1, keep)
		sink, _ = passTree(form)
		sink, _ = passRead([]byte(`{"Name": "a name"}`))
		sink = board.rank("b")
		sink = board.names()
		for range 3 {
			sink = passRoom([]int(nil), 1, 100)
			sink = passText("a name")
			sink = passSized("a name")
		}
		sink = passAll()
		sink = matchPass("a*b*c", "any b or c")
		decodePass("a line", map[string]string{})
		sink = passChecked([]string{"a", "b", "c", "d", "e"}, map[string]int{})
	}
}
