package lever

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// sizesMarked are the comments of lines of testdata/rewrites/size-map/lengths.go that make a map: whether the length of what a loop goes over
// is its size, or why it is not: the number that was observed would be a large one.
var sizesMarked = regexp.MustCompile(`// (length|number: .+)$`)

// TestSizeMapLength checks that the length of a slice in scope is the size of a map where it is right, and nowhere else: with
// the counts of the benchmarks, and without.
func TestSizeMapLength(t *testing.T) {
	const folder = "./testdata/rewrites/size-map"
	program, err := Load(t.Context(), ".", []string{folder}, false)
	if err != nil {
		t.Fatal(err)
	}
	file, err := filepath.Abs(filepath.Join(folder, "lengths.go"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	executed := countExecuted(t, folder)
	program.Sites, program.Ops = sitesIn(t, folder), observedOps
	for _, program.Executed = range []func(string, int, int) (int64, bool){executed, nil} {
		seen := 0
		for i, text := range lines {
			if !strings.HasSuffix(text, "// rewritten") {
				continue
			}
			edits := atLine(program, file, i+1, sizeMap).Edits
			if program.Executed == nil && strings.Contains(text, "m[i] = r") {
				if len(edits) > 0 {
					t.Errorf("line %d: under a condition, it is the counts that show that most are set", i+1)
				}
				continue
			}
			if len(edits) == 0 {
				t.Errorf("line %d makes no map with a size", i+1)
			}
			for _, e := range edits {
				if strings.HasPrefix(strings.TrimSpace(e.Text), "//") {
					continue // it stands above the line
				}
				at := 1 + strings.Count(string(data[:e.Pos]), "\n")
				mark := sizesMarked.FindStringSubmatch(lines[at-1])
				if mark == nil {
					t.Errorf("line %d makes no map that is marked: %s", at, e.Text)
					continue
				}
				seen++
				if got := strings.Contains(e.Text, "len("); !got || mark[1] != "length" {
					t.Errorf("line %d, counts known %t: %s; want %s", at, program.Executed != nil, e.Text, mark[1])
				}
			}
		}
		want := strings.Count(string(data), "// length")
		if program.Executed == nil {
			want--
		}
		if seen != want {
			t.Errorf("%d maps of %d have a size", seen, want)
		}
	}
}
