package render

import (
	"slices"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/advice"
	"lessgc/cmd/lessgc/internal/attempt"
)

// TestApplyRows checks that columns for predictions are there if anything was predicted.
func TestApplyRows(t *testing.T) {
	x := attempt.Row{Name: "A"}
	head := []string{"benchmark", "CPU time", "bytes", "allocations", "collections"}
	if got := applyRows([]attempt.Row{x}); len(got) != 2 || !slices.Equal(got[0], head) || len(got[1]) != len(head) {
		t.Errorf("without predictions: %q", got)
	}
	y := attempt.Row{Name: "B", Memory: &advice.Range{Lo: 0.1, Hi: 0.2}}
	head = []string{"benchmark", "CPU time", "bytes", "predicted saving", "allocations", "collections"}
	if got := applyRows([]attempt.Row{x, y}); len(got) != 3 || !slices.Equal(got[0], head) || got[1][3] != "" || got[2][3] != "10.0 to 20.0 %" {
		t.Errorf("with one of bytes: %q", got)
	}
	y.Predicted = y.Memory
	if got := applyRows([]attempt.Row{y}); len(got[0]) != 7 || got[1][2] != got[1][4] {
		t.Errorf("with both: %q", got)
	}
}

// TestApplyLarger checks that text and page tell what a change was tried with at first.
func TestApplyLarger(t *testing.T) {
	larger := []attempt.Larger{{And: "the same change elsewhere", Outcome: attempt.Worse, Why: "A<B takes 3 % more CPU time"}}
	r := &attempt.Report{Attempts: []attempt.Attempt{{Outcome: attempt.Kept, Larger: larger}, {Outcome: attempt.Failed, Larger: larger}}}
	for name, write := range map[string]func(*strings.Builder) error{
		"text": func(b *strings.Builder) error { return Text{Width: 200}.Apply(b, r) },
		"page": func(b *strings.Builder) error { return ApplyHTML(b, r) },
	} {
		var b strings.Builder
		err := write(&b)
		text := strings.ReplaceAll(b.String(), "&lt;", "<")
		if n := strings.Count(text, "efore that, with the same change elsewhere: worse: A<B takes 3 % more CPU time"); err != nil || n != 2 {
			t.Errorf("%s: %v, %d times:\n%s", name, err, n, text)
		}
	}
}
