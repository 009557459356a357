package compare

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestLook checks that sources which change while they are measured are noticed, and that
// what a benchmark writes beside them is not taken for a change.
func TestLook(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "x.go")
	write := func(name, text string, at time.Time) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	began := time.Unix(1e9, 0)
	write("x.go", "package x", began)
	first := look([]string{file})
	write("out.txt", "of a benchmark", began)
	if look([]string{file}) != first {
		t.Error("another file is taken for a change")
	}
	write("x.go", "package y", began.Add(time.Second))
	if look([]string{file}) == first {
		t.Error("another text of the same length is not noticed")
	}
	write("x.go", "package x", began)
	if look([]string{file}) != first {
		t.Error("the same file is taken for a change")
	}
	write("y.go", "package x", began)
	if look([]string{file}) == first {
		t.Error("a new source file is not noticed")
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if look([]string{file}) == first {
		t.Error("a file that is gone is not noticed")
	}
}
