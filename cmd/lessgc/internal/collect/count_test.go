package collect

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/prof"
)

const counted = `package m

var made, seldom int

func Work(i int) {
	made++
	if i == 2 {
		seldom++
	}
}
`

const countedTest = `package m

import "testing"

func BenchmarkWork(b *testing.B) {
	for range 5000 {
		Work(2)
	}
	for range b.N {
		for i := range 10 {
			Work(i)
		}
	}
}
`

// TestCount checks that statements are counted without what benchmarks set up, and that the counts
// survive a result folder.
func TestCount(t *testing.T) {
	t.Setenv("GOWORK", "off")
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.26\n", "m.go": counted, "m_test.go": countedTest} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p := &prof.Set{Allocs: someProfile("allocs", 2, "alloc_objects", "alloc_space")}
	runs := Runs{{bench: "Work", perOp: map[string]float64{"BenchmarkWork": 0.0001}}}
	runs[0].pkg.ImportPath, runs[0].pkg.Dir = "m", "."
	var err error
	if p.Coverage, err = runs.Count(t.Context(), []string{"m"}, func(string, ...any) {}); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := Write(dir, p); err != nil {
		t.Fatal(err)
	}
	back, err := Folder(dir)
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[int]int64{6: 10_000, 8: 1000} {
		if n, ok := back.Coverage.At("m/m.go", line, 4); n != want || !ok {
			t.Errorf("line %d: %d, %t, want %d", line, n, ok, want)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, coverageFile), []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	if back, err = Folder(dir); err != nil || back.Coverage != nil || len(back.Notes) == 0 || !strings.Contains(back.Notes[0], "not a line of a coverage profile") {
		t.Error(back, err)
	}
	if none, err := Runs(nil).Count(t.Context(), nil, nil); none != nil || err != nil {
		t.Error("there is nothing to count")
	}
}
