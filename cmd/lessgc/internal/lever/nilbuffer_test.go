package lever

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

// TestNilOfTests checks that an exported function to which only tests give nil is named if it grows what it
// is given three times in each operation, or if nobody knows how many operations there are.
func TestNilOfTests(t *testing.T) {
	const folder = "./testdata/programs"
	program, err := Load(t.Context(), ".", []string{folder}, true)
	if err != nil {
		t.Fatal(err)
	}
	at := func(text, function string) prof.Frame {
		for place, line := range linesOf(t, folder) {
			if name, number, _ := strings.Cut(place, ":"); strings.Contains(line, text) {
				n, _ := strconv.Atoi(number) // linesOf has written it
				file, err := filepath.Abs(filepath.Join(folder, name))
				if err != nil {
					t.Fatal(err)
				}
				return prof.Frame{Func: "programs." + function, File: file, Line: n}
			}
		}
		t.Fatalf("nothing says %s", text)
		return prof.Frame{}
	}
	s := &site.Site{Frame: at("append(dst, line...)", "ChunksAppendLines"), Objects: 30, Bytes: 3000,
		Leaves: []site.Leaf{{Callers: []prof.Frame{at("ChunksAppendLines(nil,", "BenchmarkChunks")}, Bytes: 3000}}}
	for ops, want := range map[int64]bool{0: true, 10: true, 11: false} {
		program.Ops = ops
		f := nilBuffer.find(program.lineOf(s))
		if got := len(f.Evidence) == 3 && len(f.Edits) == 1 && strings.Contains(f.Edits[0].Text, "if dst == nil"); got != want {
			t.Errorf("with %d operations: %+v", ops, f)
		}
	}
}
