package escape

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/input"
)

// TestClass checks the class of each line, which its comment names.
func TestClass(t *testing.T) {
	const text = `package x

import "fmt"

func f(m map[string]int, s []int, n int, a, b string, p []byte) {
	m[a] = n              // a map grows
	m[a]++                // a map grows
	m[b] += n             // a map grows
	s = append(s, n)      // append finds no room
	p = make([]byte, n)   // make with a size that is not known
	a = a + b             // strings are put together
	a += b                // strings are put together
	p = []byte(a)         // a string becomes bytes, or bytes a string
	a = string(p)         // a string becomes bytes, or bytes a string
	go f(m, s, n, a, b, p) // a goroutine starts
	g := func() int {     // a function literal
		return n
	}
	x := &struct{ n int }{ // a composite literal or new
		n,
	}
	y := new(int)         // a composite literal or new
	a = fmt.Sprint(n)     // a value becomes an interface, or is formatted
	n--                   //
	a = fmt.Sprint("x" + // strings are put together
		b)
	_, _, _ = g, x, y     //
}
`
	file := filepath.Join(t.TempDir(), "x.go")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	s := Sources{Files: input.NewSources(filepath.Dir(file))}
	for i, line := range strings.Split(text, "\n") {
		_, want, ok := strings.Cut(line, "//")
		if !ok {
			continue
		}
		if got := s.Class(Pos{file, i + 1}); got != Class(strings.TrimSpace(want)) {
			t.Errorf("%s: %q", strings.TrimSpace(line), got)
		}
	}
	if !s.Known(file) || s.Known(file+"x") || s.Class(Pos{file + "x", 1}) != "" || s.Class(Pos{file, 1000}) != "" {
		t.Error("what is not there is known")
	}
	elsewhere := Sources{Files: input.NewSources(t.TempDir())}
	if elsewhere.Known(file) || elsewhere.Class(Pos{file, 6}) != "" {
		t.Error("a file that may not be read is known")
	}
}
