package programs

import (
	"io"
	"strings"
	"testing"
)

func BenchmarkTree(b *testing.B) {
	names := []string{"one", "two", "three", "four"}
	tree := any(map[string]any{
		"all": []any{"a", "b", map[string]any{"var": "x"}},
		"or":  []any{map[string]any{"a": 1, "b": 2}, []any{"c", "d"}},
	})
	values := map[string]any{"x": 1}
	texts := map[string]string{"one": "the $two", "two": "a $three", "three": "the $four", "four": "end"}
	nested := any([]any{1, []any{2, 3}, 4, 5, 6})
	var w strings.Builder
	elements := []treeElement{{"a", strings.Repeat("x", 40)}, {"b", strings.Repeat("y", 40)}, {"c", strings.Repeat("z", 70)}, {"d", strings.Repeat("u", 150)}}
	s := &treeStack{}
	nodes := []treeNode{&elements[0], &elements[1]}
	for b.Loop() {
		sink = s.run(names)
		sink = treeMatch("a text of some length", 0)
		sink = treeMatchAll("a text of some length", 0, &treeSpans{})
		sink = treeNames("some text")
		sink = treeResolve(tree, values)
		sink = treeLengths(nested)
		w.Reset()
		treeWrite(&w, "alphabet")
		sink = treeElements(&w, elements)
		sink = treeExpanded("one", texts)
		sink = treeReport(elements)
		sink = treeFlush(io.Discard, nodes)
	}
}
