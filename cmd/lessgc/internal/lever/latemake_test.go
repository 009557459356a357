package lever

import (
	"go/format"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestLateMakeText checks what the functions of a folder read like when the struct is made where they return it.
func TestLateMakeText(t *testing.T) {
	const folder = "./testdata/rewrites/late-make"
	program, err := Load(t.Context(), ".", []string{folder}, false)
	if err != nil {
		t.Fatal(err)
	}
	program.Executed = countExecuted(t, folder)
	for _, c := range []struct{ file, fn, want string }{
		{"moved.go", "moved", `func moved(name string, n int) *item {
	if n%4 != 0 || n == 0 {
		return nil
	}
	// It has what the caller has.
	return &item{ // rewritten
		name:  name,
		count: n, // a number
		at:    place{line: 1},
	}
}`},
		{"moved.go", "movedNew", `func movedNew(n int) (node, bool) {
	if n%4 != 0 {
		return nil, false
	}
	return new(item), true // rewritten
}`},
		{"moved.go", "aliased", `func aliased(n int) *item {
	sizes := []int{n}
	sizes[0]++
	if sizes[0]%4 != 1 {
		return nil
	}
	return &item{sizes: sizes} // rewritten
}`},
		{"moved.go", "assigned", `func assigned(name string, n int) *item {
	// it stays on the stack: what is returned is a copy.
	it := item{name: name, count: n} // rewritten
	n++
	if n%4 != 1 {
		return nil
	}
	return new(it)
}`},
		{"older.go", "older", `func older(n int) (node, int) {
	// it stays on the stack: what is returned is a copy.
	it := item{count: n} // rewritten
	it.name = "older"
	if n%4 != 0 {
		return nil, 0
	}
	result := it
	return &result, it.count
}`},
	} {
		if got := edited(t, program, filepath.Join(folder, c.file), "func "+c.fn+"(", lateMake); got != c.want {
			t.Errorf("%s is\n%s\nnot\n%s", c.fn, got, c.want)
		}
	}
}

// edited returns what a lever makes of a function with a line that it rewrites.
func edited(t *testing.T, program *Program, file, begins string, r *Lever) string {
	file, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, _, ok := strings.Cut(string(data), begins)
	rest := string(data)[len(before):]
	offset := strings.Index(rest, "// rewritten")
	if !ok || offset < 0 {
		t.Fatalf("%s has no line in %s that is rewritten", file, begins)
	}
	line := 1 + strings.Count(before, "\n") + strings.Count(rest[:offset], "\n")
	for _, e := range slices.Backward(everything(program, file, line, r).Edits) {
		data = slices.Concat(data[:e.Pos], []byte(e.Text), data[e.End:])
	}
	if data, err = format.Source(data); err != nil {
		t.Fatal(err)
	}
	_, rest, _ = strings.Cut(string(data), begins)
	text, _, _ := strings.Cut(rest, "\n}\n")
	return begins + text + "\n}"
}
