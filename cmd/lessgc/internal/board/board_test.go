package board

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBoard checks that entries come back, are summed up, and that lines which no board has are refused.
func TestBoard(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new", "board.jsonl")
	if all, err := Read(file); err != nil || len(all) > 0 {
		t.Fatal(all, err)
	}
	for _, e := range []Entry{
		{Lever: "a", Outcome: "kept", Predicted: &Range{0.1, 0.3}, Measured: &Range{0.15, 0.25}, Saved: 0.2, Memory: &Range{0.4, 0.5}, Freed: new(0.5005)},
		{Lever: "a", Outcome: "no gain", Predicted: &Range{0.1, 0.3}, Measured: &Range{-0.05, 0.05}, Memory: &Range{0.1, 0.3}, Freed: new(0.0)},
		{Lever: "a", Outcome: "unclear", Predicted: &Range{0.1, 0.3}, Measured: &Range{-0.2, 0.3}, Saved: 0.1},
		{Lever: "b", Outcome: "failed"},
		{Lever: "b", Outcome: "kept", Measured: &Range{0.4, 0.6}, Saved: 0.5},
	} {
		if err := Append(file, e); err != nil {
			t.Fatal(err)
		}
	}
	all, err := Read(file)
	if err != nil || len(all) != 5 {
		t.Fatal(all, err)
	}
	sums := Sums(all)
	if len(sums) != 3 || sums[0].Tried != 5 || sums[0].Kept != 2 || sums[0].Measured != 4 || *sums[0].Saved != (Range{0.2, 0.5}) {
		t.Errorf("%+v", sums)
	}
	if got, want := sums[1].Text(), "kept 1 of 3, CPU time inside its range 1 of 2, 1 too noisy, bytes inside their range 1 of 2"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, line := range []string{"x", "{}", `{"lever":"a","outcome":"kept","saved":1e9}`} {
		if err := os.WriteFile(file, []byte(line+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(file); err == nil || !strings.Contains(err.Error(), "line 1: ") {
			t.Errorf("%s: %v", line, err)
		}
	}
	Public() // it panics if the file is damaged
}
