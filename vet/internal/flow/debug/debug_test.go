package debug_test

import (
	"slices"
	"testing"

	"lessgc/vet/internal/flow/debug"
	"lessgc/vet/internal/flow/events"
)

// TestAfterEvents checks that the analyzer does not run beside the search for events: both call
// flow.Package.Origins, which is not safe for concurrent use.
func TestAfterEvents(t *testing.T) {
	if !slices.Contains(debug.Analyzer.Requires, events.Analyzer) {
		t.Error("the driver may run it at the same time as the search for events")
	}
}
