package compare

import (
	"slices"
	"testing"
	"time"

	"lessgc/cmd/lessgc/internal/session"
)

// TestSettle checks how many iterations make a trial.
func TestSettle(t *testing.T) {
	for _, test := range []struct {
		name    string
		perCell []float64 // of base, other, A/A
		n       int
		fewer   []int
	}{
		{"alike", []float64{1e-3, 1.1e-3, 1e-3}, 525, nil},
		{"four times as slow", []float64{1e-3, 4e-3, 1e-3}, 525, nil},
		{"twenty times as slow", []float64{1e-3, 20e-3, 1e-3}, 525, []int{0, 27, 0}},
		{"a slow baseline, and so its copy", []float64{20e-3, 1e-3, 3e-3}, 525, []int{27, 0, 27}},
		{"longer than a trial", []float64{1e-3, 10, 1e-3}, 525, []int{0, 1, 0}},
		{"unknown", []float64{1e-3, 0, 1e-3}, 525, nil},
		{"nothing known", []float64{0, 0, 0}, 1, nil},
	} {
		r := &Run{Dir: &session.Dir{Session: &session.Session{
			Config: session.Config{MinTrial: 500 * time.Millisecond},
			Cells:  []session.Cell{{Ref: -1}, {Ref: 0}, {Ref: 0, AA: true}},
			Rows:   []session.Row{{Fewer: []int{1, 1, 1}}},
		}}}
		r.settle(0, test.perCell)
		row := r.Dir.Session.Rows[0]
		if row.N != test.n || !slices.Equal(row.Fewer, test.fewer) {
			t.Errorf("%s: %d, %v, want %d, %v", test.name, row.N, row.Fewer, test.n, test.fewer)
		}
		if got := row.Iterations(1); test.fewer != nil && test.fewer[1] > 0 && got != test.fewer[1] || test.fewer == nil && got != test.n {
			t.Errorf("%s: %d iterations in the other cell", test.name, got)
		}
	}
}
