package compare

import (
	"io"
	"testing"
)

// TestEveryFails checks that a load which is interrupted before its first request is an error, not a panic.
func TestEveryFails(t *testing.T) {
	for err, want := range map[error]string{nil: "no request was sent", io.EOF: "every request fails: EOF"} {
		if got := everyFails(err).Error(); got != want {
			t.Errorf("everyFails(%v) is %q, want %q", err, got, want)
		}
	}
}
