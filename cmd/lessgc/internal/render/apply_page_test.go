package render

import (
	"slices"
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
