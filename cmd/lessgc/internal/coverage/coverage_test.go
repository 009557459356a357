package coverage

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const text = `mode: atomic
example.org/a/a.go:3.14,5.10 2 100
example.org/a/a.go:5.10,7.3 1 7
example.org/a/a.go:9.2,12.3 1 0
`

func read(t *testing.T, text string) *Profile {
	t.Helper()
	p, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestAt checks which block a position is in.
func TestAt(t *testing.T) {
	p := read(t, text)
	check := func(file string, line, col int, want int64, known bool) {
		t.Helper()
		if n, ok := p.At(file, line, col); n != want || ok != known {
			t.Errorf("%s:%d:%d: %d, %t, want %d, %t", file, line, col, n, ok, want, known)
		}
	}
	check("example.org/a/a.go", 3, 13, 0, false)
	check("example.org/a/a.go", 3, 14, 100, true)
	check("example.org/a/a.go", 4, 1, 100, true)
	check("example.org/a/a.go", 5, 9, 100, true)
	check("example.org/a/a.go", 5, 10, 7, true)
	check("example.org/a/a.go", 8, 1, 0, false)
	check("example.org/a/a.go", 10, 1, 0, true)
	check("example.org/a/b.go", 4, 1, 0, false)

	// What goyacc makes has lines of two files.
	p = read(t, text+"example.org/a/y.go:20.1,3.2 1 9\nexample.org/a/y.go:30.1,31.2 1 8\n")
	check("example.org/a/y.go", 30, 2, 8, true)
	check("example.org/a/y.go", 10, 2, 0, false)
}

// TestSums checks that counts are added and taken off, and survive being written.
func TestSums(t *testing.T) {
	p := new(Profile)
	p.Add(read(t, text))
	p.Add(read(t, text))
	less := read(t, "mode: count\nexample.org/a/a.go:3.14,5.10 2 30\nexample.org/a/a.go:9.2,12.3 1 5\n")
	p.Less(less)
	var out bytes.Buffer
	if err := p.Write(&out); err != nil {
		t.Fatal(err)
	}
	back := read(t, out.String())
	for line, want := range map[int]int64{4: 170, 6: 14, 10: 0} {
		if n, ok := back.At("example.org/a/a.go", line, 1); n != want || !ok {
			t.Errorf("line %d: %d, want %d", line, n, want)
		}
	}
	most := read(t, "a/a.go:1.1,2.2 1 9223372036854775807\n")
	most.Add(most)
	if n, _ := most.At("a/a.go", 1, 1); n != math.MaxInt64 {
		t.Error(n)
	}
}

// TestHostile checks files that go test has not written.
func TestHostile(t *testing.T) {
	for _, text := range []string{"mode: set\n", "x\n", ":1.1,2.2 1 1\n", "a.go:1.1,2.2 1\n", "a.go:1.1,2.2 1 -1\n", "a.go:1.1,2.2 1 99999999999999999999\n",
		"a.go:99999999999.1,2.2 1 1\n", strings.Repeat("x", 1<<20)} {
		if _, err := Read(strings.NewReader(text)); err == nil {
			t.Errorf("no error for %.40q", text)
		}
	}
	name := filepath.Join(t.TempDir(), "coverage.out")
	if err := os.WriteFile(name, []byte(text+"x"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadFile(name); err == nil || !strings.Contains(err.Error(), "coverage.out: line 5: not a line of a coverage profile") {
		t.Error(err)
	}
	if err := os.Truncate(name, maxSize+1); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadFile(name); err == nil {
		t.Error("no error for a large file")
	}
}
