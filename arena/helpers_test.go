package arena

import (
	"testing"

	"lessgc/internal/checked"
)

// recycled returns an arena whose memory is used again.
func recycled() *Arena { return (&Pool{Policy: RecycleAll}).Get() }

// skipAllocs skips tests of allocation counts in builds that change them.
func skipAllocs(t *testing.T) {
	t.Helper()
	if checked.Enabled {
		t.Skip("this build allocates more")
	}
}
